#ifndef HYBRID_CURL_H
#define HYBRID_CURL_H
#endif
