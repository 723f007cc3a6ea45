#include "transfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "curl.h"

// The library's other way, to ask all sockets after each piece of news, takes longer with each transfer that waits.
struct transfer_engine {
  CURLM *multi;
  /// All sockets of transfers, and the wake-up descriptor.
  int sockets;
  /// The descriptor that ends a wait from another thread.
  int bell;
};

struct transfer {
  CURL *easy;
  struct curl_slist *headers;
  transfer_receiver receiver;
  int is_stopped;
  char message[CURL_ERROR_SIZE];
};

static size_t take_header(char *line, size_t size, size_t count, void *context) {
  transfer *transfer = context;
  return transfer->receiver.header(transfer->receiver.context, line, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  transfer *transfer = context;
  switch (transfer->receiver.body(transfer->receiver.context, (const uint8_t *)bytes, size * count)) {
    case TRANSFER_MORE: break;
    case TRANSFER_ENOUGH: transfer->is_stopped = 1; return 0;
    // The other way, to answer that there is a pause, would bring the same piece again.
    case TRANSFER_PAUSE: curl.easy_pause(transfer->easy, CURLPAUSE_RECV); break;
  }
  return size * count;
}

static transfer_end end_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return TRANSFER_DONE;
    case CURLE_URL_MALFORMAT: return TRANSFER_BAD_ADDRESS;
    case CURLE_UNSUPPORTED_PROTOCOL: return TRANSFER_PROTOCOL_REFUSED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return TRANSFER_NOT_RESOLVED;
    case CURLE_COULDNT_CONNECT: return TRANSFER_NOT_CONNECTED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return TRANSFER_TLS;
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return TRANSFER_PIN_MISMATCH;
    case CURLE_OPERATION_TIMEDOUT: return TRANSFER_TIMED_OUT;
    case CURLE_TOO_MANY_REDIRECTS: return TRANSFER_TOO_MANY_REDIRECTS;
    case CURLE_FILESIZE_EXCEEDED: return TRANSFER_TOO_LARGE;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return TRANSFER_CUT_SHORT;
    case CURLE_BAD_CONTENT_ENCODING: return TRANSFER_BAD_ENCODING;
    case CURLE_OUT_OF_MEMORY: return TRANSFER_NO_MEMORY;
    default: return TRANSFER_FAILED;
  }
}

static void set_answer(transfer *transfer) {
  curl.easy_setopt(transfer->easy, CURLOPT_ERRORBUFFER, transfer->message);
  curl.easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
  curl.easy_setopt(transfer->easy, CURLOPT_HEADERFUNCTION, take_header);
  curl.easy_setopt(transfer->easy, CURLOPT_HEADERDATA, transfer);
  curl.easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, take_body);
  curl.easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
}

static void set_question(CURL *easy, const transfer_request *request) {
  if (request->body) {
    curl.easy_setopt(easy, CURLOPT_POST, 1L);
    curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
  }
  if (request->method && strcmp(request->method, "HEAD") == 0)
    curl.easy_setopt(easy, CURLOPT_NOBODY, 1L);
  else if (request->method)
    curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  curl.easy_setopt(easy, CURLOPT_USERAGENT, request->user_agent);
  if (request->decodes) curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static void set_limits(CURL *easy, const transfer_request *request) {
  curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  // Signals belong to the host.
  curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without it the end of a transfer waits for the system's resolver.
  curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, request->redirects > 0 ? 1L : 0L);
  curl.easy_setopt(easy, CURLOPT_MAXREDIRS, request->redirects);
  curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->deadline_in_milliseconds);
  curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_deadline_in_milliseconds);
  if (request->stall_in_seconds > 0) {
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->stall_in_seconds);
  }
  if (request->body_limit > 0)
    curl.easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->body_limit);
  curl.easy_setopt(easy, CURLOPT_BUFFERSIZE, request->buffer_in_bytes);
  if (request->only_connects) {
    curl.easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl.easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl.easy_setopt(easy, CURLOPT_CERTINFO, 1L);
  }
  if (request->is_fresh) curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  if (request->is_direct) curl.easy_setopt(easy, CURLOPT_PROXY, "");
}

