#include "library.h"

#include <pthread.h>

#include "opening.h"
#include "tokens.h"

struct yajl_functions yajl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  if (!opened_library_open(&library, "libyajl.so.2")) return;
  yajl.alloc = find("yajl_alloc");
  yajl.config = find("yajl_config");
  yajl.free = find("yajl_free");
  yajl.parse = find("yajl_parse");
  yajl.complete = find("yajl_complete_parse");
  yajl.get_error = find("yajl_get_error");
  yajl.free_error = find("yajl_free_error");
  yajl.consumed = find("yajl_get_bytes_consumed");
}

const char *tokens_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}
