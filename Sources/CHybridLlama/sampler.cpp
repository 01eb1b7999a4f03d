#include "sampler.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

constexpr int32_t block_size = 64;

// The greatest logit of each block. False where one is not a number: a damaged model computes that,
// and whatever were chosen of it would mean nothing.
bool find_maxima(const float *logits, int32_t count, std::vector<float> &maxima) {
  constexpr int32_t lanes = 16;
  maxima.clear();
  int32_t not_numbers[lanes] = {};
  int32_t start = 0;
  for (; start + block_size <= count; start += block_size) {
    float most[lanes];
    std::fill(most, most + lanes, -INFINITY);
    for (int32_t row = start; row < start + block_size; row += lanes) {
      for (int32_t lane = 0; lane < lanes; lane++) {
        const float value = logits[row + lane];
        most[lane] = value > most[lane] ? value : most[lane];
        not_numbers[lane] |= value != value;
      }
    }
    maxima.push_back(*std::max_element(most, most + lanes));
  }
  bool is_number = std::all_of(not_numbers, not_numbers + lanes, [](int32_t n) { return n == 0; });
  if (start < count) {
    maxima.push_back(*std::max_element(logits + start, logits + count));
    is_number = is_number &&
                std::none_of(logits + start, logits + count, [](float x) { return std::isnan(x); });
  }
  return is_number;
}

// The first of the greatest.
int32_t greatest(const float *logits, int32_t count, const std::vector<float> &maxima, float best) {
  const auto block = std::find(maxima.begin(), maxima.end(), best) - maxima.begin();
  const auto *start = logits + block * block_size;
  return static_cast<int32_t>(std::find(start, logits + count, best) - logits);
}

// Whether so few are wanted of so many that `select` is worth its while.
bool is_few(int32_t wanted, const std::vector<float> &maxima) {
  return static_cast<size_t>(wanted) * 4 <= maxima.size();
}

// The `wanted` greatest, greatest first; of equal ones the first.
void select(
    const float *logits, int32_t count, int32_t wanted, const std::vector<float> &maxima,
    std::vector<float> &order, std::vector<llama_token_data> &found) {
  found.clear();
  // As many blocks as are wanted have a logit of at least this, so none below it can be among them.
  float least = -INFINITY;
  if (is_few(wanted, maxima)) {
    order = maxima;
    const auto last = order.begin() + (wanted - 1);
    std::nth_element(order.begin(), last, order.end(), std::greater<float>());
    least = *last;
  }
  for (size_t block = 0; block < maxima.size(); block++) {
    if (maxima[block] < least) continue;
    const int32_t start = static_cast<int32_t>(block) * block_size;
    const int32_t end = std::min(start + block_size, count);
    for (int32_t token = start; token < end; token++) {
      if (logits[token] >= least) found.push_back({token, logits[token], 0});
    }
  }
  const auto size = std::min(static_cast<size_t>(wanted), found.size());
  std::partial_sort(
      found.begin(), found.begin() + size, found.end(),
      [](const llama_token_data &left, const llama_token_data &right) {
        return left.logit > right.logit || (left.logit == right.logit && left.id < right.id);
      });
  found.resize(size);
}

// The sum of the exponentials of sixteen numbers, none above 0: in steps that a compiler turns into
// vector operations, which it cannot do to std::exp. Right to a millionth of itself.
float sum_of_exponentials(const float *logits, float best) {
  constexpr int32_t lanes = 16;
  float values[lanes];
  int32_t bits[lanes];
  for (int32_t lane = 0; lane < lanes; lane++) {
    // e^x = 2^n · e^r with a whole n and |r| at most ln 2 / 2, where eight terms of the series do.
    // Below −87 there would be no float left to hold it, and nothing worth adding.
    const float below = logits[lane] - best;
    const float x = below > -87.0f ? below : -87.0f;
    const int32_t n = static_cast<int32_t>(x * 1.44269504f - 0.5f);
    // ln 2 in two parts, so that n times the first is exact.
    const float whole = static_cast<float>(n);
    const float r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    const float high = 1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040)));
    values[lane] = 1 + r * (1 + r * (1.0f / 2 + r * (1.0f / 6 + r * high)));
    bits[lane] = (n + 127) << 23;
  }
  float scales[lanes];
  std::memcpy(scales, bits, sizeof scales);
  float sum = 0;
  for (int32_t lane = 0; lane < lanes; lane++) sum += values[lane] * scales[lane];
  return sum;
}

// The logarithm of the sum of all exponentials: what turns logits into log-probabilities.
double log_sum(const float *logits, int32_t count, float best) {
  double sum = 0;
  int32_t token = 0;
  for (; token + 16 <= count; token += 16) sum += sum_of_exponentials(logits + token, best);
  for (; token < count; token++) sum += std::exp(logits[token] - best);
  return best + std::log(sum);
}

}  // namespace

