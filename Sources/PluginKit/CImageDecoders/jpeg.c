#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "library.h"

static struct {
  image_outcome opening;
  tjhandle (*init)(void);
  int (*header)(tjhandle, const unsigned char *, unsigned long, int *, int *, int *, int *);
  int (*decompress)(tjhandle, const unsigned char *, unsigned long, unsigned char *, int, int, int, int, int);
  int (*destroy)(tjhandle);
  char *(*error)(tjhandle);
  int (*code)(tjhandle);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  const char *package = "libturbojpeg0";
  void *library = image_open("libturbojpeg.so.0", package, &api.opening);
  api.init = image_find(library, "tjInitDecompress", package, &api.opening);
  api.header = image_find(library, "tjDecompressHeader3", package, &api.opening);
  api.decompress = image_find(library, "tjDecompress2", package, &api.opening);
  api.destroy = image_find(library, "tjDestroy", package, &api.opening);
  api.error = image_find(library, "tjGetErrorStr2", package, &api.opening);
  api.code = image_find(library, "tjGetErrorCode", package, &api.opening);
}

static image_outcome failure(tjhandle handle) {
  const char *message = api.error(handle);
  int is_cut = strstr(message, "remature end") || strstr(message, "no image") || strstr(message, "Empty");
  return image_end(is_cut ? IMAGE_TRUNCATED : IMAGE_DAMAGED, message);
}

// Returns true if the problem leaves the picture intact. The library's code does not tell: it stays a warning's when an
// error follows one, so the last message decides.
static int is_harmless(tjhandle handle) {
  const char *message = api.error(handle);
  return api.code(handle) == TJERR_WARNING &&
    (strstr(message, "extraneous bytes") || strstr(message, "Unknown Adobe") || strstr(message, "Invalid SOS") ||
     strstr(message, "unknown JFIF"));
}

static image_outcome header(tjhandle handle, const uint8_t *bytes, size_t count, int *colors) {
  int width = 0, height = 0, subsampling = 0;
  if (api.header(handle, bytes, count, &width, &height, &subsampling, colors) != 0 && !is_harmless(handle))
    return failure(handle);
  image_outcome outcome = image_end(IMAGE_DONE, NULL);
  outcome.width = width;
  outcome.height = height;
  return outcome;
}

static tjhandle start(image_outcome *outcome) {
  pthread_once(&once, open_library);
  *outcome = api.opening;
  if (outcome->status != IMAGE_DONE) return NULL;
  tjhandle handle = api.init();
  if (!handle) *outcome = image_end(IMAGE_NO_MEMORY, "no memory for the decoder");
  return handle;
}

image_outcome image_jpeg_size(const uint8_t *bytes, size_t count) {
  image_outcome outcome;
  int colors = 0;
  tjhandle handle = start(&outcome);
  if (!handle) return outcome;
  outcome = header(handle, bytes, count, &colors);
  api.destroy(handle);
  return outcome;
}

// Four inks as Adobe writes them, inverted: 255 is no ink.
static void inks_to_colors(uint8_t *pixels, size_t count) {
  for (size_t index = 0; index < count; index++) {
    uint8_t *pixel = pixels + 4 * index;
    int black = pixel[3];
    for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint8_t)((pixel[channel] * black + 127) / 255);
    pixel[3] = 255;
  }
}

image_outcome image_jpeg_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height) {
  image_outcome outcome;
  int colors = 0;
  tjhandle handle = start(&outcome);
  if (!handle) return outcome;
  outcome = header(handle, bytes, count, &colors);
  if (outcome.status == IMAGE_DONE && (outcome.width != width || outcome.height != height))
    outcome = image_end(IMAGE_DAMAGED, "the size is not the one read before");
  if (outcome.status == IMAGE_DONE) {
    int has_inks = colors == TJCS_CMYK || colors == TJCS_YCCK;
    int format = has_inks ? TJPF_CMYK : TJPF_RGBA;
    // The number of scans is limited: each of thousands of tiny ones would cost a pass over all pixels.
    int result =
      api.decompress(handle, bytes, count, pixels, width, 4 * width, height, format, TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT);
    if (result != 0 && !is_harmless(handle)) outcome = failure(handle);
    if (outcome.status == IMAGE_DONE && has_inks) inks_to_colors(pixels, (size_t)width * (size_t)height);
  }
  api.destroy(handle);
  return outcome;
}
