// The part of libcurl that HybridRemote uses, with types: libcurl's own setters are variadic, and its
// header is included nowhere but in hybrid_curl.c.
//
// One thread owns a multi handle and every transfer added to it. hybrid_curl_multi_wakeup is the only
// call allowed from another thread.

#ifndef HYBRID_CURL_H
#define HYBRID_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct hybrid_curl_multi hybrid_curl_multi;
typedef struct hybrid_curl_transfer hybrid_curl_transfer;

/// What an exchange ended as.
typedef enum {
  HYBRID_CURL_OK,
  /// The name of the host has no address.
  HYBRID_CURL_DNS,
  /// The proxy could not be found, reached or made to connect.
  HYBRID_CURL_PROXY,
  /// No connection; hybrid_curl_os_errno says why.
  HYBRID_CURL_CONNECT,
  HYBRID_CURL_TIMEOUT,
  /// The handshake failed.
  HYBRID_CURL_TLS,
  /// The certificate is not trusted.
  HYBRID_CURL_CERTIFICATE,
  /// The peer's key is none of those that were given.
  HYBRID_CURL_PIN,
  /// The client's own certificate or key cannot be used.
  HYBRID_CURL_CLIENT_CERTIFICATE,
  /// The bundle of trusted certificates cannot be read.
  HYBRID_CURL_CA_FILE,
  /// The connection ended before the length that the response had announced.
  HYBRID_CURL_PARTIAL,
  /// The connection ended without a response.
  HYBRID_CURL_EMPTY,
  /// Sending or receiving failed; hybrid_curl_os_errno says why.
  HYBRID_CURL_BROKEN,
  /// What came is not HTTP.
  HYBRID_CURL_NOT_HTTP,
  /// The URL cannot be read, or its scheme is not allowed.
  HYBRID_CURL_URL,
  /// One of the callbacks ended it.
  HYBRID_CURL_ABORTED,
  /// No memory, or a header line longer than libcurl takes: up to 8.5 it says the one for the other.
  HYBRID_CURL_TOO_LARGE,
  HYBRID_CURL_OTHER,
} hybrid_curl_outcome;

/// A callback's answer.
typedef enum {
  HYBRID_CURL_CONTINUE,
  /// The bytes were taken; no more until hybrid_curl_resume. Only for body bytes.
  HYBRID_CURL_PAUSE,
  HYBRID_CURL_ABORT,
} hybrid_curl_verdict;

/// Microseconds from the start of a transfer to the end of each phase; 0 for a phase that did not end.
/// One that was left out, on a connection used before, has what it had when it came to it.
typedef struct {
  int64_t name_lookup;
  int64_t connect;
  int64_t tls;
  /// Ready to send.
  int64_t ready;
  int64_t first_byte;
  /// True once a connection was made for it; false for good where it got one that was there.
  bool is_connected;
} hybrid_curl_times;

/// Called by the thread that runs the multi handle. Bytes and texts are valid during the call only.
typedef struct {
  void *context;
  /// One line of a head, its line end included.
  hybrid_curl_verdict (*on_header)(void *context, const uint8_t *bytes, size_t count);
  /// Some of the body's bytes, never none.
  hybrid_curl_verdict (*on_body)(void *context, const uint8_t *bytes, size_t count);
  /// A connection to this numeric address is ready, new or used before; nothing was sent yet.
  hybrid_curl_verdict (*on_connected)(void *context, const char *address);
} hybrid_curl_callbacks;

/// Prepares the library, once in a process.
/// Returns false where it cannot run.
bool hybrid_curl_prepare(void);

/// The version that runs, as libcurl numbers them: 0x075801 is 7.88.1.
unsigned int hybrid_curl_version_number(void);

/// The oldest version that knows every option used here.
unsigned int hybrid_curl_oldest_version_number(void);

/// The version that runs, as in "7.88.1". Static storage.
const char *hybrid_curl_version(void);

/// The TLS library that it uses, as in "OpenSSL/3.0.17"; NULL where it has none. Static storage.
const char *_Nullable hybrid_curl_tls_version(void);

// A transfer. Strings and bytes given to setters are copied. Setters return false where the option is
// unknown or memory is short.

