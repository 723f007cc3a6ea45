#ifndef WORKBENCH_CHOST_ARCHIVE_H
#define WORKBENCH_CHOST_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/// The outcome of compressing or decompressing with zlib, which is opened at the first call.
typedef enum {
  chost_deflate_done = 0,
  /// The compressed bytes are damaged, or their content has another size than stated.
  chost_deflate_damaged = 1,
  /// The compressed bytes need more room than there is.
  chost_deflate_no_room = 2,
  /// zlib is not installed, or there is not enough memory.
  chost_deflate_unusable = 3,
} chost_deflate_outcome;

/// Decompresses a whole stream of deflate; see RFC 1951.
///
/// \param size the exact size of the content in bytes: neither more nor less is accepted.
chost_deflate_outcome chost_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t size);

/// Compresses bytes to a stream of deflate; the same bytes give the same stream with the same version of zlib.
///
/// \param size the room in bytes; afterwards the size of the stream.
chost_deflate_outcome chost_deflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *size);

#endif
