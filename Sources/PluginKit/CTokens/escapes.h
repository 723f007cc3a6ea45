#ifndef WORKBENCH_TOKENS_ESCAPES_H
#define WORKBENCH_TOKENS_ESCAPES_H

#include "bytes.h"

/// Whether a text, without its quotes, has an escape of a half of a surrogate pair.
int escapes_have_halves(const uint8_t *text, size_t count);

/// Whether a text whose escapes yajl has undone had no half for sure: one leaves a question mark or more than ASCII.
int escapes_left_no_half(const uint8_t *text, size_t count);

/// Undoes the escapes of a text of right form, without its quotes; halves without their other half become U+FFFD.
///
/// - Returns: how many were replaced, or -1 without memory.
int64_t escapes_undo(const uint8_t *text, size_t count, byte_buffer *to);

#endif
