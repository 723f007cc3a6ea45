#ifndef WORKBENCH_CSQLITE_H
#define WORKBENCH_CSQLITE_H

// The functions of SQLite that PluginStore uses. It is opened at first use: binding its 1,600 symbols takes most of a
// millisecond.

#include <sqlite3.h>

/// The functions of SQLite in use, without `sqlite3_`.
#define CSQLITE_FUNCTIONS(each)                                                                                       \
  each(backup_finish) each(backup_init) each(backup_step) each(bind_blob64) each(bind_double) each(bind_int64)        \
  each(bind_null) each(bind_parameter_count) each(bind_text64) each(busy_handler) each(changes64)                     \
  each(clear_bindings) each(close_v2) each(column_blob) each(column_bytes) each(column_count) each(column_double)     \
  each(column_int64) each(column_name) each(column_text) each(column_type) each(config) each(db_config)               \
  each(db_readonly) each(errmsg) each(extended_errcode) each(finalize) each(get_autocommit) each(interrupt)           \
  each(last_insert_rowid) each(open_v2) each(prepare_v3) each(reset) each(set_authorizer) each(step)                  \
  each(stmt_readonly) each(system_errno) each(total_changes64)

/// The functions; all are set once `csqlite_open` has returned NULL.
struct csqlite_functions {
#define CSQLITE_FIELD(name) __typeof__(sqlite3_##name) *name;
  CSQLITE_FUNCTIONS(CSQLITE_FIELD)
#undef CSQLITE_FIELD
};
extern struct csqlite_functions csqlite;

/// Opens SQLite, once, and turns off its memory statistics, which take a lock at every allocation.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *csqlite_open(void);

/// Turns on the protection of a connection from a hostile or damaged file. The function is variadic in SQLite and thus
/// needs C.
static inline int csqlite_harden(sqlite3 *connection) {
  int result = csqlite.db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) result = csqlite.db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (result == SQLITE_OK) result = csqlite.db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  if (result == SQLITE_OK) result = csqlite.db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  return result;
}

/// Binds text that SQLite copies; the macro SQLITE_TRANSIENT is not available to Swift.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
  return csqlite.bind_text64(statement, index, count ? (const char *)text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return csqlite.bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

// The other functions as SQLite has them.

static inline int csqlite_open_v2(const char *path, sqlite3 **connection, int flags, const char *vfs) {
  return csqlite.open_v2(path, connection, flags, vfs);
}
static inline int csqlite_close_v2(sqlite3 *connection) { return csqlite.close_v2(connection); }
static inline int csqlite_busy_handler(sqlite3 *connection, int (*handler)(void *, int), void *context) {
  return csqlite.busy_handler(connection, handler, context);
}
static inline int csqlite_set_authorizer(
    sqlite3 *connection,
    int (*judge)(void *, int, const char *, const char *, const char *, const char *), void *context) {
  return csqlite.set_authorizer(connection, judge, context);
}
static inline void csqlite_interrupt(sqlite3 *connection) { csqlite.interrupt(connection); }
static inline int csqlite_get_autocommit(sqlite3 *connection) { return csqlite.get_autocommit(connection); }
static inline int csqlite_db_readonly(sqlite3 *connection, const char *name) {
  return csqlite.db_readonly(connection, name);
}
static inline sqlite3_int64 csqlite_last_insert_rowid(sqlite3 *connection) {
  return csqlite.last_insert_rowid(connection);
}
static inline sqlite3_int64 csqlite_changes64(sqlite3 *connection) { return csqlite.changes64(connection); }
static inline sqlite3_int64 csqlite_total_changes64(sqlite3 *connection) {
  return csqlite.total_changes64(connection);
}
static inline int csqlite_extended_errcode(sqlite3 *connection) { return csqlite.extended_errcode(connection); }
static inline int csqlite_system_errno(sqlite3 *connection) { return csqlite.system_errno(connection); }
static inline const char *csqlite_errmsg(sqlite3 *connection) { return csqlite.errmsg(connection); }

static inline int csqlite_prepare_v3(
    sqlite3 *connection, const char *text, int count, unsigned int flags, sqlite3_stmt **statement, const char **tail) {
  return csqlite.prepare_v3(connection, text, count, flags, statement, tail);
}
static inline int csqlite_step(sqlite3_stmt *statement) { return csqlite.step(statement); }
static inline int csqlite_reset(sqlite3_stmt *statement) { return csqlite.reset(statement); }
static inline int csqlite_clear_bindings(sqlite3_stmt *statement) { return csqlite.clear_bindings(statement); }
static inline int csqlite_finalize(sqlite3_stmt *statement) { return csqlite.finalize(statement); }
static inline int csqlite_stmt_readonly(sqlite3_stmt *statement) { return csqlite.stmt_readonly(statement); }
static inline int csqlite_bind_parameter_count(sqlite3_stmt *statement) {
  return csqlite.bind_parameter_count(statement);
}
static inline int csqlite_bind_null(sqlite3_stmt *statement, int index) { return csqlite.bind_null(statement, index); }
static inline int csqlite_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 number) {
  return csqlite.bind_int64(statement, index, number);
}
static inline int csqlite_bind_double(sqlite3_stmt *statement, int index, double number) {
  return csqlite.bind_double(statement, index, number);
}
static inline int csqlite_column_count(sqlite3_stmt *statement) { return csqlite.column_count(statement); }
static inline const char *csqlite_column_name(sqlite3_stmt *statement, int column) {
  return csqlite.column_name(statement, column);
}
static inline int csqlite_column_type(sqlite3_stmt *statement, int column) {
  return csqlite.column_type(statement, column);
}
static inline sqlite3_int64 csqlite_column_int64(sqlite3_stmt *statement, int column) {
  return csqlite.column_int64(statement, column);
}
static inline double csqlite_column_double(sqlite3_stmt *statement, int column) {
  return csqlite.column_double(statement, column);
}
static inline const unsigned char *csqlite_column_text(sqlite3_stmt *statement, int column) {
  return csqlite.column_text(statement, column);
}
static inline const void *csqlite_column_blob(sqlite3_stmt *statement, int column) {
  return csqlite.column_blob(statement, column);
}
static inline int csqlite_column_bytes(sqlite3_stmt *statement, int column) {
  return csqlite.column_bytes(statement, column);
}

static inline sqlite3_backup *csqlite_backup_init(
    sqlite3 *target, const char *target_name, sqlite3 *source, const char *source_name) {
  return csqlite.backup_init(target, target_name, source, source_name);
}
static inline int csqlite_backup_step(sqlite3_backup *backup, int pages) { return csqlite.backup_step(backup, pages); }
static inline int csqlite_backup_finish(sqlite3_backup *backup) { return csqlite.backup_finish(backup); }

/// Result codes that SQLite computes in macros, which are not available to Swift.
static const int csqlite_ioerr_short_read = SQLITE_IOERR_SHORT_READ;
static const int csqlite_constraint_foreignkey = SQLITE_CONSTRAINT_FOREIGNKEY;

#endif
