#define _GNU_SOURCE
#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "escapes.h"
#include "library.h"

/// The treatment of events: they are delivered; those of the next or of the current value are not.
typedef enum { DELIVER, SKIP_NEXT, KEEP_NEXT, SKIPPING, KEEPING } reading_mode;

/// Bytes as written; texts include their quotes.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} raw_text;

struct tokens_reader {
  tokens_front front;
  tokens_setup setup;
  yajl_callbacks callbacks;
  yajl_handle handle;
  tokens_problem problem;
  utf8_state utf8;
  /// The number of bytes of the UTF-8 byte order mark read so far; 4 once the text has begun.
  int mark;
  /// True if a top-level value has ended, with the end of the last one.
  int is_done;
  uint64_t root_end;
  reading_mode mode;
  /// The depth at which skipping or keeping ends.
  size_t passed_depth;
  uint64_t replaced;
  uint64_t first_replaced;

  /// The number of bytes before the current piece, its preceding line feeds, and the index after the last of them.
  uint64_t piece_at;
  uint64_t lines;
  uint64_t line_at;
  const uint8_t *piece;
  size_t piece_count;

  /// The number of bytes that yajl is reading, and their address.
  size_t feed_count;
  uint64_t feed_at;

  /// A token that began in an earlier piece, from its first byte, and how much of it yajl knows. yajl reads all it has
  /// of a token again with every piece, so it gets the rest only when the token is complete.
  byte_buffer held;
  size_t held_fed;
  int held_is_text;
  int held_is_escaped;
  /// The number of escapes in it.
  size_t held_escapes;
  uint64_t held_at;
  /// True if yajl has the beginning of a token given by `held_at`.
  int is_pending;

  /// The raw text that is kept: the part in earlier pieces, and the index where it continues in this one.
  byte_buffer kept;
  size_t kept_from;
  byte_buffer undone;
};

static int fail(tokens_reader *reader, tokens_end end, uint64_t offset) {
  if (!reader->problem.end) {
    reader->problem.end = end;
    reader->problem.offset = offset;
  }
  return 0;
}

/// Returns the end of the token that yajl just reported.
static size_t token_end(const tokens_reader *reader) { return yajl.consumed(reader->handle); }

static uint64_t here(const tokens_reader *reader) { return reader->feed_at + token_end(reader); }

/// Updates whether events are ordinary, after the piece, the mode or the depth changed.
static void note_usual(tokens_reader *reader) {
  // A token completely in a piece is not longer than the piece.
  int is_usual = reader->mode == DELIVER && reader->front.depth > 0 && reader->feed_count <= reader->setup.longest;
  reader->front.usual_count = is_usual ? reader->feed_count : 0;
}

static void set_mode(tokens_reader *reader, reading_mode mode) {
  reader->mode = mode;
  note_usual(reader);
}

int tokens_follow(tokens_reader *reader, tokens_flow flow, int is_begin) {
  if (flow == TOKENS_STOP) return fail(reader, TOKENS_STOPPED, here(reader));
  if (!is_begin) {
    set_mode(reader, flow == TOKENS_SKIP ? SKIP_NEXT : KEEP_NEXT);
    return 1;
  }
  set_mode(reader, flow == TOKENS_SKIP ? SKIPPING : KEEPING);
  reader->passed_depth = reader->front.depth - 1;
  reader->kept_from = token_end(reader) - 1;
  return 1;
}

static int deliver(tokens_reader *reader, tokens_taker taker, const uint8_t *bytes, size_t count) {
  if (count > reader->setup.longest) return fail(reader, TOKENS_TOO_LONG, here(reader));
  return taker(reader->setup.context, bytes, count);
}

/// Begins a top-level value, which must be separated from the one before.
static int begin_root(tokens_reader *reader, size_t count) {
  uint64_t start = here(reader) - count;
  if (!reader->is_done || start > reader->root_end) return 1;
  snprintf(reader->problem.message, sizeof reader->problem.message, "values must be apart");
  return fail(reader, TOKENS_SYNTAX, start);
}

static void end_root(tokens_reader *reader) {
  reader->is_done = 1;
  reader->root_end = here(reader);
}

/// Handles a value without nested ones.
static int scalar(tokens_reader *reader, tokens_taker taker, const uint8_t *bytes, size_t count, raw_text raw) {
  reader->is_pending = 0;
  if (reader->front.depth == 0) {
    if (!begin_root(reader, raw.count)) return 0;
    end_root(reader);
  }
  if (reader->mode == DELIVER) return deliver(reader, taker, bytes, count);
  if (reader->mode > KEEP_NEXT) return 1;
  int is_kept = reader->mode == KEEP_NEXT;
  set_mode(reader, DELIVER);
  return is_kept ? deliver(reader, reader->setup.raw, raw.bytes, raw.count) : 1;
}

