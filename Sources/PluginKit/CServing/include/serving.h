#ifndef WORKBENCH_SERVING_H
#define WORKBENCH_SERVING_H

// The functions of libmicrohttpd that PluginServer uses. It is opened at first use: it loads GnuTLS.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A server with its threads, and one of its connections.
typedef struct serving_engine serving_engine;
typedef struct serving_connection serving_connection;

/// The next step of a request.
typedef enum {
  /// It continues, now or when its connection is resumed.
  SERVING_GO_ON,
  /// Its connection is closed.
  SERVING_DROP,
} serving_step;

/// Writes the next bytes of a streamed response; returns 0 after suspending, -1 at the end, -2 to close the connection.
typedef ssize_t (*serving_reader)(void *request, uint8_t *room, size_t count);

/// The callbacks of a server's threads, called concurrently, each thread for its own connections. They must not wait.
typedef struct {
  void *context;
  /// Receives the head of a request; returns the request's object, or NULL to close the connection.
  void *(*begin)(void *context, serving_connection *connection, const char *method, const char *path);
  /// Receives a piece of the body and sets the number of bytes consumed; the count is 0 at the end. May suspend.
  serving_step (*body)(void *request, const uint8_t *bytes, size_t *count);
  /// Receives the end of the request, whether answered or not.
  void (*end)(void *context, void *request);
} serving_receiver;

typedef struct {
  int listener;
  /// PEM; NULL for no TLS.
  const char *certificate;
  const char *key;
  /// The certificate authorities of clients, as PEM; each client must then present a certificate. NULL if none is
  /// requested.
  const char *client_authorities;
  unsigned connections;
  size_t head_bytes;
  unsigned idle_seconds;
} serving_setup;

/// Opens libmicrohttpd, once.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *serving_open(void);

/// Creates a listening socket; the port is set to the one assigned.
///
/// - Returns: the descriptor, or minus the system's error number.
int serving_listen(const char *address, uint16_t *port);

/// The meaning of an error number from listening.
typedef enum { SERVING_OTHER, SERVING_TAKEN, SERVING_BAD_ADDRESS } serving_problem;
serving_problem serving_kind(int error);
const char *serving_words(int error);

/// Starts a server; NULL if it cannot be started. The server owns the listener and closes it in either case.
serving_engine *serving_start(serving_setup setup, serving_receiver receiver);

/// Stops accepting connections.
void serving_quiesce(serving_engine *engine);

/// Ends a server on another thread, once no connection is suspended; then calls `done`.
///
/// - Returns: 0 if no thread is available.
int serving_stop(serving_engine *engine, void (*done)(void *context), void *context);

/// Calls a function with each header field, or with each query item (value NULL if there is no `=`).
void serving_fields(
    serving_connection *connection, int is_query, void (*take)(void *context, const char *name, const char *value),
    void *context);

/// Suspends a connection; only within `body` and a reader.
void serving_suspend(serving_connection *connection);

/// Resumes a suspended connection; on any thread.
void serving_resume(serving_connection *connection);

/// Resets a connection at once, whatever was sent.
void serving_reset(serving_connection *connection);

/// Writes raw bytes, ignoring the rules of HTTP, as many as the system accepts at once; only within `body`.
void serving_write(serving_connection *connection, const uint8_t *bytes, size_t count);

/// A response under construction.
typedef struct serving_answer serving_answer;

/// Creates a response of bytes, which are copied; NULL without memory.
serving_answer *serving_answer_bytes(const uint8_t *bytes, size_t count);

/// Creates a response whose bytes are read while it is sent.
///
/// - Parameter length: -1 if unknown.
serving_answer *serving_answer_stream(serving_reader read, int64_t length, void *request);

/// Adds a header field; returns 0 if it is not allowed.
int serving_answer_field(serving_answer *answer, const char *name, const char *value);

/// Sends a response and frees it; only within `begin` and `body`.
///
/// - Returns: 0 if it cannot be sent.
int serving_answer_send(serving_connection *connection, unsigned status, serving_answer *answer);

#endif
