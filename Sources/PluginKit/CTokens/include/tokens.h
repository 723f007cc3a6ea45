#ifndef WORKBENCH_TOKENS_H
#define WORKBENCH_TOKENS_H

// What PluginJSON uses of yajl, which is opened at the first use.
//
// yajl finds the tokens and holds the grammar. Added to it are what it leaves open: a check of UTF-8 that knows long forms
// and surrogates, halves of surrogate pairs, places of errors, limits, and values whose text is passed on or passed over.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A parser that is fed in pieces.
typedef struct tokens_reader tokens_reader;

/// A receiver of an event. Numbers, texts, keys and raw text have bytes, which are valid only within the call.
///
/// Returns 1 to continue, or the result of `tokens_follow`.
typedef int (*tokens_taker)(void *context, const uint8_t *_Nullable bytes, size_t count);

typedef enum { TOKENS_STOP, TOKENS_SKIP, TOKENS_KEEP } tokens_flow;

/// The callbacks of yajl by kind; each returns 1 to continue.
typedef int (*tokens_text_call)(void *reader, const uint8_t *bytes, size_t count);
typedef int (*tokens_number_call)(void *reader, const char *bytes, size_t count);
typedef int (*tokens_mark_call)(void *reader);

/// The beginning of every reader: the state that an ordinary event needs, so that it passes from yajl to its receiver
/// in one call.
///
/// An event is ordinary if it is delivered, lies completely in the current piece, is within another value and within
/// the limits. yajl calls the functions of `tokens_setup.usual_...`; these record and deliver an ordinary event, and
/// pass any other to the function of its kind below.
typedef struct {
  /// The context of the setup.
  void *context;
  /// The current piece, and its number of bytes; 0 while events are not ordinary.
  const uint8_t *_Nullable feed;
  size_t usual_count;
  /// The end of the last text, number or literal of the piece.
  size_t text_end;
  size_t depth;
  size_t deepest;
} tokens_front;

typedef struct {
  void *_Nullable context;
  /// The receivers of events.
  tokens_taker _Nullable null, no, yes, number, string, key, begin_object, end_object, begin_array, end_array, raw;
  /// The callbacks of yajl, which handle ordinary events themselves.
  tokens_text_call _Nullable usual_string, usual_key;
  tokens_number_call _Nullable usual_number;
  tokens_mark_call _Nullable usual_begin_object, usual_end_object, usual_begin_array, usual_end_array;
  /// The maximum depth, and the maximum number of bytes of a number, a text, a key or raw text.
  size_t deepest;
  size_t longest;
  /// True if several values may follow each other.
  int is_sequence;
  /// True if an unpaired surrogate is an error; otherwise it becomes U+FFFD.
  int refuses_halves;
} tokens_setup;

typedef enum {
  TOKENS_FINE,
  /// The receiver stopped the reading.
  TOKENS_STOPPED,
  TOKENS_SYNTAX,
  TOKENS_TRAILING,
  TOKENS_TRUNCATED,
  TOKENS_NOT_UTF8,
  TOKENS_TOO_DEEP,
  TOKENS_TOO_LONG,
  TOKENS_HALF,
  TOKENS_NO_MEMORY,
} tokens_end;

typedef struct {
  tokens_end end;
  /// The 0-based offset in bytes.
  uint64_t offset;
  /// The line and the column in bytes, from 1.
  uint64_t line;
  uint64_t column;
  /// The message of yajl for a syntax error.
  char message[128];
} tokens_problem;

/// Opens yajl, once.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *_Nullable tokens_open(void);

/// Creates a reader; NULL without memory.
tokens_reader *_Nullable tokens_create(tokens_setup setup);

/// Reads a piece. Nothing may be pushed after a problem.
tokens_problem tokens_push(tokens_reader *_Nullable reader, const uint8_t *_Nullable bytes, size_t count);

/// Handle an event that is not ordinary; the reader is the context of yajl's call.
int tokens_take_string(void *reader, const uint8_t *bytes, size_t count);
int tokens_take_key(void *reader, const uint8_t *bytes, size_t count);
int tokens_take_number(void *reader, const char *bytes, size_t count);
int tokens_begin_object(void *reader);
int tokens_end_object(void *reader);
int tokens_begin_array(void *reader);
int tokens_end_array(void *reader);

/// Sets, within an event, what to do with the value of this key, or with the rest of what begins here.
int tokens_follow(tokens_reader *_Nullable reader, tokens_flow flow, int is_begin);

/// Ends the document.
tokens_problem tokens_finish(tokens_reader *_Nullable reader);

/// Returns the number of open objects and arrays, including skipped ones.
size_t tokens_depth(const tokens_reader *_Nullable reader);

/// Returns the number of surrogates replaced by U+FFFD, and the end of the first text with one.
uint64_t tokens_replaced(const tokens_reader *_Nullable reader, uint64_t *first);

void tokens_free(tokens_reader *reader);

#pragma clang assume_nonnull end

#endif