static int literal(tokens_reader *reader, tokens_taker taker, const char *raw) {
  reader->front.text_end = token_end(reader);
  return scalar(reader, taker, NULL, 0, (raw_text){(const uint8_t *)raw, strlen(raw)});
}

static int take_null(void *context) { return literal(context, ((tokens_reader *)context)->setup.null, "null"); }

static int take_bool(void *context, int flag) {
  tokens_reader *reader = context;
  return literal(reader, flag ? reader->setup.yes : reader->setup.no, flag ? "true" : "false");
}

/// Returns true if bytes lie in the part that yajl is reading.
static int is_in_feed(const tokens_reader *reader, const uint8_t *bytes) {
  return (uintptr_t)bytes - (uintptr_t)reader->front.feed < reader->feed_count;
}

int tokens_take_number(void *context, const char *text, size_t count) {
  tokens_reader *reader = context;
  const uint8_t *bytes = (const uint8_t *)text;
  if (!is_in_feed(reader, bytes)) reader->front.text_end = token_end(reader);
  else reader->front.text_end = (size_t)(bytes - reader->front.feed) + count;
  return scalar(reader, reader->setup.number, bytes, count, (raw_text){bytes, count});
}

/// Finds the raw form of a text that has escapes or began in an earlier piece.
static raw_text find_raw(tokens_reader *reader) {
  size_t from = reader->front.text_end;
  reader->front.text_end = token_end(reader);
  if (reader->is_pending) return (raw_text){reader->held.start, reader->held.count};
  // Between the last text, number or literal and this one there is no other quote.
  while (reader->front.feed[from] != '"') from++;
  return (raw_text){reader->front.feed + from, reader->front.text_end - from};
}

/// Unescapes a text with unpaired surrogates: yajl takes any escape after a high surrogate for the low one, and writes
/// a lone low one unchanged.
static int undo_halves(tokens_reader *reader, raw_text raw) {
  int64_t replaced = escapes_undo(raw.bytes + 1, raw.count - 2, &reader->undone);
  if (replaced < 0) return fail(reader, TOKENS_NO_MEMORY, here(reader));
  if (replaced > 0 && reader->setup.refuses_halves) return fail(reader, TOKENS_HALF, here(reader));
  if (replaced > 0 && reader->replaced == 0) reader->first_replaced = here(reader);
  reader->replaced += (uint64_t)replaced;
  return 1;
}

static int escaped_string(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  // The ordinary text, whose raw form does not matter.
  if (reader->mode == DELIVER && reader->front.depth > 0 && escapes_left_no_half(bytes, count)) {
    reader->front.text_end = token_end(reader);
    reader->is_pending = 0;
    return deliver(reader, reader->setup.string, bytes, count);
  }
  raw_text raw = find_raw(reader);
  if (!escapes_have_halves(raw.bytes + 1, raw.count - 2))
    return scalar(reader, reader->setup.string, bytes, count, raw);
  if (!undo_halves(reader, raw)) return 0;
  return scalar(reader, reader->setup.string, reader->undone.start, reader->undone.count, raw);
}

int tokens_take_string(void *context, const uint8_t *bytes, size_t count) {
  tokens_reader *reader = context;
  if (!is_in_feed(reader, bytes)) return escaped_string(reader, bytes, count);
  reader->front.text_end = (size_t)(bytes - reader->front.feed) + count + 1;
  return scalar(reader, reader->setup.string, bytes, count, (raw_text){bytes - 1, count + 2});
}

static int key(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  reader->is_pending = 0;
  return reader->mode != DELIVER ? 1 : deliver(reader, reader->setup.key, bytes, count);
}

static int escaped_key(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  raw_text raw = find_raw(reader);
  if (!escapes_have_halves(raw.bytes + 1, raw.count - 2)) return key(reader, bytes, count);
  return undo_halves(reader, raw) && key(reader, reader->undone.start, reader->undone.count);
}

int tokens_take_key(void *context, const uint8_t *bytes, size_t count) {
  tokens_reader *reader = context;
  if (!is_in_feed(reader, bytes)) return escaped_key(reader, bytes, count);
  reader->front.text_end = (size_t)(bytes - reader->front.feed) + count + 1;
  return key(reader, bytes, count);
}

