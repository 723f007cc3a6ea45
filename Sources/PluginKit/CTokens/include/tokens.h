#ifndef WORKBENCH_TOKENS_H
#define WORKBENCH_TOKENS_H

// What PluginJSON uses of yajl, which is opened at the first use.
//
// yajl finds the tokens and holds the grammar. Added to it are what it leaves open: a check of UTF-8 that knows long forms
// and surrogates, halves of surrogate pairs, places of errors, limits, and values whose text is passed on or passed over.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A parser that is fed piece by piece.
typedef struct tokens_reader tokens_reader;

/// Takes an event; the bytes are good only within the call, and there are some with numbers, texts, keys and raw text.
///
/// Gives 1 to go on; to do otherwise, what `tokens_follow` gives.
typedef int (*tokens_taker)(void *context, const uint8_t *_Nullable bytes, size_t count);

typedef enum { TOKENS_STOP, TOKENS_SKIP, TOKENS_KEEP } tokens_flow;

/// What yajl calls, told by its kind; each gives 1 to go on.
typedef int (*tokens_text_call)(void *reader, const uint8_t *bytes, size_t count);
typedef int (*tokens_number_call)(void *reader, const char *bytes, size_t count);
typedef int (*tokens_mark_call)(void *reader);

/// The beginning of every reader: what the usual event needs, so that the way from yajl to its taker is one call.
///
/// An event is usual if it goes out, lies whole in the piece that is read, stands within another value and keeps the
/// limits. yajl calls the functions of `tokens_setup.usual_...`; these note a usual event here and take it, and give every
/// other to the function of its kind below.
typedef struct {
  /// That of the setup.
  void *context;
  /// The piece, and how many bytes it has; 0 while events are not usual.
  const uint8_t *_Nullable feed;
  size_t usual_count;
  /// Where the last text, number or literal of the piece ended.
  size_t text_end;
  size_t depth;
  size_t deepest;
} tokens_front;

typedef struct {
  void *_Nullable context;
  /// Take any event.
  tokens_taker _Nullable null, no, yes, number, string, key, begin_object, end_object, begin_array, end_array, raw;
  /// What yajl calls; these take usual events themselves.
  tokens_text_call _Nullable usual_string, usual_key;
  tokens_number_call _Nullable usual_number;
  tokens_mark_call _Nullable usual_begin_object, usual_end_object, usual_begin_array, usual_end_array;
  /// The most levels, and the most bytes of a number, a text, a key or raw text.
  size_t deepest;
  size_t longest;
  /// Whether values may follow each other.
  int is_sequence;
  /// Whether a half of a surrogate pair ends the reading; else it becomes U+FFFD.
  int refuses_halves;
} tokens_setup;

typedef enum {
  TOKENS_FINE,
  /// The receiver did not want more.
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
  /// Bytes before the place, from 0.
  uint64_t offset;
  /// From 1; the column in bytes.
  uint64_t line;
  uint64_t column;
  /// yajl's words for what the syntax lacks.
  char message[128];
} tokens_problem;

/// Opens yajl, once.
///
/// - Returns: NULL, or why it cannot be used.
const char *_Nullable tokens_open(void);

/// Makes a reader; NULL without memory.
tokens_reader *_Nullable tokens_create(tokens_setup setup);

/// Reads a piece. Nothing is to be pushed after a problem.
tokens_problem tokens_push(tokens_reader *_Nullable reader, const uint8_t *_Nullable bytes, size_t count);

/// Take an event that is not usual; the reader is what yajl called with.
int tokens_take_string(void *reader, const uint8_t *bytes, size_t count);
int tokens_take_key(void *reader, const uint8_t *bytes, size_t count);
int tokens_take_number(void *reader, const char *bytes, size_t count);
int tokens_begin_object(void *reader);
int tokens_end_object(void *reader);
int tokens_begin_array(void *reader);
int tokens_end_array(void *reader);

/// Says within an event what becomes of the value behind this key, or of the rest of what begins here.
int tokens_follow(tokens_reader *_Nullable reader, tokens_flow flow, int is_begin);

/// Says that there are no more pieces.
tokens_problem tokens_finish(tokens_reader *_Nullable reader);

/// How many objects and arrays are open, with those that are passed over.
size_t tokens_depth(const tokens_reader *_Nullable reader);

/// How many halves of surrogate pairs became U+FFFD, and where the first text with one ended.
uint64_t tokens_replaced(const tokens_reader *_Nullable reader, uint64_t *first);

void tokens_free(tokens_reader *reader);

#pragma clang assume_nonnull end

#endif
