#define _GNU_SOURCE
#include "serving.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "opening.h"

static struct {
  struct MHD_Daemon *(*start)(
      unsigned, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...);
  void (*stop)(struct MHD_Daemon *);
  MHD_socket (*quiesce)(struct MHD_Daemon *);
  int (*values)(struct MHD_Connection *, enum MHD_ValueKind, MHD_KeyValueIterator, void *);
  const union MHD_ConnectionInfo *(*info)(struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
  void (*suspend)(struct MHD_Connection *);
  void (*resume)(struct MHD_Connection *);
  struct MHD_Response *(*from_buffer)(size_t, void *, enum MHD_ResponseMemoryMode);
  struct MHD_Response *(*from_callback)(
      uint64_t, size_t, MHD_ContentReaderCallback, void *, MHD_ContentReaderFreeCallback);
  enum MHD_Result (*add_header)(struct MHD_Response *, const char *, const char *);
  enum MHD_Result (*queue)(struct MHD_Connection *, unsigned, struct MHD_Response *);
  void (*destroy)(struct MHD_Response *);
  // Of GnuTLS, which comes with the library.
  void (*ask_client)(void *session, int how);
  void (*verify_client)(void *session, const char *host, unsigned flags);
} http;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  if (!opened_library_open(&library, "libmicrohttpd.so.12")) return;
  http.start = find("MHD_start_daemon");
  http.stop = find("MHD_stop_daemon");
  http.quiesce = find("MHD_quiesce_daemon");
  http.values = find("MHD_get_connection_values");
  http.info = find("MHD_get_connection_info");
  http.suspend = find("MHD_suspend_connection");
  http.resume = find("MHD_resume_connection");
  http.from_buffer = find("MHD_create_response_from_buffer");
  http.from_callback = find("MHD_create_response_from_callback");
  http.add_header = find("MHD_add_response_header");
  http.queue = find("MHD_queue_response");
  http.destroy = find("MHD_destroy_response");
  http.ask_client = find("gnutls_certificate_server_set_request");
  http.verify_client = find("gnutls_session_set_verify_cert");
}

const char *serving_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}

/// A server of the library with a thread of its own; all servers of an engine accept from the same socket.
///
/// The library has pools of such threads, but aborts the process if one is busy just as its pool is told to stop
/// accepting (0.9.75, MHD_quiesce_daemon).
typedef struct {
  struct MHD_Daemon *daemon;
  /// The socket it accepts from, which is ours again once it accepts no more; else -1.
  int listener;
} serving_thread;

struct serving_engine {
  serving_thread *threads;
  unsigned thread_count;
  serving_receiver receiver;
  int is_quiet;
  void (*done)(void *context);
  void *done_context;
};

static struct MHD_Connection *inner(serving_connection *connection) { return (struct MHD_Connection *)connection; }

int serving_listen(const char *address, uint16_t *port) {
  struct sockaddr_storage name = {0};
  struct sockaddr_in *four = (struct sockaddr_in *)&name;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)&name;
  socklen_t size = sizeof *four;
  if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(*port);
  } else if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(*port);
    size = sizeof *six;
  } else return -EINVAL;
  int listener = socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -errno;
  // A port that was in use a moment ago can be taken again at once; one that is in use cannot.
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  // As many connections as the system allows may wait: one that finds no room is put off by a second, then two, then
  // four, until its client gives up.
  if (bind(listener, (struct sockaddr *)&name, size) != 0 || listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, (struct sockaddr *)&name, &size) != 0) {
    int error = errno;
    close(listener);
    return -error;
  }
  *port = ntohs(name.ss_family == AF_INET ? four->sin_port : six->sin6_port);
  return listener;
}

serving_problem serving_kind(int error) {
  if (error == EADDRINUSE) return SERVING_TAKEN;
  return error == EINVAL || error == EADDRNOTAVAIL ? SERVING_BAD_ADDRESS : SERVING_OTHER;
}

const char *serving_words(int error) { return strerrordesc_np(error); }

static enum MHD_Result take(
    void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *bytes, size_t *count, void **request) {
  (void)version;
  serving_receiver *to = &((serving_engine *)context)->receiver;
  if (!*request) {
    *request = to->begin(to->context, (serving_connection *)connection, method, path);
    return *request ? MHD_YES : MHD_NO;
  }
  return to->body(*request, (const uint8_t *)bytes, count) == SERVING_GO_ON ? MHD_YES : MHD_NO;
}

static void completed(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code) {
  (void)connection, (void)code;
  serving_receiver *to = &((serving_engine *)context)->receiver;
  if (*request) to->end(to->context, *request);
  *request = NULL;
}

/// Rejects a client in the handshake if it does not present a properly signed certificate.
///
/// The library itself requests one and continues without it.
static void begun(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_ConnectionNotificationCode code) {
  (void)context, (void)state;
  if (code != MHD_CONNECTION_NOTIFY_STARTED) return;
  const union MHD_ConnectionInfo *info = http.info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (!info || !info->tls_session) return;
  const int required = 2;
  http.ask_client(info->tls_session, required);
  http.verify_client(info->tls_session, NULL, 0);
}

/// Leaves escapes undecoded: an escaped slash does not separate segments.
static size_t leave(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  return strlen(text);
}

/// The maximum number of connections of one thread of the library.
///
/// The library asks epoll for 128 ready files at a time; if exactly that many are ready, it continues to wait for more
/// before it serves any of them. A thread must therefore have fewer, including the listener and its own wake-up
/// descriptor.
static const unsigned connections_of_thread = 120;

