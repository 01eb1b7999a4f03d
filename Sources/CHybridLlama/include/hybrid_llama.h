#ifndef HYBRID_LLAMA_H
#define HYBRID_LLAMA_H

// The only door to llama.cpp: opaque handles and scalars, so that a new llama.cpp touches one target.
//
// Every function catches what llama.cpp throws. None of them checks its handles: the Swift types
// that own them do. Built without HYBRID_LOCAL_LLAMA, the library is empty and nothing may be called.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The library

enum {
  HYBRID_LLAMA_OK = 0,
  // No CPU backend is registered and none was found beside the library.
  HYBRID_LLAMA_NO_CPU_BACKEND = -1,
  // Something was thrown inside llama.cpp.
  HYBRID_LLAMA_EXCEPTION = -1000,
  // The caller, or the end of the process, stopped it.
  HYBRID_LLAMA_STOPPED = -2,
  // llama.cpp said no; the log has why.
  HYBRID_LLAMA_FAILED = -3,
};

// Prepares the library: silent log, no debugger on abort, backends. Call once, before all others.
int32_t hybrid_llama_start(void);

// For example "0.5.0-dev". Static storage.
const char *_Nonnull hybrid_llama_version(void);

// True when the parameter structs of the library and of the header it was built against agree in
// the places where their defaults are known. Call after start.
bool hybrid_llama_layout_matches(void);

// `level`: 1 debug, 2 info, 3 warning, 4 error. `text` is valid for the duration of the call.
typedef void (*hybrid_llama_log)(int32_t level, const char *_Nonnull text);

// Where the library's log goes; NULL drops it. May be called at any time, from any thread.
void hybrid_llama_set_log(hybrid_llama_log _Nullable log);

// Copies the last error that the calling thread's llama.cpp calls logged, and forgets it.
// Returns the bytes written, without a terminator.
size_t hybrid_llama_take_error(char *_Nonnull buffer, size_t capacity);

// Whether the CPU backend in use was built for and runs with a feature, by ggml's name for it: AVX2,
// DOTPROD, REPACK, LLAMAFILE. Call after start.
bool hybrid_llama_has_cpu_feature(const char *_Nonnull name);

// Gives freed memory back to the system where the C library can.
void hybrid_llama_trim_memory(void);

// Names the calling thread, for `top` and debuggers; on Linux also the compute threads that it starts.
// At most 15 bytes.
void hybrid_llama_name_thread(const char *_Nonnull name);

// Models

typedef struct hybrid_llama_model hybrid_llama_model;

// Returns false to stop the load. `fraction`: 0…1.
typedef bool (*hybrid_llama_progress)(float fraction, void *_Nullable user);

// NULL on failure. `user` must live until the call returns.
hybrid_llama_model *_Nullable hybrid_llama_model_load(
    const char *_Nonnull path, bool vocabulary_only, hybrid_llama_progress _Nullable progress,
    void *_Nullable user);
void hybrid_llama_model_free(hybrid_llama_model *_Nonnull model);

// Returns false to stop. `done` of `all` tensors are written.
typedef bool (*hybrid_llama_conversion)(int32_t done, int32_t all, void *_Nullable user);

// Writes a copy of a model file whose weights have another format, a number of llama.cpp's llama_ftype.
// Formats that lost something are taken too.
//
// `tell` is asked before each tensor. On any result but OK a part of the copy may stand there. llama.cpp
// may take a full disk for success: look at what was written. HYBRID_LLAMA_OK, _STOPPED, _FAILED or
// _EXCEPTION. `user` must live until the call returns.
int32_t hybrid_llama_convert(
    const char *_Nonnull source, const char *_Nonnull target, int32_t file_type, int32_t threads,
    hybrid_llama_conversion _Nullable tell, void *_Nullable user);

bool hybrid_llama_model_has_encoder(const hybrid_llama_model *_Nonnull model);
bool hybrid_llama_model_has_decoder(const hybrid_llama_model *_Nonnull model);
// True where a sequence's past is, in some layers, a state that cannot be cut or shared in part.
bool hybrid_llama_model_is_recurrent(const hybrid_llama_model *_Nonnull model);

// Vocabulary: of any model, loaded with weights or without. Thread-safe.

enum {
  HYBRID_LLAMA_TOKEN_UNKNOWN = 1 << 0,
  HYBRID_LLAMA_TOKEN_CONTROL = 1 << 3,
  HYBRID_LLAMA_TOKEN_USER_DEFINED = 1 << 4,
  HYBRID_LLAMA_TOKEN_STRIPS_LEFT = 1 << 7,
  HYBRID_LLAMA_TOKEN_STRIPS_RIGHT = 1 << 8,
};

