#include "context.hpp"

#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

// log Σ exp(x) over the vocabulary; not finite where the logits are no numbers.
double log_sum(const float *logits, int32_t count) {
  const float most = *std::max_element(logits, logits + count);
  double sum = 0;
  for (int32_t token = 0; token < count; token++) sum += std::exp(logits[token] - most);
  return most + std::log(sum);
}

}  // namespace

bool hybrid_llama_keep_distribution(
    hybrid_llama_context *context, int32_t index, int32_t token, uint16_t *kept, double *surprise) {
  return guarded(false, [&] {
    const float *logits = llama_get_logits_ith(context->context, index);
    const int32_t count = context->vocabulary_size;
    if (!logits || token < 0 || token >= count) return false;
    const double sum = log_sum(logits, count);
    if (!std::isfinite(sum)) return false;
    for (int32_t place = 0; place < count; place++) {
      const double steps = (sum - logits[place]) * HYBRID_LLAMA_STEPS_A_NAT;
      kept[place] = static_cast<uint16_t>(std::min(65535.0, std::max(0.0, steps + 0.5)));
    }
    *surprise = sum - logits[token];
    return true;
  });
}

bool hybrid_llama_compare_distribution(
    hybrid_llama_context *context, int32_t index, int32_t token, const uint16_t *kept,
    double *surprise, double *divergence) {
  return guarded(false, [&] {
    const float *logits = llama_get_logits_ith(context->context, index);
    const int32_t count = context->vocabulary_size;
    if (!logits || token < 0 || token >= count) return false;
    const double sum = log_sum(logits, count);
    if (!std::isfinite(sum)) return false;
    static const auto probabilities = [] {
      std::vector<double> values(65536);
      for (size_t steps = 0; steps + 1 < values.size(); steps++) {
        values[steps] = std::exp(-static_cast<double>(steps) / HYBRID_LLAMA_STEPS_A_NAT);
      }
      return values;  // the last stays 0: all that is less likely than e^−32
    }();
    // The steps make the kept ones add up to nearly one: they are divided by what they add up to.
    double total = 0, weighted = 0;
    for (int32_t place = 0; place < count; place++) {
      const double probability = probabilities[kept[place]];
      if (probability == 0) continue;
      total += probability;
      weighted += probability * (sum - logits[place] -
                                 static_cast<double>(kept[place]) / HYBRID_LLAMA_STEPS_A_NAT);
    }
    *divergence = weighted / total - std::log(total);
    *surprise = sum - logits[token];
    return std::isfinite(*divergence);
  });
}

#endif
