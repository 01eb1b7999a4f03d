#ifndef HYBRID_LLAMA_H
#define HYBRID_LLAMA_H
#endif