// False for a model without any vocabulary.
bool hybrid_llama_has_vocabulary(const hybrid_llama_model *_Nonnull model);
int32_t hybrid_llama_token_count(const hybrid_llama_model *_Nonnull model);
// The flags above.
int32_t hybrid_llama_token_attributes(const hybrid_llama_model *_Nonnull model, int32_t token);
bool hybrid_llama_token_ends_generation(const hybrid_llama_model *_Nonnull model, int32_t token);
// −1 where there is none.
int32_t hybrid_llama_beginning_token(const hybrid_llama_model *_Nonnull model);
int32_t hybrid_llama_end_token(const hybrid_llama_model *_Nonnull model);
bool hybrid_llama_adds_beginning_token(const hybrid_llama_model *_Nonnull model);

// The token's entry in the vocabulary, as stored. Valid as long as the model; NULL on failure.
const char *_Nullable hybrid_llama_token_text(
    const hybrid_llama_model *_Nonnull model, int32_t token);

// The bytes that the token stands for in an answer; none for control tokens. Returns their number,
// or its negative when the buffer is too small (and then writes nothing).
int32_t hybrid_llama_token_piece(
    const hybrid_llama_model *_Nonnull model, int32_t token, char *_Nullable buffer,
    int32_t capacity);

// `add_special`: puts around the text what the vocabulary says belongs there. Returns the number of
// tokens, its negative when the buffer is too small, INT32_MIN when there are too many to count,
// HYBRID_LLAMA_EXCEPTION as `INT32_MIN + 1`.
int32_t hybrid_llama_tokenize(
    const hybrid_llama_model *_Nonnull model, const char *_Nonnull text, int32_t length,
    int32_t *_Nullable tokens, int32_t capacity, bool add_special, bool parse_special);

// Contexts: one owner thread each. A context holds its batch and its compute threads; free it
// before its model.

typedef struct hybrid_llama_context hybrid_llama_context;

// Read between two operations of a running decode, on the owner's thread; true stops it.
typedef bool (*hybrid_llama_abort)(void *_Nullable user);

// NULL on failure. `shares_memory`: sequences may use one another's cells; otherwise each has an equal
// part of them. `outputs_per_sequence`: tokens of one sequence that may ask for logits in one decode.
// The threads: 1…512; where the system refuses them it computes with one. `flash_attention`: −1 where
// it helps, 0 off, 1 on. `user` must outlive the context.
hybrid_llama_context *_Nullable hybrid_llama_context_create(
    hybrid_llama_model *_Nonnull model, uint32_t length, uint32_t batch, uint32_t micro_batch,
    uint32_t sequences, bool shares_memory, uint32_t outputs_per_sequence, int32_t decode_threads,
    int32_t prefill_threads, int32_t flash_attention, hybrid_llama_abort _Nullable abort, void *_Nullable user);
void hybrid_llama_context_free(hybrid_llama_context *_Nonnull context);

// Threads that the next decodes compute with, whatever their size: 1…512. A count that was in use
// shortly before costs a microsecond; a new one starts its threads. False where the system refuses
// the threads: then nothing has changed.
bool hybrid_llama_set_threads(hybrid_llama_context *_Nonnull context, int32_t count);
// Threads that the next decode of one token computes with.
int32_t hybrid_llama_threads(const hybrid_llama_context *_Nonnull context);
// CPU time that the calling thread and the compute threads set last have used so far. −1 where the
// system does not tell.
int64_t hybrid_llama_compute_nanoseconds(const hybrid_llama_context *_Nonnull context);

uint32_t hybrid_llama_context_sequence_length(const hybrid_llama_context *_Nonnull context);
uint32_t hybrid_llama_context_batch(const hybrid_llama_context *_Nonnull context);

void hybrid_llama_batch_clear(hybrid_llama_context *_Nonnull context);
// False when the batch is full or the token is not in the vocabulary.
bool hybrid_llama_batch_add(
    hybrid_llama_context *_Nonnull context, int32_t token, int32_t position, int32_t sequence,
    bool wants_logits);

// llama_decode's own codes, or HYBRID_LLAMA_EXCEPTION.
int32_t hybrid_llama_decode(hybrid_llama_context *_Nonnull context);

void hybrid_llama_memory_clear(hybrid_llama_context *_Nonnull context);
// The target, which must be empty, gets the first `count` tokens of the source. Only with
// `shares_memory`.
void hybrid_llama_memory_share(
    hybrid_llama_context *_Nonnull context, int32_t source, int32_t target, int32_t count);
