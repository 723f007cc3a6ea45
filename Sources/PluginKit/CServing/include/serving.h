#ifndef WORKBENCH_SERVING_H
#define WORKBENCH_SERVING_H

// What PluginServer uses of libmicrohttpd, which is opened at the first use: it brings GnuTLS along.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A server with its threads, and a connection of it.
typedef struct serving_engine serving_engine;
typedef struct serving_connection serving_connection;

/// What becomes of a request.
typedef enum {
  /// It goes on, now or when its connection is resumed.
  SERVING_GO_ON,
  /// Its connection is closed.
  SERVING_DROP,
} serving_step;

/// Fills room with the next bytes of a streamed answer; gives 0 after suspending, -1 at the end, -2 to close the connection.
typedef ssize_t (*serving_reader)(void *request, uint8_t *room, size_t count);

/// What the threads of a server call, each for its own connections, at the same time. No call may wait.
typedef struct {
  void *context;
  /// Takes the head of a request; gives what stands for it from then on, or NULL to close the connection.
  void *(*begin)(void *context, serving_connection *connection, const char *method, const char *path);
  /// Takes a piece of the body and says how much it took; none is left when the count is 0. May suspend.
  serving_step (*body)(void *request, const uint8_t *bytes, size_t *count);
  /// Says that the request is over, answered or not.
  void (*end)(void *context, void *request);
} serving_receiver;

typedef struct {
  int listener;
  /// PEM; NULL for no TLS.
  const char *certificate;
  const char *key;
  /// PEM of those who sign the certificates of clients, each of which must show one; NULL if none is asked for.
  const char *client_authorities;
  unsigned connections;
  size_t head_bytes;
  unsigned idle_seconds;
} serving_setup;

/// Opens libmicrohttpd, once.
///
/// - Returns: NULL, or why it cannot be used.
const char *serving_open(void);

/// Makes a socket that listens; the port becomes the one that was given.
///
/// - Returns: the descriptor, or minus the system's error number.
int serving_listen(const char *address, uint16_t *port);

/// What an error number of listening means.
typedef enum { SERVING_OTHER, SERVING_TAKEN, SERVING_BAD_ADDRESS } serving_problem;
serving_problem serving_kind(int error);
const char *serving_words(int error);

/// Starts a server; NULL if it cannot be started. The listener is the server's, which closes it in either case.
serving_engine *serving_start(serving_setup setup, serving_receiver receiver);

/// Takes no more connections.
void serving_quiesce(serving_engine *engine);

/// Ends a server on another thread, once no connection is suspended; then calls `done`.
///
/// - Returns: 0 if there is no thread to be had.
int serving_stop(serving_engine *engine, void (*done)(void *context), void *context);

/// Calls with each field of the head, or with each part of the query (value NULL if there is no `=`).
void serving_fields(
    serving_connection *connection, int is_query, void (*take)(void *context, const char *name, const char *value),
    void *context);

/// Lets a connection rest; only from within `body` and a reader.
void serving_suspend(serving_connection *connection);

/// Lets a connection that rests go on; from any thread.
void serving_resume(serving_connection *connection);

/// Ends a connection at once, whatever was sent.
void serving_reset(serving_connection *connection);

/// Writes bytes past all rules of HTTP, as many as the system takes at once; only from within `body`.
void serving_write(serving_connection *connection, const uint8_t *bytes, size_t count);

/// An answer that is being made.
typedef struct serving_answer serving_answer;

/// Makes an answer of bytes, which are copied; NULL without memory.
serving_answer *serving_answer_bytes(const uint8_t *bytes, size_t count);

/// Makes an answer whose bytes are read as it is sent.
///
/// - Parameter length: -1 if it is not known.
serving_answer *serving_answer_stream(serving_reader read, int64_t length, void *request);

/// Adds a field to the head; 0 if it cannot stand there.
int serving_answer_field(serving_answer *answer, const char *name, const char *value);

/// Sends an answer and frees it; only from within `begin` and `body`.
///
/// - Returns: 0 if it cannot be sent.
int serving_answer_send(serving_connection *connection, unsigned status, serving_answer *answer);

#endif
