#include "chost_sqlite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

// The host does not link SQLite: 'version' would load it.
static struct {
  int (*open_v2)(const char *, void **, int, const char *);
  int (*exec)(void *, const char *, void *, void *, char **);
  int (*prepare_v2)(void *, const char *, int, void **, const char **);
  int (*bind_text)(void *, int, const char *, int, void (*)(void *));
  int (*bind_null)(void *, int);
  int (*step)(void *);
  int (*reset)(void *);
  int (*finalize)(void *);
  const char *(*errmsg)(void *);
  int (*close_v2)(void *);
  int (*busy_timeout)(void *, int);
  int (*column_count)(void *);
  const char *(*column_name)(void *, int);
  const char *(*column_text)(void *, int);
  int (*column_bytes)(void *, int);
} sqlite;

enum {
  result_ok = 0,
  result_row = 100,
  result_done = 101,
  open_new = 0x00000002 | 0x00000004,      // SQLITE_OPEN_READWRITE | CREATE
  open_existing = 0x00000001 | 0x00000040  // SQLITE_OPEN_READONLY | URI
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_library(void) {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) ((*(void **)&sqlite.name = dlsym(library, "sqlite3_" #name)) != NULL)
  is_open = FIND(open_v2) && FIND(exec) && FIND(prepare_v2) && FIND(bind_text) && FIND(bind_null) && FIND(step) &&
    FIND(reset) && FIND(finalize) && FIND(errmsg) && FIND(close_v2) &&
    FIND(busy_timeout) && FIND(column_count) && FIND(column_name) && FIND(column_text) && FIND(column_bytes);
#undef FIND
}

static const char *problem(const chost_sqlite *database) {
  return database->connection ? sqlite.errmsg(database->connection) : "out of memory";
}

const char *chost_sqlite_create(
  chost_sqlite *database, const char *path, const char *schema, const char *insert, bool *is_missing) {
  pthread_once(&once, open_library);
  *is_missing = !is_open;
  if (!is_open) return "libsqlite3.so.0 cannot be opened";
  // The file has no name that anybody knows until it is complete, so it needs no journal.
  const char *start = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN";
  bool isCreated = sqlite.open_v2(path, &database->connection, open_new, NULL) == result_ok &&
    sqlite.exec(database->connection, start, NULL, NULL, NULL) == result_ok &&
    sqlite.exec(database->connection, schema, NULL, NULL, NULL) == result_ok &&
    sqlite.prepare_v2(database->connection, insert, -1, &database->statement, NULL) == result_ok;
  return isCreated ? NULL : problem(database);
}

const char *chost_sqlite_add(chost_sqlite *database, const char *const texts[], int count) {
  for (int index = 0; index < count; index++) {
    // The texts live until the statement is reset.
    int result = texts[index] ? sqlite.bind_text(database->statement, index + 1, texts[index], -1, NULL)
                              : sqlite.bind_null(database->statement, index + 1);
    if (result != result_ok) return problem(database);
  }
  int result = sqlite.step(database->statement);
  sqlite.reset(database->statement);
  return result == result_done ? NULL : problem(database);
}

const char *chost_sqlite_end(chost_sqlite *database, bool commits) {
  if (!database->connection) return NULL;
  sqlite.finalize(database->statement);
  bool isKept = !commits || sqlite.exec(database->connection, "COMMIT", NULL, NULL, NULL) == result_ok;
  bool isClosed = sqlite.close_v2(database->connection) == result_ok;
  *database = (chost_sqlite){NULL, NULL};
  return isKept && isClosed ? NULL : "the transaction cannot be completed";
}

const char *chost_sqlite_query(chost_sqlite *database, const char *uri, const char *query, bool *is_missing) {
  pthread_once(&once, open_library);
  *is_missing = !is_open;
  if (!is_open) return "libsqlite3.so.0 cannot be opened";
  const char *rest = NULL;
  // Another program may write for a moment.
  bool isPrepared = sqlite.open_v2(uri, &database->connection, open_existing, NULL) == result_ok &&
    sqlite.busy_timeout(database->connection, 5000) == result_ok &&
    sqlite.prepare_v2(database->connection, query, -1, &database->statement, &rest) == result_ok;
  if (!isPrepared) return problem(database);
  if (rest[strspn(rest, " \t\r\n;")]) return "more than one statement";
  return sqlite.column_count(database->statement) ? NULL : "the statement gives no rows";
}

const char *chost_sqlite_next(chost_sqlite *database, bool *has_row) {
  int result = sqlite.step(database->statement);
  *has_row = result == result_row;
  return *has_row || result == result_done ? NULL : problem(database);
}

int chost_sqlite_columns(const chost_sqlite *database) { return sqlite.column_count(database->statement); }

const char *chost_sqlite_name(const chost_sqlite *database, int column) {
  return sqlite.column_name(database->statement, column);
}

const char *chost_sqlite_text(const chost_sqlite *database, int column, int *count) {
  const char *text = sqlite.column_text(database->statement, column);
  *count = text ? sqlite.column_bytes(database->statement, column) : 0;
  return text;
}