static int begin(tokens_reader *reader, tokens_taker taker) {
  if (reader->front.depth >= reader->setup.deepest) return fail(reader, TOKENS_TOO_DEEP, here(reader) - 1);
  if (reader->front.depth == 0 && !begin_root(reader, 1)) return 0;
  reader->front.depth++;
  note_usual(reader);
  if (reader->mode == DELIVER) return taker(reader->setup.context, NULL, 0);
  if (reader->mode > KEEP_NEXT) return 1;
  return tokens_follow(reader, reader->mode == SKIP_NEXT ? TOKENS_SKIP : TOKENS_KEEP, 1);
}

static int keep(tokens_reader *reader, size_t end) {
  size_t count = end - reader->kept_from;
  if (reader->kept.count + count > reader->setup.longest) return fail(reader, TOKENS_TOO_LONG, reader->feed_at + end);
  if (!bytes_append(&reader->kept, reader->front.feed + reader->kept_from, count))
    return fail(reader, TOKENS_NO_MEMORY, reader->feed_at + end);
  reader->kept_from = 0;
  return 1;
}

static int deliver_kept(tokens_reader *reader) {
  size_t end = token_end(reader);
  if (reader->kept.count == 0)
    return deliver(reader, reader->setup.raw, reader->front.feed + reader->kept_from, end - reader->kept_from);
  if (!keep(reader, end)) return 0;
  int goes_on = deliver(reader, reader->setup.raw, reader->kept.start, reader->kept.count);
  bytes_clear(&reader->kept);
  return goes_on;
}

static int end(tokens_reader *reader, tokens_taker taker) {
  reader->front.depth--;
  note_usual(reader);
  if (reader->front.depth == 0) end_root(reader);
  if (reader->mode == DELIVER) return taker(reader->setup.context, NULL, 0);
  if (reader->front.depth > reader->passed_depth) return 1;
  int is_kept = reader->mode == KEEPING;
  set_mode(reader, DELIVER);
  return is_kept ? deliver_kept(reader) : 1;
}

int tokens_begin_object(void *context) { return begin(context, ((tokens_reader *)context)->setup.begin_object); }
int tokens_end_object(void *context) { return end(context, ((tokens_reader *)context)->setup.end_object); }
int tokens_begin_array(void *context) { return begin(context, ((tokens_reader *)context)->setup.begin_array); }
int tokens_end_array(void *context) { return end(context, ((tokens_reader *)context)->setup.end_array); }

tokens_reader *tokens_create(tokens_setup setup) {
  if (tokens_open()) return NULL;
  tokens_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->setup = setup;
  reader->front.context = setup.context;
  reader->front.deepest = setup.deepest;
  reader->callbacks = (yajl_callbacks){
    .yajl_null = take_null,
    .yajl_boolean = take_bool,
    .yajl_number = setup.usual_number,
    .yajl_string = setup.usual_string,
    .yajl_start_map = setup.usual_begin_object,
    .yajl_map_key = setup.usual_key,
    .yajl_end_map = setup.usual_end_object,
    .yajl_start_array = setup.usual_begin_array,
    .yajl_end_array = setup.usual_end_array,
  };
  reader->handle = yajl.alloc(&reader->callbacks, NULL, reader);
  if (!reader->handle) {
    free(reader);
    return NULL;
  }
  // The check of UTF-8 here is stricter, and quicker.
  yajl.config(reader->handle, yajl_dont_validate_strings, 1);
  if (setup.is_sequence) yajl.config(reader->handle, yajl_allow_multiple_values, 1);
  return reader;
}

void tokens_free(tokens_reader *reader) {
  yajl.free(reader->handle);
  free(reader->held.start);
  free(reader->kept.start);
  free(reader->undone.start);
  free(reader);
}

static int is_blank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

static int is_mark(uint8_t byte) {
  return byte == ',' || byte == ':' || byte == '[' || byte == ']' || byte == '{' || byte == '}';
}

static int is_word(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '+' || byte == '-' ||
         byte == '.';
}

/// Returns the index of the token before an end that yajl did not report, or that end.
static size_t open_token(const tokens_reader *reader, size_t end) {
  size_t place = reader->front.text_end;
  while (place < end && (is_blank(reader->front.feed[place]) || is_mark(reader->front.feed[place]))) place++;
  return place;
}

