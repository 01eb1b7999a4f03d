#include "hybrid_curl.h"

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The newest of the options below is CURLOPT_QUICK_EXIT.
#define OLDEST_VERSION 0x075700
#if LIBCURL_VERSION_NUM < OLDEST_VERSION
#error "HybridKit needs the headers of libcurl 7.87 or later"
#endif

struct hybrid_curl_transfer {
  CURL *easy;
  struct curl_slist *headers;
  hybrid_curl_callbacks callbacks;
  char error[CURL_ERROR_SIZE];
};

// libcurl's multi handle under a name that Swift keeps apart from others.
struct hybrid_curl_multi;

static CURLM *handle_of(hybrid_curl_multi *multi) { return (CURLM *)multi; }

static CURLcode set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static CURLcode set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static CURLcode set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// The library as a whole

bool hybrid_curl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

unsigned int hybrid_curl_version_number(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num;
}

unsigned int hybrid_curl_oldest_version_number(void) { return OLDEST_VERSION; }

const char *hybrid_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

const char *_Nullable hybrid_curl_tls_version(void) {
  return curl_version_info(CURLVERSION_NOW)->ssl_version;
}

// Callbacks

static size_t on_header(char *bytes, size_t size, size_t count, void *userdata) {
  hybrid_curl_transfer *transfer = userdata;
  size_t total = size * count;
  hybrid_curl_verdict verdict = transfer->callbacks.on_header(
      transfer->callbacks.context, (const uint8_t *)bytes, total);
  // Any other number than the one given ends the transfer.
  return verdict == HYBRID_CURL_CONTINUE ? total : !total;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *userdata) {
  hybrid_curl_transfer *transfer = userdata;
  size_t total = size * count;
  if (total == 0) return 0;
  switch (transfer->callbacks.on_body(
      transfer->callbacks.context, (const uint8_t *)bytes, total)) {
    case HYBRID_CURL_CONTINUE:
      return total;
    case HYBRID_CURL_PAUSE:
      // Returning CURL_WRITEFUNC_PAUSE would mean that the bytes were not taken.
      curl_easy_pause(transfer->easy, CURLPAUSE_RECV);
      return total;
    case HYBRID_CURL_ABORT:
      break;
  }
  return !total;
}

static int on_connected(
    void *userdata, char *address, char *local_address, int port, int local_port) {
  (void)local_address;
  (void)port;
  (void)local_port;
  hybrid_curl_transfer *transfer = userdata;
  hybrid_curl_verdict verdict =
      transfer->callbacks.on_connected(transfer->callbacks.context, address ? address : "");
  return verdict == HYBRID_CURL_CONTINUE ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

// A transfer

// What holds for every transfer. None of it may be missing: a transfer without one of these options is
// slower to end, or less safe, than was promised.
static bool set_basics(hybrid_curl_transfer *transfer) {
  CURL *easy = transfer->easy;
  CURLcode failed = CURLE_OK;
#define REQUIRE(call) \
  do { \
    CURLcode code = (call); \
    if (failed == CURLE_OK) failed = code; \
  } while (0)

  REQUIRE(set_long(easy, CURLOPT_NOSIGNAL, 1L));
  REQUIRE(set_long(easy, CURLOPT_FOLLOWLOCATION, 0L));
  REQUIRE(set_long(easy, CURLOPT_TCP_KEEPALIVE, 1L));
  REQUIRE(set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
  // The limits are the caller's: libcurl's own (300 s to connect) must not come first.
  REQUIRE(set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, 24L * 60 * 60 * 1000));
  // Without it, removing a transfer waits for its name look-up: seconds, with every stream stalled.
  REQUIRE(set_long(easy, CURLOPT_QUICK_EXIT, 1L));
  REQUIRE(set_string(easy, CURLOPT_PROTOCOLS_STR, hybrid_curl_tls_version() ? "http,https" : "http"));
  REQUIRE(set_pointer(easy, CURLOPT_ERRORBUFFER, transfer->error));
  REQUIRE(set_pointer(easy, CURLOPT_PRIVATE, transfer));
  REQUIRE(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header));
  REQUIRE(set_pointer(easy, CURLOPT_HEADERDATA, transfer));
  REQUIRE(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body));
  REQUIRE(set_pointer(easy, CURLOPT_WRITEDATA, transfer));
  REQUIRE(curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected));
  REQUIRE(set_pointer(easy, CURLOPT_PREREQDATA, transfer));