static CURLcode set_trust(CURL *easy, const transfer_request *request) {
  CURLcode code = CURLE_OK;
  // What is older is not safe (RFC 8996).
  curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (request->only_connects && request->trusts_anybody) {
    curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    curl.easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  }
  if (request->certificates) code = curl.easy_setopt(easy, CURLOPT_CAINFO, request->certificates);
  if (code == CURLE_OK && request->client_certificate)
    code = curl.easy_setopt(easy, CURLOPT_SSLCERT, request->client_certificate);
  if (code == CURLE_OK && request->client_key) code = curl.easy_setopt(easy, CURLOPT_SSLKEY, request->client_key);
  if (code == CURLE_OK && request->pins) {
    code = curl.easy_setopt(easy, CURLOPT_PINNEDPUBLICKEY, request->pins);
    // Only with the pins set: without them every server would be trusted.
    if (code == CURLE_OK && request->trusts_pins_alone) {
      curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
      curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
  }
  return code;
}

static CURLcode set_up(transfer *transfer, const transfer_request *request) {
  CURL *easy = transfer->easy;
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, request->protocols);
  if (code == CURLE_OK) code = curl.easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, request->redirect_protocols);
  if (code == CURLE_OK) code = curl.easy_setopt(easy, CURLOPT_URL, request->address);
  if (code == CURLE_OK) code = set_trust(easy, request);
  if (code != CURLE_OK) return code;
  for (size_t index = 0; index < request->header_count; index++) {
    struct curl_slist *longer = curl.slist_append(transfer->headers, request->headers[index]);
    if (!longer) return CURLE_OUT_OF_MEMORY;
    transfer->headers = longer;
  }
  set_answer(transfer);
  set_question(easy, request);
  set_limits(easy, request);
  return curl.easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
}

static void release(transfer *transfer) {
  if (transfer->easy) curl.easy_cleanup(transfer->easy);
  if (transfer->headers) curl.slist_free_all(transfer->headers);
  free(transfer);
}

static void fill(transfer_outcome *outcome, transfer *transfer, CURLcode code) {
  memset(outcome, 0, sizeof *outcome);
  outcome->transfer = transfer;
  outcome->end = end_of(code);
  const char *words = transfer && transfer->message[0] ? transfer->message : curl.easy_strerror(code);
  snprintf(outcome->message, sizeof outcome->message, "%s", words);
  if (!transfer) return;
  outcome->context = transfer->receiver.context;
  if (transfer->is_stopped) outcome->end = TRANSFER_STOPPED;
  if (transfer->easy) {
    curl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &outcome->status);
    curl.easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &outcome->system_error);
    long size = 0;
    curl.easy_getinfo(transfer->easy, CURLINFO_REQUEST_SIZE, &size);
    outcome->is_sent = size > 0;
  }
}

// Returns the number of idle connections to keep: few enough that the process has file descriptors left for others.
static long kept_connections(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 128;
  if (limit.rlim_cur / 4 > 512) return 512;
  return limit.rlim_cur / 4 < 16 ? 16 : (long)(limit.rlim_cur / 4);
}

/// Watches a socket as the library requests.
static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *of_socket) {
  (void)easy, (void)of_socket;
  transfer_engine *engine = context;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(engine->sockets, EPOLL_CTL_DEL, socket, NULL);
    return 0;
  }
  struct epoll_event event = {.data.fd = socket};
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (epoll_ctl(engine->sockets, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT)
    epoll_ctl(engine->sockets, EPOLL_CTL_ADD, socket, &event);
  // What cannot be followed ends by its deadline; to say so here would end all other transfers too.
  return 0;
}

/// Opens a socket that child processes do not inherit: an inherited one would keep reporting events while the child
/// holds it open.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

