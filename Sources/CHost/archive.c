#include "chost_archive.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

// The host does not link zlib: 'version' would load it.
static struct {
  int (*inflate_start)(z_streamp, int, const char *, int);
  int (*inflate)(z_streamp, int);
  int (*inflate_end)(z_streamp);
  int (*deflate_start)(z_streamp, int, int, int, int, int, const char *, int);
  int (*deflate)(z_streamp, int);
  int (*deflate_end)(z_streamp);
} zlib;

enum {
  without_header = -15,  // The largest window, and neither zlib's nor gzip's header.
  memory_level = 8
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_library(void) {
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name, function) ((*(void **)&zlib.name = dlsym(library, function)) != NULL)
  is_open = FIND(inflate_start, "inflateInit2_") && FIND(inflate, "inflate") && FIND(inflate_end, "inflateEnd") &&
    FIND(deflate_start, "deflateInit2_") && FIND(deflate, "deflate") && FIND(deflate_end, "deflateEnd");
#undef FIND
}

chost_deflate_outcome chost_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t size) {
  pthread_once(&once, open_library);
  if (!is_open || count > UINT_MAX || size > UINT_MAX) return chost_deflate_unusable;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  // An empty content still needs a place to write to.
  uint8_t nothing;
  stream.next_out = size > 0 ? target : &nothing;
  stream.avail_out = (uInt)size;
  if (zlib.inflate_start(&stream, without_header, ZLIB_VERSION, (int)sizeof stream) != Z_OK)
    return chost_deflate_unusable;
  int result = zlib.inflate(&stream, Z_FINISH);
  bool is_whole = result == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
  zlib.inflate_end(&stream);
  if (result == Z_MEM_ERROR) return chost_deflate_unusable;
  return is_whole ? chost_deflate_done : chost_deflate_damaged;
}

chost_deflate_outcome chost_deflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *size) {
  pthread_once(&once, open_library);
  if (!is_open || count > UINT_MAX || *size > UINT_MAX) return chost_deflate_unusable;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = target;
  stream.avail_out = (uInt)*size;
  int opened = zlib.deflate_start(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, without_header, memory_level, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    (int)sizeof stream);
  if (opened != Z_OK) return chost_deflate_unusable;
  int result = zlib.deflate(&stream, Z_FINISH);
  *size -= stream.avail_out;
  zlib.deflate_end(&stream);
  return result == Z_STREAM_END ? chost_deflate_done : chost_deflate_no_room;
}
