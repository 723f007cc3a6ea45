#include "csqlite.h"

#include "opening.h"

#include <pthread.h>
#include <stddef.h>

struct csqlite_functions csqlite;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void open_library(void) {
  if (!opened_library_open(&library, "libsqlite3.so.0")) return;
#define FIND(name) csqlite.name = opened_library_find(&library, "sqlite3_" #name);
  CSQLITE_FUNCTIONS(FIND)
#undef FIND
  // Refused if code in the process has used SQLite before: then it keeps its statistics.
  if (!library.problem[0]) csqlite.config(SQLITE_CONFIG_MEMSTATUS, 0);
}

const char *csqlite_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}