#undef REQUIRE
  return failed == CURLE_OK;
}

static atomic_int live_transfers;

int hybrid_curl_live_transfers(void) { return atomic_load(&live_transfers); }

hybrid_curl_transfer *hybrid_curl_transfer_create(hybrid_curl_callbacks callbacks) {
  hybrid_curl_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  atomic_fetch_add(&live_transfers, 1);
  transfer->callbacks = callbacks;
  transfer->easy = curl_easy_init();
  if (!transfer->easy || !set_basics(transfer)) {
    hybrid_curl_transfer_free(transfer);
    return NULL;
  }
  return transfer;
}

void hybrid_curl_transfer_free(hybrid_curl_transfer *transfer) {
  // The list must outlive the handle that reads it.
  if (transfer->easy) curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  free(transfer);
  atomic_fetch_sub(&live_transfers, 1);
}

bool hybrid_curl_set_url(hybrid_curl_transfer *transfer, const char *url) {
  return set_string(transfer->easy, CURLOPT_URL, url) == CURLE_OK;
}

bool hybrid_curl_share_connections(hybrid_curl_transfer *transfer, bool is_sharing) {
  // Without TLS a request that may share waits for the first one's answer, not just for its handshake.
  CURL *easy = transfer->easy;
  long version = is_sharing ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;
  return set_long(easy, CURLOPT_HTTP_VERSION, version) == CURLE_OK
         && set_long(easy, CURLOPT_PIPEWAIT, is_sharing) == CURLE_OK;
}

bool hybrid_curl_set_method(hybrid_curl_transfer *transfer, const char *method) {
  if (strcmp(method, "GET") == 0) {
    return set_long(transfer->easy, CURLOPT_HTTPGET, 1L) == CURLE_OK;
  }
  return set_string(transfer->easy, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK;
}

bool hybrid_curl_set_body(
    hybrid_curl_transfer *transfer, const uint8_t *bytes, size_t count) {
  CURL *easy = transfer->easy;
  // The size comes first: COPYPOSTFIELDS copies that many bytes, zeros among them.
  return set_long(easy, CURLOPT_POST, 1L) == CURLE_OK
         && curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) == CURLE_OK
         && curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes ? (const char *)bytes : "")
                == CURLE_OK;
}

bool hybrid_curl_add_header(hybrid_curl_transfer *transfer, const char *line) {
  struct curl_slist *headers = curl_slist_append(transfer->headers, line);
  if (!headers) return false;
  transfer->headers = headers;
  return curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK;
}

bool hybrid_curl_set_ca_file(hybrid_curl_transfer *transfer, const char *path) {
  // With the default directory set too, libcurl reads 140 certificates for each new connection.
  return set_string(transfer->easy, CURLOPT_CAINFO, path) == CURLE_OK
         && set_string(transfer->easy, CURLOPT_CAPATH, NULL) == CURLE_OK;
}

bool hybrid_curl_set_pins(hybrid_curl_transfer *transfer, const char *pins) {
  return set_string(transfer->easy, CURLOPT_PINNEDPUBLICKEY, pins) == CURLE_OK;
}

bool hybrid_curl_set_client_certificate(
    hybrid_curl_transfer *transfer, const char *certificate, const char *key) {
  CURL *easy = transfer->easy;
  // Without a passphrase, OpenSSL would ask the terminal for one and stop every stream meanwhile.
  return set_string(easy, CURLOPT_SSLCERT, certificate) == CURLE_OK
         && set_string(easy, CURLOPT_SSLKEY, key) == CURLE_OK
         && set_string(easy, CURLOPT_KEYPASSWD, "") == CURLE_OK;
}

bool hybrid_curl_require_tls13(hybrid_curl_transfer *transfer, bool is_required) {
  long version = is_required ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2;
  return set_long(transfer->easy, CURLOPT_SSLVERSION, version) == CURLE_OK;
}

bool hybrid_curl_set_proxy(hybrid_curl_transfer *transfer, const char *proxy) {
  return set_string(transfer->easy, CURLOPT_PROXY, proxy) == CURLE_OK;
}

void hybrid_curl_resume(hybrid_curl_transfer *transfer) {
  curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
}

const char *hybrid_curl_error_text(const hybrid_curl_transfer *transfer) {
  return transfer->error;
}

int hybrid_curl_os_errno(hybrid_curl_transfer *transfer) {
  long number = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
  return (int)number;
}

