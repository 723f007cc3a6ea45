#ifndef IMAGE_DECODERS_H
#define IMAGE_DECODERS_H

#include <stddef.h>
#include <stdint.h>

/// The status of a call.
typedef enum {
  IMAGE_DONE = 0,
  /// The file violates the rules of its format.
  IMAGE_DAMAGED = 1,
  /// The file ends too early.
  IMAGE_TRUNCATED = 2,
  /// The file uses an unsupported part of its format.
  IMAGE_UNSUPPORTED = 3,
  /// The library is missing; the message names it.
  IMAGE_NO_LIBRARY = 4,
  /// There is not enough memory.
  IMAGE_NO_MEMORY = 5,
} image_status;

/// The outcome of a call: status, reason, and the size in pixels if it was read.
typedef struct {
  image_status status;
  int32_t width;
  int32_t height;
  char message[160];
} image_outcome;

// Each library is opened at the first call of one of its functions, and stays open. All functions may be called on any
// thread. Pixels are 8-bit RGBA by rows from the top, alpha not premultiplied: 4 × width × height bytes.

image_outcome image_png_size(const uint8_t *bytes, size_t count);
image_outcome image_png_read(const uint8_t *bytes, size_t count, uint8_t *pixels);

image_outcome image_jpeg_size(const uint8_t *bytes, size_t count);
image_outcome image_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height);

/// JPEG 2000: a file of boxes (JP2) or a bare codestream.
image_outcome image_jpeg2000_size(const uint8_t *bytes, size_t count);
image_outcome image_jpeg2000_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height);

/// Reads the size that an SVG file states; 0×0 if it states none in absolute units, then width : height by its view
/// box.
image_outcome image_svg_size(const uint8_t *bytes, size_t count);
image_outcome image_svg_draw(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height);

/// Returns the maximum number of bytes that deflating may produce; 0 without zlib.
size_t image_deflate_bound(size_t count);
/// Deflates in the zlib format.
///
/// - `length`: room in `target` before, bytes written after.
image_outcome image_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *target, size_t *length);

/// Continues the CRC of a chunk (PNG, annex D); begin with 0.
uint32_t image_crc(uint32_t crc, const uint8_t *bytes, size_t count);

/// Filters rows as PNG does before deflating: for each row the filter whose bytes sum to the least.
///
/// - `source`: RGBA rows; `channels` 4 keeps them, 3 leaves alpha out.
/// - `target`: height × (1 + channels × width) bytes.
void image_png_filter(const uint8_t *source, int32_t width, int32_t height, int32_t channels, uint8_t *target);

#endif