// Removes what follows the first `count` tokens. False where the model's memory cannot be cut there.
bool hybrid_llama_memory_keep(
    hybrid_llama_context *_Nonnull context, int32_t sequence, int32_t count);

// Embeddings: a context that pools the outputs of each sequence into one vector. Every token of a batch
// must ask for logits, and each sequence begins anew at position 0.

// NULL on failure. `batch`: the most tokens of a decode, over all its sequences. `pooling`: llama.cpp's
// number: 1 mean, 2 first token, 3 last token; any other fails. The rest as above.
hybrid_llama_context *_Nullable hybrid_llama_embedding_context_create(
    hybrid_llama_model *_Nonnull model, uint32_t batch, uint32_t sequences, int32_t pooling,
    int32_t decode_threads, int32_t prefill_threads, int32_t flash_attention,
    hybrid_llama_abort _Nullable abort, void *_Nullable user);
// Numbers of one vector.
int32_t hybrid_llama_embedding_size(const hybrid_llama_context *_Nonnull context);
// The sequence's vector, as the model has it. Valid until the next decode; NULL where the last one
// computed none.
const float *_Nullable hybrid_llama_embedding(
    hybrid_llama_context *_Nonnull context, int32_t sequence);

// Comparing two models: the distributions over the next token after the batch's entry `index`, which
// must have asked for logits.

enum {
  // A kept distribution is −log p of each token of the vocabulary, in steps of one 2,048th of a nat.
  HYBRID_LLAMA_STEPS_A_NAT = 2048,
};

// Keeps the distribution in `kept`, which has room for the vocabulary. `surprise` becomes −log p of
// `token`. False where the logits are no numbers.
bool hybrid_llama_keep_distribution(
    hybrid_llama_context *_Nonnull context, int32_t index, int32_t token, uint16_t *_Nonnull kept,
    double *_Nonnull surprise);
// The same, and `divergence` becomes the Kullback-Leibler divergence of the present distribution from
// the kept one, in nats, over the whole vocabulary.
bool hybrid_llama_compare_distribution(
    hybrid_llama_context *_Nonnull context, int32_t index, int32_t token,
    const uint16_t *_Nonnull kept, double *_Nonnull surprise, double *_Nonnull divergence);

// Samplers: one an answer, since each remembers what it has drawn and been told.

typedef struct hybrid_llama_sampler hybrid_llama_sampler;

typedef struct {
  float temperature;  // 0: the likeliest token each time, and the next four count for nothing
  int32_t top_k;      // 0 keeps all
  float top_p;        // 1 keeps all
  float min_p;        // 0 keeps all
  uint32_t seed;
  float repetition_penalty;  // 1 is off
  int32_t penalty_window;
  float presence_penalty;
  float frequency_penalty;
} hybrid_llama_sampling;

typedef struct {
  int32_t token;
  float value;
} hybrid_llama_token_value;

hybrid_llama_sampler *_Nullable hybrid_llama_sampler_create(
    const hybrid_llama_sampling *_Nonnull settings,
    const hybrid_llama_token_value *_Nullable biases, size_t bias_count);
void hybrid_llama_sampler_free(hybrid_llama_sampler *_Nonnull sampler);

// Tells of the next token of the prompt or of the answer. False where memory ran out.
bool hybrid_llama_sampler_accept(
    hybrid_llama_sampler *_Nonnull sampler, int32_t token, bool is_answer);

// The next token after the batch's entry `index`, which must have asked for logits. −1 where they
// are no numbers.
//
// Where `log_probability` is given it is set to the token's, over the model's own logits; `top` then
// gets the `top_count` likeliest with theirs, and the vocabulary must have so many.
int32_t hybrid_llama_sample(
    hybrid_llama_sampler *_Nonnull sampler, hybrid_llama_context *_Nonnull context, int32_t index,
    hybrid_llama_token_value *_Nullable top, int32_t top_count, float *_Nullable log_probability);

// The same from logits of one's own, which are changed on the way and restored.
int32_t hybrid_llama_sample_logits(
    hybrid_llama_sampler *_Nonnull sampler, float *_Nonnull logits, int32_t count,
    hybrid_llama_token_value *_Nullable top, int32_t top_count, float *_Nullable log_probability);

// The logits after the batch's entry `index`, as many as the vocabulary has tokens. Valid until the
// next decode; NULL where there are none.
const float *_Nullable hybrid_llama_logits(hybrid_llama_context *_Nonnull context, int32_t index);
int32_t hybrid_llama_vocabulary_size(const hybrid_llama_context *_Nonnull context);

#ifdef __cplusplus
}
#endif

#endif
