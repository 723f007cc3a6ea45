#ifndef WORKBENCH_TOKENS_ESCAPES_H
#define WORKBENCH_TOKENS_ESCAPES_H

#include "bytes.h"

/// Returns true if a text, without its quotes, contains an escape of a surrogate.
int escapes_have_halves(const uint8_t *text, size_t count);

/// Returns true if a text that yajl unescaped certainly had no surrogate: one leaves a question mark or a non-ASCII
/// character.
int escapes_left_no_half(const uint8_t *text, size_t count);

/// Unescapes a well-formed text, without its quotes; unpaired surrogates become U+FFFD.
///
/// - Returns: the number of replacements, or -1 without memory.
int64_t escapes_undo(const uint8_t *text, size_t count, byte_buffer *to);

#endif
