#ifndef WORKBENCH_TOKENS_CHECK_H
#define WORKBENCH_TOKENS_CHECK_H

#include <stddef.h>
#include <stdint.h>

/// Where in a character a piece of UTF-8 ended: the bytes still to come, and what the next of them may be.
typedef struct {
  int missing;
  uint8_t lowest;
  uint8_t highest;
} utf8_state;

/// Finds the first byte that no JSON can have there, be it UTF-8 or not.
///
/// - Returns: its place, or the count if there is none. A character may go on in the next piece.
size_t utf8_check(utf8_state *state, const uint8_t *bytes, size_t count);

/// Counts line feeds.
size_t count_lines(const uint8_t *bytes, size_t count);

#endif
