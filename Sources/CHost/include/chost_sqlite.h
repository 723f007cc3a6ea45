#ifndef WORKBENCH_CHOST_SQLITE_H
#define WORKBENCH_CHOST_SQLITE_H

#include <stdbool.h>

/// A new SQLite database that is written in one transaction, or a query of one that is read.
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

/// Opens a database for reading and prepares a query, which has one statement.
///
/// \param database must be zero; it is for `chost_sqlite_end` in any case.
/// \param uri the location of the database as `file:` URI, with its options.
/// \param is_missing true afterwards if SQLite is not installed.
/// \returns null, or the problem, valid until the next call.
const char *chost_sqlite_query(chost_sqlite *database, const char *uri, const char *query, bool *is_missing);

/// Reads the next row of a query.
///
/// \param has_row true afterwards if there is one.
/// \returns null, or the problem, valid until the next call.
const char *chost_sqlite_next(chost_sqlite *database, bool *has_row);

/// Returns the number of columns of a query.
int chost_sqlite_columns(const chost_sqlite *database);

/// Returns the name of a column, valid until the end.
const char *chost_sqlite_name(const chost_sqlite *database, int column);

/// Returns a value of the row as text, valid until the next row; null for NULL.
///
/// \param count the number of bytes afterwards, which may include zeros.
const char *chost_sqlite_text(const chost_sqlite *database, int column, int *count);

#endif
