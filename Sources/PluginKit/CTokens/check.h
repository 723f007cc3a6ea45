#ifndef WORKBENCH_TOKENS_CHECK_H
#define WORKBENCH_TOKENS_CHECK_H

#include <stddef.h>
#include <stdint.h>

/// The state of a UTF-8 character at the end of a piece: the number of missing bytes, and the range of the next one.
typedef struct {
  int missing;
  uint8_t lowest;
  uint8_t highest;
} utf8_state;

/// Finds the first byte that is not allowed there in any JSON, whether it is UTF-8 or not.
///
/// - Returns: its index, or the count if there is none. A character may continue in the next piece.
size_t utf8_check(utf8_state *state, const uint8_t *bytes, size_t count);

/// Counts line feeds.
size_t count_lines(const uint8_t *bytes, size_t count);

#endif
