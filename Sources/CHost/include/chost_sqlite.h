#ifndef WORKBENCH_CHOST_SQLITE_H
#define WORKBENCH_CHOST_SQLITE_H

#include <stdbool.h>

/// A new SQLite database that is written in one transaction.
typedef struct {
  void *connection;
  void *statement;
} chost_sqlite;

/// Opens SQLite at the first call, creates a database and prepares the statement that adds a row.
///
/// \param database must be zero; it is for `chost_sqlite_end` in any case.
/// \param schema the statements that create the tables.
/// \param insert the statement that adds a row.
/// \param is_missing true afterwards if SQLite is not installed.
/// \returns null, or the problem, valid until the next call.
const char *chost_sqlite_create(
  chost_sqlite *database, const char *path, const char *schema, const char *insert, bool *is_missing);

/// Adds a row of texts, of which a null pointer is NULL.
///
/// \returns null, or the problem, valid until the next call.
const char *chost_sqlite_add(chost_sqlite *database, const char *const texts[], int count);

/// Ends the transaction and closes the database.
///
/// \param commits true to keep the rows.
/// \returns null, or the problem.
const char *chost_sqlite_end(chost_sqlite *database, bool commits);

#endif
