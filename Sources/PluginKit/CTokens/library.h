#ifndef WORKBENCH_TOKENS_LIBRARY_H
#define WORKBENCH_TOKENS_LIBRARY_H

#include <yajl/yajl_parse.h>

/// The functions of yajl, set once `tokens_open` has returned NULL.
extern struct yajl_functions {
  yajl_handle (*alloc)(const yajl_callbacks *, yajl_alloc_funcs *, void *);
  int (*config)(yajl_handle, yajl_option, ...);
  void (*free)(yajl_handle);
  yajl_status (*parse)(yajl_handle, const unsigned char *, size_t);
  yajl_status (*complete)(yajl_handle);
  unsigned char *(*get_error)(yajl_handle, int, const unsigned char *, size_t);
  void (*free_error)(yajl_handle, unsigned char *);
  size_t (*consumed)(yajl_handle);
} yajl;

#endif
