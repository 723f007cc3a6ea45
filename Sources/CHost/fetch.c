#include "chost_fetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Macros that check the types of variadic arguments would call the functions directly.
#undef curl_easy_setopt

// The host does not link libcurl, which brings OpenSSL, Kerberos and LDAP: 'version' would load them.
static struct {
  CURLcode (*global_init)(long);
  curl_version_info_data *(*version_info)(CURLversion);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_perform)(CURL *);
  const char *(*easy_strerror)(CURLcode);
} curl;

enum {
  oldest_version = 0x075800,
  connect_deadline_in_seconds = 15,
  stall_in_seconds = 30,
  most_redirects = 5
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_library(void) {
  // libcurl would write the secrets of every connection into that file.
  unsetenv("SSLKEYLOGFILE");
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) ((*(void **)&curl.name = dlsym(library, "curl_" #name)) != NULL)
  is_open = FIND(global_init) && FIND(version_info) && FIND(easy_init) && FIND(easy_cleanup) && FIND(easy_setopt) &&
    FIND(easy_perform) && FIND(easy_strerror) && curl.version_info(CURLVERSION_NOW)->version_num >= oldest_version &&
    curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
#undef FIND
}

typedef struct {
  chost_fetch_result result;
  size_t limit;
  bool (*is_canceled)(void *);
  void *context;
} download;

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  download *download = context;
  chost_fetch_result *result = &download->result;
  size_t length = size * count;
  if (length > download->limit - result->count) {
    result->end = chost_fetch_too_large;
    return 0;
  }
  uint8_t *longer = realloc(result->bytes, result->count + length);
  if (!longer) return 0;
  memcpy(longer + result->count, bytes, length);
  result->bytes = longer;
  result->count += length;
  return length;
}

static int follow(void *context, curl_off_t all, curl_off_t now, curl_off_t sent, curl_off_t to_send) {
  (void)all, (void)now, (void)sent, (void)to_send;
  download *download = context;
  if (!download->is_canceled(download->context)) return 0;
  download->result.end = chost_fetch_canceled;
  return 1;
}

static CURLcode perform(CURL *easy, const char *address, const char *user_agent, download *download) {
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
  if (code == CURLE_OK) code = curl.easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "https");
  if (code == CURLE_OK) code = curl.easy_setopt(easy, CURLOPT_URL, address);
  // What is older is not safe (RFC 8996).
  if (code == CURLE_OK) code = curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (code != CURLE_OK) return code;
  curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, download->result.message);
  curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl.easy_setopt(easy, CURLOPT_WRITEDATA, download);
  curl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, follow);
  curl.easy_setopt(easy, CURLOPT_XFERINFODATA, download);
  curl.easy_setopt(easy, CURLOPT_USERAGENT, user_agent);
  curl.easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl.easy_setopt(easy, CURLOPT_MAXREDIRS, (long)most_redirects);
  // Signals belong to the host.
  curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)connect_deadline_in_seconds);
  curl.easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl.easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)stall_in_seconds);
  return curl.easy_perform(easy);
}

chost_fetch_result chost_fetch(
  const char *address, const char *user_agent, size_t limit, bool (*is_canceled)(void *context), void *context) {
  download download = {.limit = limit, .is_canceled = is_canceled, .context = context};
  pthread_once(&once, open_library);
  CURL *easy = is_open ? curl.easy_init() : NULL;
  if (!easy) {
    download.result.end = chost_fetch_no_library;
    return download.result;
  }
  // libcurl writes up to CURL_ERROR_SIZE bytes of a message, which is the size of the field.
  _Static_assert(sizeof download.result.message >= CURL_ERROR_SIZE, "the message of libcurl needs its room");
  CURLcode code = perform(easy, address, user_agent, &download);
  curl.easy_cleanup(easy);
  chost_fetch_result result = download.result;
  if (code == CURLE_OK) return result;
  if (result.end == chost_fetch_done) result.end = chost_fetch_failed;
  if (!result.message[0]) snprintf(result.message, sizeof result.message, "%s", curl.easy_strerror(code));
  free(result.bytes);
  result.bytes = NULL;
  result.count = 0;
  return result;
}
