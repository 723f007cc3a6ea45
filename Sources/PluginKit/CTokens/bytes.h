#ifndef WORKBENCH_TOKENS_BYTES_H
#define WORKBENCH_TOKENS_BYTES_H

#include <stddef.h>
#include <stdint.h>

/// A growing buffer of bytes.
typedef struct {
  uint8_t *start;
  size_t count;
  size_t capacity;
} byte_buffer;

/// Adds bytes at the end.
///
/// - Returns: 0 without memory.
int bytes_append(byte_buffer *buffer, const uint8_t *bytes, size_t count);

/// Reserves room for a total number of bytes.
int bytes_reserve(byte_buffer *buffer, size_t capacity);

/// Removes the bytes, and also frees a very large buffer.
void bytes_clear(byte_buffer *buffer);

#endif
