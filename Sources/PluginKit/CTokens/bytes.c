#include "bytes.h"

#include <stdlib.h>
#include <string.h>

int bytes_reserve(byte_buffer *buffer, size_t capacity) {
  if (capacity <= buffer->capacity) return 1;
  size_t grown = buffer->capacity < 1024 ? 1024 : buffer->capacity * 2;
  if (grown < capacity) grown = capacity;
  uint8_t *start = realloc(buffer->start, grown);
  if (!start) return 0;
  buffer->start = start;
  buffer->capacity = grown;
  return 1;
}

int bytes_append(byte_buffer *buffer, const uint8_t *bytes, size_t count) {
  if (!count) return 1;
  if (!bytes_reserve(buffer, buffer->count + count)) return 0;
  memcpy(buffer->start + buffer->count, bytes, count);
  buffer->count += count;
  return 1;
}

void bytes_clear(byte_buffer *buffer) {
  buffer->count = 0;
  if (buffer->capacity <= 1 << 20) return;
  free(buffer->start);
  *buffer = (byte_buffer){0};
}