/// NULL where memory is short.
hybrid_curl_transfer *_Nullable hybrid_curl_transfer_create(hybrid_curl_callbacks callbacks);

/// How many transfers there are in this process. From any thread.
int hybrid_curl_live_transfers(void);

/// Must not be in a multi handle.
void hybrid_curl_transfer_free(hybrid_curl_transfer *transfer);

bool hybrid_curl_set_url(hybrid_curl_transfer *transfer, const char *url);

/// True: HTTP/2 where TLS agrees on it, and then one connection for all. False: HTTP/1.1.
bool hybrid_curl_share_connections(hybrid_curl_transfer *transfer, bool is_sharing);

/// A request without a body.
bool hybrid_curl_set_method(hybrid_curl_transfer *transfer, const char *method);

/// Makes it a POST unless hybrid_curl_set_method is called afterwards.
bool hybrid_curl_set_body(
    hybrid_curl_transfer *transfer, const uint8_t *_Nullable bytes, size_t count);

/// line: "Name: value", "Name;" for an empty value, or "Name:" to leave out libcurl's own.
bool hybrid_curl_add_header(hybrid_curl_transfer *transfer, const char *line);

/// Trusts the certificates of this file alone.
bool hybrid_curl_set_ca_file(hybrid_curl_transfer *transfer, const char *path);

/// Besides all other checks the peer's public key must be one of these: "sha256//BASE64", separated by
/// semicolons. Anything else would be taken for a file's name.
bool hybrid_curl_set_pins(hybrid_curl_transfer *transfer, const char *pins);

/// Files in PEM form, read when a connection is made. A key with a passphrase cannot be used.
bool hybrid_curl_set_client_certificate(
    hybrid_curl_transfer *transfer, const char *certificate, const char *key);

/// False: TLS 1.2 or later.
bool hybrid_curl_require_tls13(hybrid_curl_transfer *transfer, bool is_required);

/// An empty text: no proxy, whatever the environment says.
bool hybrid_curl_set_proxy(hybrid_curl_transfer *transfer, const char *proxy);

/// Lets a paused body flow again; may call on_body before it returns.
void hybrid_curl_resume(hybrid_curl_transfer *transfer);

/// libcurl's own words on the failure; empty where it has none. Valid until the transfer is freed.
const char *hybrid_curl_error_text(const hybrid_curl_transfer *transfer);

/// The errno behind a failed connection, or 0.
int hybrid_curl_os_errno(hybrid_curl_transfer *transfer);

/// Why the certificate was refused, as X509_verify_cert_error_string numbers it; 0 where it was not,
/// or the TLS library has no such numbers.
int hybrid_curl_verify_result(hybrid_curl_transfer *transfer);

/// Also while it runs, and inside callbacks.
hybrid_curl_times hybrid_curl_get_times(hybrid_curl_transfer *transfer);

/// The proxy's status where it refused to connect, or 0.
int hybrid_curl_proxy_status(hybrid_curl_transfer *transfer);

// A multi handle.

/// NULL where memory or descriptors are short.
hybrid_curl_multi *_Nullable hybrid_curl_multi_create(void);

/// Every transfer must have been removed.
void hybrid_curl_multi_free(hybrid_curl_multi *multi);

bool hybrid_curl_multi_add(hybrid_curl_multi *multi, hybrid_curl_transfer *transfer);

/// Ends the transfer at once if it runs.
void hybrid_curl_multi_remove(hybrid_curl_multi *multi, hybrid_curl_transfer *transfer);

/// Does what can be done without waiting. Calls callbacks.
void hybrid_curl_multi_perform(hybrid_curl_multi *multi);

/// Waits until something can be done, a wake-up comes or the time is over.
void hybrid_curl_multi_wait(hybrid_curl_multi *multi, int milliseconds);

/// From any thread.
void hybrid_curl_multi_wakeup(hybrid_curl_multi *multi);

/// The context of the next transfer that has ended, and as what, also by libcurl's own number; NULL
/// when there is none.
void *_Nullable hybrid_curl_multi_next_ended(
    hybrid_curl_multi *multi, hybrid_curl_outcome *outcome, int *number);

/// What libcurl says of an outcome in general, by its number.
const char *hybrid_curl_meaning(int number);

#pragma clang assume_nonnull end

#endif
