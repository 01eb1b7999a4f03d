#pragma once

#include "hybrid_llama.h"

#ifdef HYBRID_LOCAL_LLAMA

#include <llama.h>

#include <memory>
#include <unordered_map>
#include <vector>

// Turns logits into the next token: bias, penalties, top-k, top-p, min-p, temperature, draw, in the
// order of llama.cpp's own tools and with its samplers for all that is left after the top-k.
//
// llama_sampler_sample copies all candidates first: 0.28 ms a token for a vocabulary of 49,152. Here
// bias and penalties touch only the logits that they concern, in place, and are taken back; one pass
// then finds the few candidates that the top-k keeps.
struct hybrid_llama_sampler {
  hybrid_llama_sampler(
      const hybrid_llama_sampling &settings, const hybrid_llama_token_value *biases,
      size_t bias_count);

  void accept(int32_t token, bool is_answer);

  // `logits` is changed and restored. −1 where they are no numbers.
  int32_t sample(
      float *logits, int32_t count, hybrid_llama_token_value *top, int32_t top_count,
      float *log_probability);

 private:
  // How often a token is among the last of the window, and in the answer.
  struct Count {
    int32_t recent = 0;
    int32_t answer = 0;
  };

  class Adjustment;

  bool has_penalties() const;
  int32_t draw(const float *logits, int32_t count);

  hybrid_llama_sampling settings;
  std::vector<hybrid_llama_token_value> biases;
  // Empty: greedy. llama.h: the chain "takes ownership" of the samplers in it.
  std::unique_ptr<llama_sampler, decltype(&llama_sampler_free)> chain{nullptr, llama_sampler_free};

  std::unordered_map<int32_t, Count> counts;
  std::vector<int32_t> window;  // a ring once it is full
  size_t oldest = 0;

  // Kept between tokens for their memory alone.
  std::vector<float> maxima;
  std::vector<float> order;
  std::vector<llama_token_data> candidates;
  std::vector<std::pair<int32_t, float>> changed;
};

#endif
