#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "library.h"

// What is used of librsvg 2.52 and later, cairo and GLib, declared here: their headers lie in folders that differ from
// machine to machine, and their binary interface is stable.
// Source: librsvg 2.54 reference, "RsvgHandle"; cairo 1.16 manual, "Image Surfaces"; GLib manual, "Error Reporting".
typedef struct rsvg_handle rsvg_handle;
typedef struct cairo cairo;
typedef struct cairo_surface cairo_surface;
typedef struct { double x, y, width, height; } rsvg_rectangle;
typedef struct { uint32_t domain; int code; char *message; } g_error;
enum { CAIRO_ARGB32 = 0, CAIRO_SUCCESS = 0 };

static struct {
  image_outcome opening;
  rsvg_handle *(*new_from_data)(const uint8_t *, size_t, g_error **);
  int (*size)(rsvg_handle *, double *, double *);
  void (*dimensions)(rsvg_handle *, int *, void *, int *, void *, int *, rsvg_rectangle *);
  int (*render)(rsvg_handle *, cairo *, const rsvg_rectangle *, g_error **);
  void (*unref)(void *);
  void (*free_error)(g_error *);
  cairo_surface *(*surface_create)(int, int, int);
  int (*surface_status)(cairo_surface *);
  unsigned char *(*surface_data)(cairo_surface *);
  int (*surface_stride)(cairo_surface *);
  void (*surface_flush)(cairo_surface *);
  void (*surface_destroy)(cairo_surface *);
  cairo *(*create)(cairo_surface *);
  int (*status)(cairo *);
  void (*destroy)(cairo *);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  const char *package = "librsvg2-2";
  image_outcome *opening = &api.opening;
  void *rsvg = image_open("librsvg-2.so.2", package, opening);
  api.new_from_data = image_find(rsvg, "rsvg_handle_new_from_data", package, opening);
  api.size = image_find(rsvg, "rsvg_handle_get_intrinsic_size_in_pixels", package, opening);
  api.dimensions = image_find(rsvg, "rsvg_handle_get_intrinsic_dimensions", package, opening);
  api.render = image_find(rsvg, "rsvg_handle_render_document", package, opening);
  void *gobject = opening->status == IMAGE_DONE ? image_open("libgobject-2.0.so.0", "libglib2.0-0", opening) : NULL;
  api.unref = image_find(gobject, "g_object_unref", "libglib2.0-0", opening);
  void *glib = opening->status == IMAGE_DONE ? image_open("libglib-2.0.so.0", "libglib2.0-0", opening) : NULL;
  api.free_error = image_find(glib, "g_error_free", "libglib2.0-0", opening);
  void *cairo = opening->status == IMAGE_DONE ? image_open("libcairo.so.2", "libcairo2", opening) : NULL;
  api.surface_create = image_find(cairo, "cairo_image_surface_create", "libcairo2", opening);
  api.surface_status = image_find(cairo, "cairo_surface_status", "libcairo2", opening);
  api.surface_data = image_find(cairo, "cairo_image_surface_get_data", "libcairo2", opening);
  api.surface_stride = image_find(cairo, "cairo_image_surface_get_stride", "libcairo2", opening);
  api.surface_flush = image_find(cairo, "cairo_surface_flush", "libcairo2", opening);
  api.surface_destroy = image_find(cairo, "cairo_surface_destroy", "libcairo2", opening);
  api.create = image_find(cairo, "cairo_create", "libcairo2", opening);
  api.status = image_find(cairo, "cairo_status", "libcairo2", opening);
  api.destroy = image_find(cairo, "cairo_destroy", "libcairo2", opening);
}

static image_outcome failure(g_error *error) {
  image_outcome outcome = image_end(IMAGE_DAMAGED, error ? error->message : "the drawing cannot be read");
  if (strstr(outcome.message, "EOF") || strstr(outcome.message, "Premature end") || strstr(outcome.message, "empty"))
    outcome.status = IMAGE_TRUNCATED;
  if (error) api.free_error(error);
  return outcome;
}

static rsvg_handle *start(const uint8_t *bytes, size_t count, image_outcome *outcome) {
  pthread_once(&once, open_library);
  *outcome = api.opening;
  if (outcome->status != IMAGE_DONE) return NULL;
  g_error *error = NULL;
  // No base address is set: nothing outside the file is read.
  rsvg_handle *handle = api.new_from_data(bytes, count, &error);
  if (!handle) *outcome = failure(error);
  return handle;
}

// The nearest whole number from 0 to a million, which is more than any limit.
static int32_t pixels_of(double length) {
  return length >= 0 && length < 1e6 ? (int32_t)(length + 0.5) : length >= 1e6 ? 1000000 : 0;
}

image_outcome image_svg_size(const uint8_t *bytes, size_t count) {
  image_outcome outcome;
  rsvg_handle *handle = start(bytes, count, &outcome);
  if (!handle) return outcome;
  double width = 0, height = 0;
  if (!api.size(handle, &width, &height) || !(width > 0 && height > 0)) {
    int has_width, has_height, has_box = 0;
    struct { double length; int unit; } unused;
    rsvg_rectangle box = {0, 0, 0, 0};
    api.dimensions(handle, &has_width, &unused, &has_height, &unused, &has_box, &box);
    width = has_box ? box.width : 0;
    height = has_box ? box.height : 0;
  }
  outcome.width = pixels_of(width);
  outcome.height = pixels_of(height);
  api.unref(handle);
  return outcome;
}

// From cairo's premultiplied native-endian ARGB words to RGBA bytes.
static void copy_pixels(const unsigned char *data, int stride, uint8_t *pixels, int32_t width, int32_t height) {
  for (int32_t y = 0; y < height; y++) {
    const unsigned char *row = data + (ptrdiff_t)y * stride;
    for (int32_t x = 0; x < width; x++, pixels += 4) {
      uint32_t word;
      memcpy(&word, row + 4 * (ptrdiff_t)x, 4);
      uint32_t alpha = word >> 24;
      uint32_t half = alpha / 2;
      for (int channel = 0; channel < 3; channel++) {
        uint32_t value = word >> (16 - 8 * channel) & 255;
        uint32_t straight = alpha ? (value * 255 + half) / alpha : 0;
        pixels[channel] = (uint8_t)(straight > 255 ? 255 : straight);
      }
      pixels[3] = (uint8_t)alpha;
    }
  }
}

image_outcome image_svg_draw(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height) {
  image_outcome outcome;
  rsvg_handle *handle = start(bytes, count, &outcome);
  if (!handle) return outcome;
  cairo_surface *surface = api.surface_create(CAIRO_ARGB32, width, height);
  cairo *context = api.create(surface);
  g_error *error = NULL;
  rsvg_rectangle viewport = {0, 0, width, height};
  if (api.surface_status(surface) != CAIRO_SUCCESS || api.status(context) != CAIRO_SUCCESS) {
    outcome = image_end(IMAGE_NO_MEMORY, "no memory for the drawing");
  } else if (!api.render(handle, context, &viewport, &error)) {
    outcome = failure(error);
  } else {
    api.surface_flush(surface);
    copy_pixels(api.surface_data(surface), api.surface_stride(surface), pixels, width, height);
    outcome.width = width;
    outcome.height = height;
  }
  api.destroy(context);
  api.surface_destroy(surface);
  api.unref(handle);
  return outcome;
}
