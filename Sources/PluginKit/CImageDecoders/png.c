#include <png.h>
#include <pthread.h>
#include <string.h>

#include "library.h"

// libpng's simplified interface: reads every color type and depth, and needs no setjmp here.
static struct {
  image_outcome opening;
  int (*begin)(png_imagep, png_const_voidp, size_t);
  int (*finish)(png_imagep, png_const_colorp, void *, png_int_32, void *);
  void (*free)(png_imagep);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  const char *package = "libpng16-16";
  void *library = image_open("libpng16.so.16", package, &api.opening);
  api.begin = image_find(library, "png_image_begin_read_from_memory", package, &api.opening);
  api.finish = image_find(library, "png_image_finish_read", package, &api.opening);
  api.free = image_find(library, "png_image_free", package, &api.opening);
}

static image_outcome failure(png_imagep image) {
  const char *message = image->message;
  int is_cut = strstr(message, "end of") || strstr(message, "Read Error") || strstr(message, "read beyond") ||
    strstr(message, "Not enough") || strstr(message, "too short");
  image_outcome outcome = image_end(is_cut ? IMAGE_TRUNCATED : IMAGE_DAMAGED, message);
  if (strstr(message, "memory")) outcome.status = IMAGE_NO_MEMORY;
  api.free(image);
  return outcome;
}

/// Returns true if a chunk before the picture's data claims to be longer than the rest of the file.
///
/// libpng allocates and clears the memory for such a chunk before it reads it: two gigabytes for a file of a kilobyte.
/// Data (IDAT) is read in pieces, and whatever follows is not read at all.
static int has_cut_chunk(const uint8_t *bytes, size_t count) {
  for (size_t at = 8; at + 8 <= count;) {
    const uint8_t *head = bytes + at;
    size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    if (memcmp(head + 4, "IDAT", 4) == 0) return 0;
    if (length > count - at - 8) return 1;
    at += 12 + length;
  }
  return 0;
}

static image_outcome begin(png_imagep image, const uint8_t *bytes, size_t count) {
  pthread_once(&once, open_library);
  if (api.opening.status != IMAGE_DONE) return api.opening;
  if (has_cut_chunk(bytes, count)) return image_end(IMAGE_TRUNCATED, "a chunk is longer than the rest of the file");
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  if (!api.begin(image, bytes, count)) return failure(image);
  image_outcome outcome = image_end(IMAGE_DONE, NULL);
  outcome.width = (int32_t)image->width;
  outcome.height = (int32_t)image->height;
  return outcome;
}

image_outcome image_png_size(const uint8_t *bytes, size_t count) {
  png_image image;
  image_outcome outcome = begin(&image, bytes, count);
  if (outcome.status == IMAGE_DONE) api.free(&image);
  return outcome;
}

image_outcome image_png_read(const uint8_t *bytes, size_t count, uint8_t *pixels) {
  png_image image;
  image_outcome outcome = begin(&image, bytes, count);
  if (outcome.status != IMAGE_DONE) return outcome;
  image.format = PNG_FORMAT_RGBA;
  // Without this libpng takes 16-bit samples for linear light; nearly all such files are meant as sRGB.
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  if (!api.finish(&image, NULL, pixels, 0, NULL)) return failure(&image);
  return outcome;
}