int hybrid_curl_verify_result(hybrid_curl_transfer *transfer) {
  long number = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_SSL_VERIFYRESULT, &number);
  return (int)number;
}

static int64_t time_of(CURL *easy, CURLINFO info) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, info, &microseconds);
  return microseconds;
}

hybrid_curl_times hybrid_curl_get_times(hybrid_curl_transfer *transfer) {
  CURL *easy = transfer->easy;
  long connections = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
  return (hybrid_curl_times){
      .name_lookup = time_of(easy, CURLINFO_NAMELOOKUP_TIME_T),
      .connect = time_of(easy, CURLINFO_CONNECT_TIME_T),
      .tls = time_of(easy, CURLINFO_APPCONNECT_TIME_T),
      .ready = time_of(easy, CURLINFO_PRETRANSFER_TIME_T),
      .first_byte = time_of(easy, CURLINFO_STARTTRANSFER_TIME_T),
      .is_connected = connections > 0,
  };
}

int hybrid_curl_proxy_status(hybrid_curl_transfer *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return (int)status;
}

static hybrid_curl_outcome outcome_of(CURLcode code) {
  // An enumerator that the headers of 7.88 do not have.
  enum { CURLE_TOO_LARGE_NUMBER = 100 };
  switch ((int)code) {
    case CURLE_OK:
      return HYBRID_CURL_OK;
    case CURLE_COULDNT_RESOLVE_HOST:
      return HYBRID_CURL_DNS;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
      return HYBRID_CURL_PROXY;
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
      return HYBRID_CURL_CONNECT;
    case CURLE_OPERATION_TIMEDOUT:
      return HYBRID_CURL_TIMEOUT;
    case CURLE_SSL_CERTPROBLEM:
      return HYBRID_CURL_CLIENT_CERTIFICATE;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_CLIENTCERT:
      return HYBRID_CURL_TLS;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return HYBRID_CURL_CERTIFICATE;
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return HYBRID_CURL_PIN;
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CRL_BADFILE:
      return HYBRID_CURL_CA_FILE;
    case CURLE_PARTIAL_FILE:
      return HYBRID_CURL_PARTIAL;
    case CURLE_GOT_NOTHING:
      return HYBRID_CURL_EMPTY;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return HYBRID_CURL_BROKEN;
    // "Received HTTP/0.9 when not allowed": some other protocol's greeting.
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return HYBRID_CURL_NOT_HTTP;
    case CURLE_URL_MALFORMAT:
      return HYBRID_CURL_URL;
    case CURLE_WRITE_ERROR:
    case CURLE_ABORTED_BY_CALLBACK:
      return HYBRID_CURL_ABORTED;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_TOO_LARGE_NUMBER:
      return HYBRID_CURL_TOO_LARGE;
    default:
      return HYBRID_CURL_OTHER;
  }
}

// A multi handle

hybrid_curl_multi *hybrid_curl_multi_create(void) {
  return (hybrid_curl_multi *)curl_multi_init();
}

void hybrid_curl_multi_free(hybrid_curl_multi *multi) { curl_multi_cleanup(handle_of(multi)); }

bool hybrid_curl_multi_add(hybrid_curl_multi *multi, hybrid_curl_transfer *transfer) {
  return curl_multi_add_handle(handle_of(multi), transfer->easy) == CURLM_OK;
}

void hybrid_curl_multi_remove(hybrid_curl_multi *multi, hybrid_curl_transfer *transfer) {
  curl_multi_remove_handle(handle_of(multi), transfer->easy);
}

void hybrid_curl_multi_perform(hybrid_curl_multi *multi) {
  int running = 0;
  curl_multi_perform(handle_of(multi), &running);
}

void hybrid_curl_multi_wait(hybrid_curl_multi *multi, int milliseconds) {
  curl_multi_poll(handle_of(multi), NULL, 0, milliseconds, NULL);
}

void hybrid_curl_multi_wakeup(hybrid_curl_multi *multi) { curl_multi_wakeup(handle_of(multi)); }

const char *hybrid_curl_meaning(int number) { return curl_easy_strerror((CURLcode)number); }

void *hybrid_curl_multi_next_ended(
    hybrid_curl_multi *multi, hybrid_curl_outcome *outcome, int *number) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(handle_of(multi), &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *outcome = outcome_of(message->data.result);
    *number = (int)message->data.result;
    char *context = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return ((hybrid_curl_transfer *)context)->callbacks.context;
  }
  return NULL;
}
