#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "curl.h"
#include "opening.h"
#include "transfer.h"

curl_functions curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  // libcurl would write the secrets of every connection into that file.
  unsetenv("SSLKEYLOGFILE");
  if (!opened_library_open(&library, "libcurl.so.4")) return;
  curl.global_init = find("curl_global_init");
  curl.version_info = find("curl_version_info");
  curl.easy_init = find("curl_easy_init");
  curl.easy_cleanup = find("curl_easy_cleanup");
  curl.easy_setopt = find("curl_easy_setopt");
  curl.easy_getinfo = find("curl_easy_getinfo");
  curl.easy_pause = find("curl_easy_pause");
  curl.easy_strerror = find("curl_easy_strerror");
  curl.slist_append = find("curl_slist_append");
  curl.slist_free_all = find("curl_slist_free_all");
  curl.multi_init = find("curl_multi_init");
  curl.multi_setopt = find("curl_multi_setopt");
  curl.multi_add_handle = find("curl_multi_add_handle");
  curl.multi_remove_handle = find("curl_multi_remove_handle");
  curl.multi_socket_action = find("curl_multi_socket_action");
  curl.multi_timeout = find("curl_multi_timeout");
  curl.multi_info_read = find("curl_multi_info_read");
  if (library.problem[0]) return;
  // In 7.87 a transfer that waits for news of its socket took minutes (curl issue 10146).
  if (curl.version_info(CURLVERSION_NOW)->version_num < 0x075800)
    snprintf(
        library.problem, sizeof library.problem, "its version %s is older than 7.88",
        curl.version_info(CURLVERSION_NOW)->version);
  else if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    snprintf(library.problem, sizeof library.problem, "it cannot be set up");
}

const char *transfer_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}

const char *transfer_library_version(void) {
  return transfer_open() ? "" : curl.version_info(CURLVERSION_NOW)->version;
}
