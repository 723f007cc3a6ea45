#include "cpostgres.h"

#include "opening.h"

#include <pthread.h>

static struct cpostgres_functions functions;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void open_library(void) {
  if (!opened_library_open(&library, "libpq.so.5")) return;
#define FIND(type, name, parameters) *(void **)&functions.name = opened_library_find(&library, "PQ" #name);
  CPOSTGRES_FUNCTIONS(FIND)
#undef FIND
}

const struct cpostgres_functions *cpostgres_open(const char **problem) {
  pthread_once(&once, open_library);
  *problem = library.problem[0] ? library.problem : NULL;
  return &functions;
}

void cpostgres_ignore(void *context, const cpostgres_result *result) {
  (void)context;
  (void)result;
}
