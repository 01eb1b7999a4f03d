#include "hybrid_llama.h"