// Bias and penalties on the logits, for as long as it lives.
class hybrid_llama_sampler::Adjustment {
 public:
  Adjustment(hybrid_llama_sampler &sampler, float *logits, int32_t count)
      : changed(sampler.changed), logits(logits) {
    const auto &settings = sampler.settings;
    changed.clear();
    changed.reserve(sampler.biases.size() + sampler.counts.size());
    for (const auto &bias : sampler.biases) {
      if (keep(bias.token, count)) logits[bias.token] += bias.value;
    }
    for (const auto &[token, times] : sampler.counts) {
      if (!keep(token, count)) continue;
      float &logit = logits[token];
      if (times.recent > 0) {
        // Dividing a negative logit would make the token likelier.
        logit = logit <= 0 ? logit * settings.repetition_penalty
                           : logit / settings.repetition_penalty;
      }
      if (times.answer > 0) {
        logit -= static_cast<float>(times.answer) * settings.frequency_penalty +
                 settings.presence_penalty;
      }
    }
  }

  // Backwards: what has been changed twice was first what it is in the end.
  ~Adjustment() {
    for (auto last = changed.rbegin(); last != changed.rend(); last++) {
      logits[last->first] = last->second;
    }
  }

  Adjustment(const Adjustment &) = delete;
  Adjustment &operator=(const Adjustment &) = delete;

 private:
  bool keep(int32_t token, int32_t count) {
    if (token < 0 || token >= count) return false;
    changed.emplace_back(token, logits[token]);
    return true;
  }

  std::vector<std::pair<int32_t, float>> &changed;
  float *logits;
};

hybrid_llama_sampler::hybrid_llama_sampler(
    const hybrid_llama_sampling &settings, const hybrid_llama_token_value *biases,
    size_t bias_count)
    : settings(settings), biases(biases, biases + bias_count) {
  if (settings.temperature <= 0) return;
  chain.reset(llama_sampler_chain_init(llama_sampler_chain_default_params()));
  for (auto *sampler :
       {llama_sampler_init_top_k(settings.top_k), llama_sampler_init_top_p(settings.top_p, 1),
        llama_sampler_init_min_p(settings.min_p, 1), llama_sampler_init_temp(settings.temperature),
        llama_sampler_init_dist(settings.seed)}) {
    llama_sampler_chain_add(chain.get(), sampler);
  }
}

bool hybrid_llama_sampler::has_penalties() const {
  return settings.repetition_penalty != 1 || settings.presence_penalty != 0 ||
         settings.frequency_penalty != 0;
}

void hybrid_llama_sampler::accept(int32_t token, bool is_answer) {
  if (!has_penalties()) return;
  if (is_answer) counts[token].answer++;
  if (settings.repetition_penalty == 1 || settings.penalty_window <= 0) return;
  counts[token].recent++;
  if (window.size() < static_cast<size_t>(settings.penalty_window)) {
    window.push_back(token);
    return;
  }
  const auto leaving = counts.find(window[oldest]);
  if (--leaving->second.recent == 0 && leaving->second.answer == 0) counts.erase(leaving);
  window[oldest] = token;
  oldest = (oldest + 1) % window.size();
}

int32_t hybrid_llama_sampler::sample(
    float *logits, int32_t count, hybrid_llama_token_value *top, int32_t top_count,
    float *log_probability) {
  double sum = 0;
  if (log_probability) {
    if (!find_maxima(logits, count, maxima)) return -1;
    const float best = *std::max_element(maxima.begin(), maxima.end());
    if (!std::isfinite(best)) return -1;
    sum = log_sum(logits, count, best);
    if (top_count > 0) {
      select(logits, count, top_count, maxima, order, candidates);
      for (const auto &candidate : candidates) {
        *top++ = {candidate.id, static_cast<float>(candidate.logit - sum)};
      }
    }
  }
  int32_t token;
  {
    const Adjustment adjustment(*this, logits, count);
    token = draw(logits, count);
  }
  if (log_probability && token >= 0) *log_probability = static_cast<float>(logits[token] - sum);
  return token;
}

int32_t hybrid_llama_sampler::draw(const float *logits, int32_t count) {
  if (!find_maxima(logits, count, maxima)) return -1;
  const float best = *std::max_element(maxima.begin(), maxima.end());
  // With an infinite one no probability can be told.
  if (!std::isfinite(best)) return -1;
  if (!chain) return greatest(logits, count, maxima, best);

  const bool is_selected = settings.top_k > 0 && is_few(settings.top_k, maxima);
  if (is_selected) {
    select(logits, count, settings.top_k, maxima, order, candidates);
  } else {
    candidates.resize(count);
    for (int32_t token = 0; token < count; token++) candidates[token] = {token, logits[token], 0};
  }
  llama_token_data_array array{candidates.data(), candidates.size(), -1, is_selected};
  llama_sampler_apply(chain.get(), &array);
  if (array.selected < 0 || array.selected >= static_cast<int64_t>(array.size)) return -1;
  return array.data[array.selected].id;
}

#endif
