#ifndef WORKBENCH_CHOST_LUA_H
#define WORKBENCH_CHOST_LUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An interpreter of Lua 5.4, whose library is opened at the first use.
//
// Lua reports errors by longjmp, which must not pass through frames of Swift. So only this file's C functions call Lua:
// Swift gets requests and gives responses as bytes, and an error of a response is raised here, after the handler has
// returned. All functions but `chost_lua_stop` are for one thread.
//
// A value is a tag and its content; numbers are little-endian, counts have 8 bytes:
//   0 nil · 1 false · 2 true · 3 integer · 4 float · 5 string: count, bytes · 8 handle: id · 11 null
//   6 list: count, values. From Lua a table: count, values, count, fields, each with name as in 5 without tag, value
//   7 record: count, fields · 9 table: count, names, count of rows, values row by row · 10 object: class as a name, value

/// An interpreter.
typedef struct chost_lua chost_lua;

/// The reasons to end a script, which it cannot catch.
enum {
  chost_lua_stop_none = 0,
  /// The user or a time limit ended it.
  chost_lua_stop_canceled = 1,
  /// It ran more instructions than it may.
  chost_lua_stop_instructions = 2,
  /// It ended itself.
  chost_lua_stop_exit = 3,
  /// The results cannot be written.
  chost_lua_stop_output = 4
};

/// The outcomes of a script.
enum {
  chost_lua_finished = 0,
  /// An error that the script did not catch.
  chost_lua_failed = 1,
  /// The text is not valid Lua.
  chost_lua_syntax = 2,
  /// The memory limit was reached.
  chost_lua_memory = 3,
  /// A reason to stop.
  chost_lua_stopped = 4,
  /// An error in the conversion of an error to text.
  chost_lua_nested = 5
};

/// The statuses of a handler: the response has the results, or one value, the error.
enum { chost_lua_results = 0, chost_lua_error = 1, chost_lua_no_memory = 2 };

/// Handles a request of the script and responds by `chost_lua_respond`; returns a status.
///
/// \param bytes a count and as many values, valid during the call.
typedef int32_t (*chost_lua_handler)(
  void *context, chost_lua *lua, int32_t operation, const uint8_t *bytes, size_t count);

/// Releases what a handle stands for; does not wait.
///
/// \returns the bytes that are charged to the script from now on; negative if there are fewer.
typedef int64_t (*chost_lua_release)(void *context, uint64_t handle);

/// Opens the library at the first call.
///
/// \returns null, or the problem.
const char *chost_lua_library(void);

/// The limits of a script.
typedef struct {
  /// The largest number of bytes of the script's values.
  size_t memory;
  /// The largest number of instructions; 0 for no limit.
  uint64_t instructions;
} chost_lua_limits;

/// Creates an interpreter.
///
/// \returns null without the library or memory.
chost_lua *chost_lua_open(void *context, chost_lua_handler handler, chost_lua_release release, chost_lua_limits limits);

/// Runs a script to its end, once.
///
/// \param prelude Lua that prepares the script's surroundings and returns its arguments.
/// \param source the script.
/// \param name the script's file.
/// \param is_check true to check the syntax without running the script.
/// \returns an outcome.
int32_t chost_lua_run(
  chost_lua *lua, const char *prelude, size_t prelude_count, const char *source, size_t count, const char *name,
  bool is_check);

/// Responds to a request: a count and as many values, or the value of the error.
///
/// \returns false without memory.
bool chost_lua_respond(chost_lua *lua, const uint8_t *bytes, size_t count);

/// Charges memory that the host holds for the script, such as pictures; for a handler.
///
/// \param bytes the change of that memory.
/// \returns false if the script has too little memory left, even after a collection; then nothing is charged.
bool chost_lua_charge(chost_lua *lua, int64_t bytes);

/// Ends the script soon; for any thread while the interpreter is open. The first reason counts.
void chost_lua_stop(chost_lua *lua, int32_t reason);

/// Returns the reason to end the script.
int32_t chost_lua_stop_reason(const chost_lua *lua);

/// Returns the file and line of the last request or failure, `file:line`; empty if unknown.
const char *chost_lua_place(const chost_lua *lua);

/// Returns the failure: a count of 2 and the values, its text and the table that was thrown or nil.
const uint8_t *chost_lua_failure(const chost_lua *lua, size_t *count);

/// Frees an interpreter and all values of its script.
void chost_lua_close(chost_lua *lua);

#endif