/// Reports yajl's problem with its position.
static int fail_syntax(tokens_reader *reader) {
  unsigned char *words = yajl.get_error(reader->handle, 0, NULL, 0);
  const char *reason = words ? strstr((const char *)words, ": ") : NULL;
  snprintf(reader->problem.message, sizeof reader->problem.message, "%s", reason ? reason + 2 : "not JSON");
  reader->problem.message[strcspn(reader->problem.message, "\r\n")] = 0;
  int is_lexical = words && strncmp((const char *)words, "lexical", 7) == 0;
  if (words) yajl.free_error(reader->handle, words);
  size_t place = token_end(reader);
  // yajl stands behind a byte that begins nothing, and at one that goes wrong later.
  if (is_lexical) place -= strstr(reader->problem.message, "invalid char in json") != NULL;
  else if (place > 0 && is_mark(reader->front.feed[place - 1])) place--;
  else if (!reader->is_pending) place = open_token(reader, place);
  uint64_t offset = reader->feed_at + place;
  if (!is_lexical && reader->is_pending && place == token_end(reader)) offset = reader->held_at;
  int is_behind = strstr(reader->problem.message, "trailing garbage") != NULL;
  return fail(reader, is_behind ? TOKENS_TRAILING : TOKENS_SYNTAX, offset);
}

/// Lets yajl read.
static int feed(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  reader->front.feed = bytes;
  reader->feed_count = count;
  reader->front.text_end = 0;
  note_usual(reader);
  reader->kept_from = 0;
  yajl_status status = yajl.parse(reader->handle, bytes, count);
  if (status == yajl_status_error) return fail_syntax(reader);
  if (status != yajl_status_ok) return fail(reader, TOKENS_STOPPED, here(reader));
  if (reader->mode == KEEPING && !keep(reader, count)) return 0;
  reader->feed_at += count;
  return 1;
}

/// Returns the number of bytes that belong to the held token; a byte not allowed in any text ends it too.
static size_t held_extent(tokens_reader *reader, const uint8_t *bytes, size_t count, int *has_ended) {
  for (size_t place = 0; place < count; place++) {
    uint8_t byte = bytes[place];
    if (reader->held_is_text) {
      if (reader->held_is_escaped) reader->held_is_escaped = 0;
      else if (byte == '\\') {
        reader->held_is_escaped = 1;
        reader->held_escapes++;
      }
      else if (byte == '"' || byte < 0x20) {
        *has_ended = 1;
        return place + 1;
      }
    } else if (!is_word(byte)) {
      *has_ended = 1;
      return place;
    }
  }
  return count;
}

/// Records that yajl has only the beginning of a token; returns 0 if it began after the only value.
static int note_pending(tokens_reader *reader, size_t place) {
  reader->held_at = reader->feed_at - reader->feed_count + place;
  reader->is_pending = 1;
  int is_behind = reader->is_done && reader->front.depth == 0 && !reader->setup.is_sequence;
  return is_behind ? fail(reader, TOKENS_TRAILING, reader->held_at) : 1;
}

/// Buffers the token of which yajl has only the beginning.
static int hold_rest(tokens_reader *reader) {
  size_t place = open_token(reader, reader->feed_count);
  if (place == reader->feed_count) return 1;
  if (!note_pending(reader, place)) return 0;
  const uint8_t *start = reader->front.feed + place;
  size_t count = reader->feed_count - place;
  reader->held_is_text = *start == '"';
  reader->held_is_escaped = 0;
  reader->held_escapes = 0;
  int has_ended = 0;
  held_extent(reader, start + 1, count - 1, &has_ended);
  reader->held_fed = count;
  return bytes_append(&reader->held, start, count) || fail(reader, TOKENS_NO_MEMORY, reader->held_at);
}

/// Lets yajl read the rest of the buffered text, which is one token except for words without a separator.
static int feed_held(tokens_reader *reader) {
  size_t from = reader->held_fed;
  reader->held_fed = reader->held.count;
  if (!feed(reader, reader->held.start + from, reader->held.count - from)) return 0;
  size_t place = reader->is_pending ? reader->feed_count : open_token(reader, reader->feed_count);
  if (place < reader->feed_count && !note_pending(reader, place)) return 0;
  bytes_clear(&reader->held);
  return 1;
}

