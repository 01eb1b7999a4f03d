#include "hybrid_curl.h"
