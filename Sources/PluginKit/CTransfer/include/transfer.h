#ifndef WORKBENCH_TRANSFER_H
#define WORKBENCH_TRANSFER_H

// What PluginNet uses of libcurl. The library is opened at the first use: loading it costs more than most commands
// take. Its option functions are variadic, which Swift cannot call.

#include <stddef.h>
#include <stdint.h>

/// Many transfers, driven by one thread.
typedef struct transfer_engine transfer_engine;
/// One transfer.
typedef struct transfer transfer;

/// How a transfer ended.
typedef enum {
  TRANSFER_DONE,
  /// The receiver wanted no more.
  TRANSFER_STOPPED,
  TRANSFER_BAD_ADDRESS,
  TRANSFER_PROTOCOL_REFUSED,
  TRANSFER_NOT_RESOLVED,
  TRANSFER_NOT_CONNECTED,
  /// Certificate or handshake.
  TRANSFER_TLS,
  /// The server's public key is none of those pinned.
  TRANSFER_PIN_MISMATCH,
  TRANSFER_TIMED_OUT,
  TRANSFER_TOO_MANY_REDIRECTS,
  TRANSFER_TOO_LARGE,
  /// The connection ended before the answer did.
  TRANSFER_CUT_SHORT,
  TRANSFER_BAD_ENCODING,
  TRANSFER_NO_MEMORY,
  TRANSFER_FAILED,
} transfer_end;

/// What becomes of a body after a piece of it.
typedef enum {
  TRANSFER_MORE,
  /// No more of it is wanted.
  TRANSFER_ENOUGH,
  /// Nothing more is read until `transfer_resume`; what was read already may still come.
  TRANSFER_PAUSE,
} transfer_flow;

/// What is asked for. Everything is copied.
typedef struct {
  const char *address;
  /// NULL for GET, or POST when there is a body.
  const char *method;
  /// Lines `Name: value`.
  const char *const *headers;
  size_t header_count;
  /// NULL for none.
  const uint8_t *body;
  size_t body_count;
  const char *user_agent;
  /// Protocols of the address and of redirects, separated by commas.
  const char *protocols;
  const char *redirect_protocols;
  long redirects;
  long deadline_in_milliseconds;
  long connect_deadline_in_milliseconds;
  /// Ends after so many seconds with less than a byte a second; 0 for never.
  long stall_in_seconds;
  /// NULL for the system's certificates.
  const char *certificates;
  /// PEM files by which the client shows who it is, and of the private key without password; NULL for neither.
  const char *client_certificate;
  const char *client_key;
  /// `sha256//...` separated by semicolons, or NULL.
  const char *pins;
  /// Whether the pins alone say who is trusted, whoever signed the certificate.
  int trusts_pins_alone;
  /// Whether it ends as soon as there is a connection, which serves nothing else; nothing is sent.
  int only_connects;
  /// Whether anybody is trusted; only together with `only_connects`.
  int trusts_anybody;
  /// Whether it goes over a new connection, so that it is not sent again when one that was kept is lost.
  int is_fresh;
  /// Whether no proxy of the environment is used.
  int is_direct;
  /// Whether content encodings are asked for and undone.
  int decodes;
  /// The largest body in bytes by its stated length.
  int64_t body_limit;
  /// How much is read at once, from 1024.
  long buffer_in_bytes;
} transfer_request;

/// What takes an answer, on the engine's thread.
typedef struct {
  void *context;
  /// Takes a line of a head with its line end; every answer of a chain of redirects has a head.
  ///
  /// - Returns: 1, or 0 to end the transfer.
  int (*header)(void *context, const char *line, size_t count);
  /// Takes a piece of the body.
  transfer_flow (*body)(void *context, const uint8_t *bytes, size_t count);
} transfer_receiver;

/// A transfer that ended.
typedef struct {
  void *context;
  transfer *transfer;
  transfer_end end;
  long status;
  /// A number of the system, such as ECONNREFUSED; 0 if there is none.
  long system_error;
  /// Whether any of the request was sent.
  int is_sent;
  /// libcurl's words.
  char message[256];
} transfer_outcome;

/// Opens libcurl, once.
///
/// - Returns: NULL, or why it cannot be used.
const char *transfer_open(void);

/// The version of libcurl; empty if it is not open.
const char *transfer_library_version(void);

transfer_engine *transfer_engine_create(void);

/// Begins a transfer.
///
/// - Returns: NULL with the outcome filled in if it cannot begin.
transfer *transfer_begin(
    transfer_engine *engine, const transfer_request *request, transfer_receiver receiver, transfer_outcome *outcome);

/// Takes a transfer away, ended or not, and frees it.
void transfer_free(transfer_engine *engine, transfer *transfer);

/// Lets a paused transfer go on; the time it was paused does not count as silence of the server.
///
/// - Returns: 1, or 0 with the outcome filled in if that ended it.
int transfer_resume(transfer *transfer, transfer_outcome *outcome);

/// Waits for something to happen and lets all transfers go on.
void transfer_engine_run(transfer_engine *engine, int wait_in_milliseconds);

/// Gives a transfer that ended since it was asked last.
///
/// - Returns: 0 if there is none.
int transfer_engine_next(transfer_engine *engine, transfer_outcome *outcome);

/// Ends the waiting. For any thread.
void transfer_engine_wake(transfer_engine *engine);

/// The address that was asked last, after redirects; good until the transfer is freed.
const char *transfer_final_address(transfer *transfer);

/// What the server's own certificate says, by libcurl's name: `Subject`, `Issuer`, `Start date`, `Expire date`, `Cert`
/// (PEM); NULL if it is not known. Good until the transfer is freed.
const char *transfer_certificate(transfer *transfer, const char *name);

/// The SHA-256 of bytes, 32 of them.
///
/// - Returns: 1, or 0 if the system's libcrypto cannot be used.
int transfer_digest(const uint8_t *bytes, size_t count, uint8_t *digest);

/// The length of the body that the server stated; -1 if it did not.
int64_t transfer_stated_length(transfer *transfer);

#endif