/// Reads bytes that are valid UTF-8.
static int take(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  if (reader->held.count > 0) {
    int has_ended = 0;
    size_t extent = held_extent(reader, bytes, count, &has_ended);
    // An escape of at most six bytes makes one at least; the quotes make none.
    size_t raw = reader->held.count + extent, escaped = 5 * reader->held_escapes;
    size_t least = raw - escaped > raw / 6 && raw > escaped ? raw - escaped : raw / 6;
    if (least > reader->setup.longest && least - reader->setup.longest > 2)
      return fail(reader, TOKENS_TOO_LONG, reader->held_at);
    if (!bytes_append(&reader->held, bytes, extent)) return fail(reader, TOKENS_NO_MEMORY, reader->held_at);
    if (!has_ended) return 1;
    if (!feed_held(reader)) return 0;
    bytes += extent;
    count -= extent;
  }
  return count == 0 || (feed(reader, bytes, count) && hold_rest(reader));
}

/// Skips a byte order mark at the very beginning.
static int pass_mark(tokens_reader *reader, const uint8_t **bytes, size_t *count) {
  static const uint8_t mark[] = {0xEF, 0xBB, 0xBF};
  while (reader->mark < 3 && *count > 0) {
    if (**bytes != mark[reader->mark]) {
      if (reader->mark > 0) return fail(reader, TOKENS_SYNTAX, 0);
      reader->mark = 4;
      return 1;
    }
    reader->mark++;
    reader->feed_at++;
    (*bytes)++;
    (*count)--;
  }
  return 1;
}

/// Finds line and column of the problem.
static tokens_problem located(tokens_reader *reader) {
  tokens_problem *problem = &reader->problem;
  uint64_t lines = reader->lines, line_at = reader->line_at;
  if (problem->offset > reader->piece_at) {
    size_t count = (size_t)(problem->offset - reader->piece_at);
    if (count > reader->piece_count) count = reader->piece_count;
    const uint8_t *last = count ? memrchr(reader->piece, '\n', count) : NULL;
    lines += count_lines(reader->piece, count);
    if (last) line_at = reader->piece_at + (uint64_t)(last - reader->piece) + 1;
  }
  problem->line = lines + 1;
  problem->column = problem->offset >= line_at ? problem->offset - line_at + 1 : 1;
  return *problem;
}

/// Reports a byte that is not allowed there.
static int fail_byte(tokens_reader *reader, uint8_t byte, uint64_t offset) {
  if (byte >= 0x80 || reader->utf8.missing) return fail(reader, TOKENS_NOT_UTF8, offset);
  snprintf(reader->problem.message, sizeof reader->problem.message, "invalid char in json text");
  return fail(reader, TOKENS_SYNTAX, offset);
}

tokens_problem tokens_push(tokens_reader *reader, const uint8_t *bytes, size_t count) {
  reader->piece = bytes;
  reader->piece_count = count;
  uint64_t next_at = reader->piece_at + count;
  if (!pass_mark(reader, &bytes, &count)) return located(reader);
  size_t good = utf8_check(&reader->utf8, bytes, count);
  int goes_on = take(reader, bytes, good);
  // The buffered token may have a fault before the byte that is not UTF-8.
  if (goes_on && good < count && reader->held.count > reader->held_fed) goes_on = feed_held(reader);
  if (goes_on && good < count) goes_on = fail_byte(reader, bytes[good], next_at - (count - good));
  if (!goes_on) return located(reader);
  const uint8_t *last = reader->piece_count ? memrchr(reader->piece, '\n', reader->piece_count) : NULL;
  if (last) {
    reader->lines += count_lines(reader->piece, reader->piece_count);
    reader->line_at = reader->piece_at + (uint64_t)(last - reader->piece) + 1;
  }
  reader->piece_at = next_at;
  reader->piece_count = 0;
  return reader->problem;
}

tokens_problem tokens_finish(tokens_reader *reader) {
  int has_rest = reader->held.count > 0;
  if (reader->held.count > reader->held_fed && !feed_held(reader)) return located(reader);
  if (reader->setup.is_sequence && reader->front.depth == 0 && !has_rest) return reader->problem;
  reader->front.feed = NULL;
  reader->feed_count = 0;
  reader->front.text_end = 0;
  note_usual(reader);
  yajl_status status = yajl.complete(reader->handle);
  // Nothing was wrong with what is there, so the end itself is.
  if (status == yajl_status_error) fail(reader, TOKENS_TRUNCATED, reader->piece_at);
  else if (status != yajl_status_ok) fail(reader, TOKENS_STOPPED, reader->piece_at);
  return reader->problem.end ? located(reader) : reader->problem;
}

size_t tokens_depth(const tokens_reader *reader) { return reader->front.depth; }

uint64_t tokens_replaced(const tokens_reader *reader, uint64_t *first) {
  *first = reader->first_replaced;
  return reader->replaced;
}
