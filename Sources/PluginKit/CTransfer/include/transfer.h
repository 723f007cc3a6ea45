#ifndef WORKBENCH_TRANSFER_H
#define WORKBENCH_TRANSFER_H

// The functions of libcurl that PluginNet uses. The library is opened at first use: loading it takes longer than most
// commands. Its option functions are variadic, which Swift cannot call.

#include <stddef.h>
#include <stdint.h>

/// Multiple transfers, driven by one thread.
typedef struct transfer_engine transfer_engine;
/// One transfer.
typedef struct transfer transfer;

/// The outcome of a transfer.
typedef enum {
  TRANSFER_DONE,
  /// The receiver stopped the transfer.
  TRANSFER_STOPPED,
  TRANSFER_BAD_ADDRESS,
  TRANSFER_PROTOCOL_REFUSED,
  TRANSFER_NOT_RESOLVED,
  TRANSFER_NOT_CONNECTED,
  /// Certificate or handshake.
  TRANSFER_TLS,
  /// The server's public key is not among those pinned.
  TRANSFER_PIN_MISMATCH,
  TRANSFER_TIMED_OUT,
  TRANSFER_TOO_MANY_REDIRECTS,
  TRANSFER_TOO_LARGE,
  /// The connection ended before the response did.
  TRANSFER_CUT_SHORT,
  TRANSFER_BAD_ENCODING,
  TRANSFER_NO_MEMORY,
  TRANSFER_FAILED,
} transfer_end;

/// The decision about a body after a piece of it.
typedef enum {
  TRANSFER_MORE,
  /// The rest is not wanted.
  TRANSFER_ENOUGH,
  /// Reading is paused until `transfer_resume`; data that was already read may still arrive.
  TRANSFER_PAUSE,
} transfer_flow;

/// A request. All data is copied.
typedef struct {
  const char *address;
  /// NULL for GET, or POST when there is a body.
  const char *method;
  /// Lines `Name: value`.
  const char *const *headers;
  size_t header_count;
  /// The body; NULL for none.
  const uint8_t *body;
  size_t body_count;
  const char *user_agent;
  /// The allowed protocols of the address and of redirects, separated by commas.
  const char *protocols;
  const char *redirect_protocols;
  long redirects;
  long deadline_in_milliseconds;
  long connect_deadline_in_milliseconds;
  /// The number of seconds with less than a byte per second after which the transfer ends; 0 for never.
  long stall_in_seconds;
  /// The trusted certificates; NULL for the system's.
  const char *certificates;
  /// PEM files with the client's certificate and its private key without a password; NULL for none.
  const char *client_certificate;
  const char *client_key;
  /// The pins, `sha256//...` separated by semicolons, or NULL.
  const char *pins;
  /// True if the pins alone establish trust, whatever the issuer of the certificate.
  int trusts_pins_alone;
  /// True if the transfer ends once it is connected; nothing is sent, and the connection is not used for anything else.
  int only_connects;
  /// True if every server is trusted; only together with `only_connects`.
  int trusts_anybody;
  /// True if it uses a new connection, so that it is not sent again when a reused one is lost.
  int is_fresh;
  /// True if proxies set in the environment are ignored.
  int is_direct;
  /// True if content encodings are requested and decoded.
  int decodes;
  /// The maximum size of a body in bytes, by its stated length.
  int64_t body_limit;
  /// The size of the read buffer, from 1024.
  long buffer_in_bytes;
} transfer_request;

/// The receiver of a response, on the engine's thread.
typedef struct {
  void *context;
  /// Receives a line of a head with its line end; every response in a chain of redirects has a head.
  ///
  /// - Returns: 1, or 0 to end the transfer.
  int (*header)(void *context, const char *line, size_t count);
  /// Receives a piece of the body.
  transfer_flow (*body)(void *context, const uint8_t *bytes, size_t count);
} transfer_receiver;

/// A transfer that ended.
typedef struct {
  void *context;
  transfer *transfer;
  transfer_end end;
  long status;
  /// The system's error number, such as ECONNREFUSED; 0 if there is none.
  long system_error;
  /// True if any of the request was sent.
  int is_sent;
  /// The message of libcurl.
  char message[256];
} transfer_outcome;

/// Opens libcurl, once.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *transfer_open(void);

/// The version of libcurl; empty if it is not open.
const char *transfer_library_version(void);

transfer_engine *transfer_engine_create(void);

/// Begins a transfer.
///
/// - Returns: NULL with the outcome set if it cannot begin.
transfer *transfer_begin(
    transfer_engine *engine, const transfer_request *request, transfer_receiver receiver, transfer_outcome *outcome);

/// Removes a transfer, ended or not, and frees it.
void transfer_free(transfer_engine *engine, transfer *transfer);

/// Resumes a paused transfer; the pause does not count as silence of the server.
///
/// - Returns: 1, or 0 with the outcome set if that ended it.
int transfer_resume(transfer *transfer, transfer_outcome *outcome);

/// Waits for an event and advances all transfers.
void transfer_engine_run(transfer_engine *engine, int wait_in_milliseconds);

/// Returns a transfer that ended since the last call.
///
/// - Returns: 0 if there is none.
int transfer_engine_next(transfer_engine *engine, transfer_outcome *outcome);

/// Ends the wait. For any thread.
void transfer_engine_wake(transfer_engine *engine);

/// Returns the address of the final request, after redirects; valid until the transfer is freed.
const char *transfer_final_address(transfer *transfer);

/// Returns a field of the server's own certificate by libcurl's name: `Subject`, `Issuer`, `Start date`, `Expire date`,
/// `Cert` (PEM); NULL if it is unknown. Valid until the transfer is freed.
const char *transfer_certificate(transfer *transfer, const char *name);

/// Computes the SHA-256 of bytes, 32 bytes long.
///
/// - Returns: 1, or 0 if the system's libcrypto cannot be used.
int transfer_digest(const uint8_t *bytes, size_t count, uint8_t *digest);

/// Returns the length of the body that the server stated; -1 if it did not.
int64_t transfer_stated_length(transfer *transfer);

#endif