transfer_engine *transfer_engine_create(void) {
  if (transfer_open()) return NULL;
  transfer_engine *engine = calloc(1, sizeof *engine);
  if (!engine) return NULL;
  engine->sockets = epoll_create1(EPOLL_CLOEXEC);
  engine->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct epoll_event bell = {.events = EPOLLIN, .data.fd = engine->bell};
  if (epoll_ctl(engine->sockets, EPOLL_CTL_ADD, engine->bell, &bell) == 0) engine->multi = curl.multi_init();
  if (engine->multi) {
    curl.multi_setopt(engine->multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl.multi_setopt(engine->multi, CURLMOPT_SOCKETDATA, engine);
    // Otherwise only four times as many as transfers run are kept, and those of other plugins close one's own.
    curl.multi_setopt(engine->multi, CURLMOPT_MAXCONNECTS, kept_connections());
    return engine;
  }
  if (engine->sockets >= 0) close(engine->sockets);
  if (engine->bell >= 0) close(engine->bell);
  free(engine);
  return NULL;
}

transfer *transfer_begin(
    transfer_engine *engine, const transfer_request *request, transfer_receiver receiver, transfer_outcome *outcome) {
  transfer *transfer = calloc(1, sizeof *transfer);
  if (transfer) transfer->easy = curl.easy_init();
  if (!transfer || !transfer->easy) {
    fill(outcome, NULL, CURLE_OUT_OF_MEMORY);
    free(transfer);
    return NULL;
  }
  transfer->receiver = receiver;
  CURLcode code = set_up(transfer, request);
  if (code == CURLE_OK && curl.multi_add_handle(engine->multi, transfer->easy) != CURLM_OK) code = CURLE_FAILED_INIT;
  if (code == CURLE_OK) return transfer;
  fill(outcome, transfer, code);
  outcome->transfer = NULL;
  release(transfer);
  return NULL;
}

void transfer_free(transfer_engine *engine, transfer *transfer) {
  curl.multi_remove_handle(engine->multi, transfer->easy);
  release(transfer);
}

int transfer_resume(transfer *transfer, transfer_outcome *outcome) {
  CURLcode code = curl.easy_pause(transfer->easy, CURLPAUSE_CONT);
  if (code == CURLE_OK && !transfer->is_stopped) return 1;
  fill(outcome, transfer, code);
  return 0;
}

void transfer_engine_run(transfer_engine *engine, int wait_in_milliseconds) {
  struct epoll_event events[64];
  long due = -1;
  int running = 0;
  curl.multi_timeout(engine->multi, &due);
  int wait = due >= 0 && due < wait_in_milliseconds ? (int)due : wait_in_milliseconds;
  int count = epoll_wait(engine->sockets, events, sizeof events / sizeof *events, wait);
  for (int place = 0; place < count; place++) {
    if (events[place].data.fd == engine->bell) {
      uint64_t rings;
      while (read(engine->bell, &rings, sizeof rings) > 0) continue;
      continue;
    }
    // Of what is neither the library finds out by itself what it is.
    uint32_t news = events[place].events;
    int known = (news & EPOLLIN ? CURL_CSELECT_IN : 0) | (news & EPOLLOUT ? CURL_CSELECT_OUT : 0);
    curl.multi_socket_action(engine->multi, events[place].data.fd, known, &running);
  }
  curl.multi_timeout(engine->multi, &due);
  if (due == 0) curl.multi_socket_action(engine->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

int transfer_engine_next(transfer_engine *engine, transfer_outcome *outcome) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl.multi_info_read(engine->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    char *transfer = NULL;
    curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    fill(outcome, (struct transfer *)transfer, code);
    return 1;
  }
  return 0;
}

void transfer_engine_wake(transfer_engine *engine) {
  uint64_t ring = 1;
  ssize_t count = write(engine->bell, &ring, sizeof ring);
  // A bell that is full rings already.
  (void)count;
}

const char *transfer_final_address(transfer *transfer) {
  char *address = NULL;
  curl.easy_getinfo(transfer->easy, CURLINFO_EFFECTIVE_URL, &address);
  return address;
}

const char *transfer_certificate(transfer *transfer, const char *name) {
  struct curl_certinfo *chain = NULL;
  curl.easy_getinfo(transfer->easy, CURLINFO_CERTINFO, &chain);
  if (!chain || chain->num_of_certs < 1) return NULL;
  size_t length = strlen(name);
  for (const struct curl_slist *line = chain->certinfo[0]; line; line = line->next)
    if (strncmp(line->data, name, length) == 0 && line->data[length] == ':') return line->data + length + 1;
  return NULL;
}

int64_t transfer_stated_length(transfer *transfer) {
  curl_off_t length = -1;
  curl.easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return length;
}
