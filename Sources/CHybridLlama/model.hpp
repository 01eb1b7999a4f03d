#pragma once

#ifdef HYBRID_LOCAL_LLAMA

#include <llama.h>

struct hybrid_llama_model {
  llama_model *model;
};

#endif
