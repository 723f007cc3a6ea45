#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "library.h"

static struct {
  image_outcome opening;
  unsigned long (*bound)(unsigned long);
  int (*compress)(unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
  unsigned long (*crc)(unsigned long, const unsigned char *, unsigned int);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  const char *package = "zlib1g";
  void *library = image_open("libz.so.1", package, &api.opening);
  api.bound = image_find(library, "compressBound", package, &api.opening);
  api.compress = image_find(library, "compress2", package, &api.opening);
  api.crc = image_find(library, "crc32", package, &api.opening);
}

size_t image_deflate_bound(size_t count) {
  pthread_once(&once, open_library);
  return api.opening.status == IMAGE_DONE ? api.bound(count) : 0;
}

image_outcome image_deflate(const uint8_t *bytes, size_t count, int level, uint8_t *target, size_t *length) {
  pthread_once(&once, open_library);
  if (api.opening.status != IMAGE_DONE) return api.opening;
  unsigned long room = *length;
  int result = api.compress(target, &room, bytes, count, level);
  if (result != Z_OK) return image_end(IMAGE_NO_MEMORY, "no memory for deflating");
  *length = room;
  return image_end(IMAGE_DONE, NULL);
}

uint32_t image_crc(uint32_t crc, const uint8_t *bytes, size_t count) {
  pthread_once(&once, open_library);
  if (api.opening.status != IMAGE_DONE) return 0;
  while (count > 0) {
    unsigned int part = count > 1u << 30 ? 1u << 30 : (unsigned int)count;
    crc = (uint32_t)api.crc(crc, bytes, part);
    bytes += part;
    count -= part;
  }
  return crc;
}

// The filter types of PNG (section 9.2): none, left, up, mean, Paeth.
static uint8_t filtered(int type, uint8_t value, uint8_t left, uint8_t up, uint8_t corner) {
  switch (type) {
    case 1: return (uint8_t)(value - left);
    case 2: return (uint8_t)(value - up);
    case 3: return (uint8_t)(value - ((left + up) >> 1));
    case 4: {
      int estimate = left + up - corner;
      int to_left = abs(estimate - left), to_up = abs(estimate - up), to_corner = abs(estimate - corner);
      uint8_t nearest = to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
      return (uint8_t)(value - nearest);
    }
    default: return value;
  }
}

// Fills in one row with a filter; gives the sum of its bytes taken as signed (section 12.7), or stops beyond a limit.
static unsigned long filter_row(
  int type, const uint8_t *row, const uint8_t *above, int32_t width, int32_t channels, uint8_t *target,
  unsigned long limit) {
  unsigned long sum = 0;
  for (int32_t x = 0; x < width; x++) {
    for (int32_t channel = 0; channel < channels; channel++) {
      ptrdiff_t at = 4 * (ptrdiff_t)x + channel;
      uint8_t left = x > 0 ? row[at - 4] : 0, up = above ? above[at] : 0, corner = x > 0 && above ? above[at - 4] : 0;
      uint8_t value = filtered(type, row[at], left, up, corner);
      *target++ = value;
      sum += value < 128 ? value : 256 - value;
    }
    if (sum >= limit) return sum;
  }
  return sum;
}

void image_png_filter(const uint8_t *source, int32_t width, int32_t height, int32_t channels, uint8_t *target) {
  size_t length = (size_t)width * (size_t)channels;
  for (int32_t y = 0; y < height; y++, target += 1 + length) {
    const uint8_t *row = source + 4 * (size_t)width * (size_t)y;
    const uint8_t *above = y > 0 ? row - 4 * (size_t)width : NULL;
    unsigned long least = ~0ul;
    int best = 0;
    for (int type = 0; type <= 4; type++) {
      unsigned long sum = filter_row(type, row, above, width, channels, target + 1, least);
      if (sum < least) {
        least = sum;
        best = type;
      }
    }
    if (best != 4) filter_row(best, row, above, width, channels, target + 1, ~0ul);
    target[0] = (uint8_t)best;
  }
}
