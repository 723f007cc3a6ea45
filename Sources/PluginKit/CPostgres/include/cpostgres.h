#ifndef WORKBENCH_CPOSTGRES_H
#define WORKBENCH_CPOSTGRES_H

// The functions of libpq that PluginPostgres uses. It is opened at first use: it brings OpenSSL, Kerberos and LDAP.
//
// Declared here and not by libpq's headers, so that building needs no other package; libpq.so.5 has had these
// functions since PostgreSQL 9.6 and keeps them.
//
// - Source: PostgreSQL 15, chapter 34, and libpq-fe.h.

#include <stddef.h>

typedef struct cpostgres_connection cpostgres_connection;
typedef struct cpostgres_result cpostgres_result;
typedef struct cpostgres_cancel cpostgres_cancel;

/// An option of a connection (PQconninfoOption).
typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  /// The value; NULL if the address does not have it.
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} cpostgres_option;

/// A notification (PGnotify).
typedef struct cpostgres_notice {
  char *relname;
  int be_pid;
  char *extra;
  struct cpostgres_notice *next;
} cpostgres_notice;

typedef void (*cpostgres_receiver)(void *context, const cpostgres_result *result);

/// Each function as (type of the result, name without PQ, parameters).
#define CPOSTGRES_FUNCTIONS(each)                                                                                     \
  each(cpostgres_option *, conninfoParse, (const char *address, char **problem))                                      \
  each(void, conninfoFree, (cpostgres_option *options))                                                               \
  each(cpostgres_connection *, connectStartParams,                                                                    \
       (const char *const *keywords, const char *const *values, int expands))                                         \
  each(int, connectPoll, (cpostgres_connection *connection))                                                          \
  each(void, finish, (cpostgres_connection *connection))                                                              \
  each(int, status, (const cpostgres_connection *connection))                                                         \
  each(int, transactionStatus, (const cpostgres_connection *connection))                                              \
  each(int, socket, (const cpostgres_connection *connection))                                                         \
  each(int, connectionNeedsPassword, (const cpostgres_connection *connection))                                        \
  each(char *, errorMessage, (const cpostgres_connection *connection))                                                \
  each(int, setErrorVerbosity, (cpostgres_connection *connection, int verbosity))                                     \
  each(cpostgres_receiver, setNoticeReceiver,                                                                         \
       (cpostgres_connection *connection, cpostgres_receiver receiver, void *context))                                \
  each(int, setnonblocking, (cpostgres_connection *connection, int isNonblocking))                                    \
  each(int, sendQuery, (cpostgres_connection *connection, const char *command))                                       \
  each(int, sendQueryParams,                                                                                          \
       (cpostgres_connection *connection, const char *command, int count, const unsigned *types,                      \
        const char *const *values, const int *lengths, const int *formats, int resultFormat))                         \
  each(int, setSingleRowMode, (cpostgres_connection *connection))                                                     \
  each(int, flush, (cpostgres_connection *connection))                                                                \
  each(int, isBusy, (cpostgres_connection *connection))                                                               \
  each(int, consumeInput, (cpostgres_connection *connection))                                                         \
  each(cpostgres_result *, getResult, (cpostgres_connection *connection))                                             \
  each(int, putCopyData, (cpostgres_connection *connection, const char *bytes, int count))                            \
  each(int, putCopyEnd, (cpostgres_connection *connection, const char *problem))                                      \
  each(int, getCopyData, (cpostgres_connection *connection, char **bytes, int isAsync))                               \
  each(cpostgres_notice *, notifies, (cpostgres_connection *connection))                                              \
  each(cpostgres_cancel *, getCancel, (cpostgres_connection *connection))                                             \
  each(void, freeCancel, (cpostgres_cancel *cancel))                                                                  \
  each(int, cancel, (cpostgres_cancel *cancel, char *problem, int size))                                              \
  each(int, resultStatus, (const cpostgres_result *result))                                                           \
  each(char *, resultErrorField, (const cpostgres_result *result, int field))                                         \
  each(char *, resultErrorMessage, (const cpostgres_result *result))                                                  \
  each(char *, cmdTuples, (cpostgres_result *result))                                                                 \
  each(int, ntuples, (const cpostgres_result *result))                                                                \
  each(int, nfields, (const cpostgres_result *result))                                                                \
  each(char *, fname, (const cpostgres_result *result, int column))                                                   \
  each(unsigned, ftype, (const cpostgres_result *result, int column))                                                 \
  each(int, getisnull, (const cpostgres_result *result, int row, int column))                                         \
  each(int, getlength, (const cpostgres_result *result, int row, int column))                                         \
  each(char *, getvalue, (const cpostgres_result *result, int row, int column))                                       \
  each(void, clear, (cpostgres_result *result))                                                                       \
  each(void, freemem, (void *memory))

/// The functions of libpq.
struct cpostgres_functions {
#define CPOSTGRES_FIELD(type, name, parameters) type(*name) parameters;
  CPOSTGRES_FUNCTIONS(CPOSTGRES_FIELD)
#undef CPOSTGRES_FIELD
};

/// Opens libpq, once.
///
/// - Parameter problem: Afterwards the reason why it cannot be used; NULL if it can.
/// - Returns: Its functions, which may be called only if there is no problem.
const struct cpostgres_functions *cpostgres_open(const char **problem);

/// Drops notices and warnings of the server, which libpq would write to standard error.
void cpostgres_ignore(void *context, const cpostgres_result *result);

#endif