static struct MHD_Daemon *start(serving_engine *engine, const serving_setup *setup, int listener, unsigned connections) {
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  if (setup->certificate) flags |= MHD_USE_TLS;
  struct MHD_OptionItem tls[] = {
    {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)setup->certificate},
    {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)setup->key},
    {setup->client_authorities ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0, (void *)setup->client_authorities},
    {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)begun, NULL},
    {MHD_OPTION_END, 0, NULL},
  };
  return http.start(
      flags, 0, NULL, NULL, take, engine, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, completed,
      engine, MHD_OPTION_UNESCAPE_CALLBACK, leave, NULL, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, setup->head_bytes, MHD_OPTION_CONNECTION_TIMEOUT, setup->idle_seconds,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, setup->certificate ? tls : tls + 4, MHD_OPTION_END);
}

static void release(serving_engine *engine) {
  for (unsigned place = 0; place < engine->thread_count; place++) {
    http.stop(engine->threads[place].daemon);
    if (engine->threads[place].listener >= 0) close(engine->threads[place].listener);
  }
  free(engine->threads);
  free(engine);
}

serving_engine *serving_start(serving_setup setup, serving_receiver receiver) {
  unsigned threads = setup.connections / connections_of_thread + (setup.connections % connections_of_thread > 0);
  serving_engine *engine = calloc(1, sizeof *engine);
  if (engine) engine->threads = calloc(threads, sizeof *engine->threads);
  if (!engine || !engine->threads) {
    close(setup.listener);
    free(engine);
    return NULL;
  }
  engine->receiver = receiver;
  unsigned connections = setup.connections;
  for (unsigned place = 0; place < threads; place++) {
    int listener = place + 1 < threads ? fcntl(setup.listener, F_DUPFD_CLOEXEC, 0) : setup.listener;
    unsigned share = connections / (threads - place);
    connections -= share;
    struct MHD_Daemon *daemon = listener < 0 ? NULL : start(engine, &setup, listener, share);
    if (!daemon) {
      // A listener that was handed over is closed by its new owner.
      if (place + 1 < threads) close(setup.listener);
      release(engine);
      return NULL;
    }
    engine->threads[place] = (serving_thread){daemon, -1};
    engine->thread_count = place + 1;
  }
  return engine;
}

void serving_quiesce(serving_engine *engine) {
  if (__atomic_exchange_n(&engine->is_quiet, 1, __ATOMIC_ACQ_REL)) return;
  for (unsigned place = 0; place < engine->thread_count; place++) {
    MHD_socket listener = http.quiesce(engine->threads[place].daemon);
    engine->threads[place].listener = listener == MHD_INVALID_SOCKET ? -1 : listener;
  }
  // Whoever connects is refused at once. It is closed when the threads have ended, as they may look at it still.
  int first = engine->threads[0].listener;
  if (first >= 0) shutdown(first, SHUT_RDWR);
}

static void *run_stop(void *box) {
  serving_engine *engine = box;
  void (*done)(void *) = engine->done;
  void *context = engine->done_context;
  release(engine);
  done(context);
  return NULL;
}

int serving_stop(serving_engine *engine, void (*done)(void *context), void *context) {
  engine->done = done;
  engine->done_context = context;
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_stop, engine) != 0) return 0;
  pthread_detach(thread);
  return 1;
}

typedef struct {
  void (*take)(void *context, const char *name, const char *value);
  void *context;
} field_taker;

static enum MHD_Result take_field(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  field_taker *to = context;
  to->take(to->context, name, value);
  return MHD_YES;
}

void serving_fields(
    serving_connection *connection, int is_query, void (*take)(void *context, const char *name, const char *value),
    void *context) {
  field_taker to = {take, context};
  http.values(inner(connection), is_query ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND, take_field, &to);
}

void serving_suspend(serving_connection *connection) { http.suspend(inner(connection)); }

void serving_resume(serving_connection *connection) { http.resume(inner(connection)); }

void serving_reset(serving_connection *connection) {
  const union MHD_ConnectionInfo *info = http.info(inner(connection), MHD_CONNECTION_INFO_CONNECTION_FD);
  // Taking the other end's address away from a connection ends it with a reset.
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  if (info) connect(info->connect_fd, &none, sizeof none);
}

void serving_write(serving_connection *connection, const uint8_t *bytes, size_t count) {
  const union MHD_ConnectionInfo *info = http.info(inner(connection), MHD_CONNECTION_INFO_CONNECTION_FD);
  while (info && count > 0) {
    ssize_t sent = send(info->connect_fd, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes += sent;
    count -= (size_t)sent;
  }
}

serving_answer *serving_answer_bytes(const uint8_t *bytes, size_t count) {
  return (serving_answer *)http.from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

typedef struct {
  serving_reader read;
  void *request;
} stream_source;

static ssize_t read_stream(void *context, uint64_t position, char *room, size_t count) {
  (void)position;
  stream_source *source = context;
  return source->read(source->request, (uint8_t *)room, count);
}

serving_answer *serving_answer_stream(serving_reader read, int64_t length, void *request) {
  stream_source *source = malloc(sizeof *source);
  if (!source) return NULL;
  *source = (stream_source){read, request};
  struct MHD_Response *response =
      http.from_callback(length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)length, 1 << 16, read_stream, source, free);
  if (!response) free(source);
  return (serving_answer *)response;
}

int serving_answer_field(serving_answer *answer, const char *name, const char *value) {
  return http.add_header((struct MHD_Response *)answer, name, value) == MHD_YES;
}

int serving_answer_send(serving_connection *connection, unsigned status, serving_answer *answer) {
  enum MHD_Result result = http.queue(inner(connection), status, (struct MHD_Response *)answer);
  http.destroy((struct MHD_Response *)answer);
  return result == MHD_YES;
}
