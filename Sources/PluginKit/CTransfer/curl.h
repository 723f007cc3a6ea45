#ifndef WORKBENCH_TRANSFER_CURL_H
#define WORKBENCH_TRANSFER_CURL_H

#include <curl/curl.h>

// Macros that check the types of variadic arguments would call the functions directly.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

/// The functions of libcurl that are used.
typedef struct {
  CURLcode (*global_init)(long);
  curl_version_info_data *(*version_info)(CURLversion);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  const char *(*easy_strerror)(CURLcode);
  CURLcode (*easy_pause)(CURL *, int);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_socket_action)(CURLM *, curl_socket_t, int, int *);
  CURLMcode (*multi_timeout)(CURLM *, long *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
} curl_functions;

/// libcurl's functions; NULL until it is open.
extern curl_functions curl;

#endif
