#ifndef WORKBENCH_TOKENS_BYTES_H
#define WORKBENCH_TOKENS_BYTES_H

#include <stddef.h>
#include <stdint.h>

/// Bytes that grow.
typedef struct {
  uint8_t *start;
  size_t count;
  size_t capacity;
} byte_buffer;

/// Adds bytes at the end.
///
/// - Returns: 0 without memory.
int bytes_append(byte_buffer *buffer, const uint8_t *bytes, size_t count);

/// Makes room for so many bytes in all.
int bytes_reserve(byte_buffer *buffer, size_t capacity);

/// Forgets the bytes, and the memory of very many of them too.
void bytes_clear(byte_buffer *buffer);

#endif
