#include <openjpeg-2.5/openjpeg.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "library.h"

static struct {
  image_outcome opening;
  opj_codec_t *(*create)(OPJ_CODEC_FORMAT);
  void (*destroy)(opj_codec_t *);
  void (*defaults)(opj_dparameters_t *);
  OPJ_BOOL (*setup)(opj_codec_t *, opj_dparameters_t *);
  OPJ_BOOL (*on_error)(opj_codec_t *, opj_msg_callback, void *);
  OPJ_BOOL (*header)(opj_stream_t *, opj_codec_t *, opj_image_t **);
  OPJ_BOOL (*decode)(opj_codec_t *, opj_stream_t *, opj_image_t *);
  OPJ_BOOL (*finish)(opj_codec_t *, opj_stream_t *);
  void (*free_image)(opj_image_t *);
  opj_stream_t *(*stream)(OPJ_SIZE_T, OPJ_BOOL);
  void (*free_stream)(opj_stream_t *);
  void (*set_read)(opj_stream_t *, opj_stream_read_fn);
  void (*set_skip)(opj_stream_t *, opj_stream_skip_fn);
  void (*set_seek)(opj_stream_t *, opj_stream_seek_fn);
  void (*set_data)(opj_stream_t *, void *, opj_stream_free_user_data_fn);
  void (*set_length)(opj_stream_t *, OPJ_UINT64);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  const char *package = "libopenjp2-7";
  image_outcome *opening = &api.opening;
  void *library = image_open("libopenjp2.so.7", package, opening);
  api.create = image_find(library, "opj_create_decompress", package, opening);
  api.destroy = image_find(library, "opj_destroy_codec", package, opening);
  api.defaults = image_find(library, "opj_set_default_decoder_parameters", package, opening);
  api.setup = image_find(library, "opj_setup_decoder", package, opening);
  api.on_error = image_find(library, "opj_set_error_handler", package, opening);
  api.header = image_find(library, "opj_read_header", package, opening);
  api.decode = image_find(library, "opj_decode", package, opening);
  api.finish = image_find(library, "opj_end_decompress", package, opening);
  api.free_image = image_find(library, "opj_image_destroy", package, opening);
  api.stream = image_find(library, "opj_stream_create", package, opening);
  api.free_stream = image_find(library, "opj_stream_destroy", package, opening);
  api.set_read = image_find(library, "opj_stream_set_read_function", package, opening);
  api.set_skip = image_find(library, "opj_stream_set_skip_function", package, opening);
  api.set_seek = image_find(library, "opj_stream_set_seek_function", package, opening);
  api.set_data = image_find(library, "opj_stream_set_user_data", package, opening);
  api.set_length = image_find(library, "opj_stream_set_user_data_length", package, opening);
}

// MARK: Reading from memory

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t offset;
  char message[120];
} source;

static OPJ_SIZE_T read_bytes(void *target, OPJ_SIZE_T count, void *data) {
  source *from = data;
  size_t left = from->count - from->offset;
  if (left == 0) return (OPJ_SIZE_T)-1;
  if (count > left) count = left;
  memcpy(target, from->bytes + from->offset, count);
  from->offset += count;
  return count;
}

static OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void *data) {
  source *from = data;
  if (count < 0 || (size_t)count > from->count - from->offset) return -1;
  from->offset += (size_t)count;
  return count;
}

static OPJ_BOOL seek_byte(OPJ_OFF_T offset, void *data) {
  source *from = data;
  if (offset < 0 || (size_t)offset > from->count) return OPJ_FALSE;
  from->offset = (size_t)offset;
  return OPJ_TRUE;
}

// The first message names the cause; those after it only what follows from it.
static void keep_message(const char *message, void *data) {
  source *from = data;
  if (from->message[0]) return;
  snprintf(from->message, sizeof from->message, "%s", message);
}

// MARK: Decoding

typedef struct {
  source from;
  opj_stream_t *stream;
  opj_codec_t *codec;
  opj_image_t *image;
} decoder;

static void end(decoder *decoder) {
  if (decoder->image) api.free_image(decoder->image);
  if (decoder->codec) api.destroy(decoder->codec);
  if (decoder->stream) api.free_stream(decoder->stream);
}

static image_outcome failure(const decoder *decoder, const char *otherwise) {
  const char *message = decoder->from.message;
  int is_cut = strstr(message, "too short") || strstr(message, "Stream reached") || strstr(message, "runcated") ||
    strstr(message, "inconsistent with stream length") || strstr(message, "not enough") || strstr(message, "Not enough data");
  image_outcome outcome = image_end(is_cut ? IMAGE_TRUNCATED : IMAGE_DAMAGED, message[0] ? message : otherwise);
  if (strstr(message, "memory")) outcome.status = IMAGE_NO_MEMORY;
  return outcome;
}

// Reads the head of a file and checks that its pixels are of a kind that is decoded.
static image_outcome begin(decoder *decoder, const uint8_t *bytes, size_t count) {
  memset(decoder, 0, sizeof *decoder);
  pthread_once(&once, open_library);
  if (api.opening.status != IMAGE_DONE) return api.opening;
  decoder->from.bytes = bytes;
  decoder->from.count = count;
  decoder->stream = api.stream(1 << 16, OPJ_TRUE);
  // A file of boxes begins with the length of its signature, a bare codestream with a marker.
  decoder->codec = api.create(count > 0 && bytes[0] == 0xFF ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  if (!decoder->stream || !decoder->codec) return image_end(IMAGE_NO_MEMORY, "no memory for the decoder");
  api.set_data(decoder->stream, &decoder->from, NULL);
  api.set_length(decoder->stream, count);
  api.set_read(decoder->stream, read_bytes);
  api.set_skip(decoder->stream, skip_bytes);
  api.set_seek(decoder->stream, seek_byte);
  api.on_error(decoder->codec, keep_message, &decoder->from);
  opj_dparameters_t parameters;
  api.defaults(&parameters);
  if (!api.setup(decoder->codec, &parameters)) return failure(decoder, "the decoder cannot be set up");
  if (!api.header(decoder->stream, decoder->codec, &decoder->image)) return failure(decoder, "its head cannot be read");
  const opj_image_t *image = decoder->image;
  // Each component takes four bytes a pixel while it is decoded.
  if (image->numcomps < 1 || image->numcomps > 4) {
    char message[60];
    snprintf(message, sizeof message, "%u components; 1 to 4 are read", (unsigned)image->numcomps);
    return image_end(IMAGE_UNSUPPORTED, message);
  }
  if (image->color_space == OPJ_CLRSPC_CMYK || image->color_space == OPJ_CLRSPC_EYCC)
    return image_end(IMAGE_UNSUPPORTED, "a color space other than gray, sRGB and sYCC");
  for (OPJ_UINT32 index = 0; index < image->numcomps; index++) {
    const opj_image_comp_t *component = image->comps + index;
    if (component->prec < 1 || component->prec > 24 || component->dx < 1 || component->dy < 1)
      return image_end(IMAGE_UNSUPPORTED, "samples of more than 24 bits");
  }
  image_outcome outcome = image_end(IMAGE_DONE, NULL);
  outcome.width = (int32_t)(image->x1 - image->x0);
  outcome.height = (int32_t)(image->y1 - image->y0);
  if (image->x1 <= image->x0 || image->y1 <= image->y0 || outcome.width <= 0 || outcome.height <= 0)
    return image_end(IMAGE_DAMAGED, "it has no pixels");
  return outcome;
}

image_outcome image_jpeg2000_size(const uint8_t *bytes, size_t count) {
  decoder decoder;
  image_outcome outcome = begin(&decoder, bytes, count);
  end(&decoder);
  return outcome;
}

/// The sample of a component at a pixel, scaled to 8 bits.
static int sample(const opj_image_comp_t *component, uint32_t x, uint32_t y) {
  uint32_t column = x / component->dx, row = y / component->dy;
  if (column >= component->w) column = component->w - 1;
  if (row >= component->h) row = component->h - 1;
  int64_t most = ((int64_t)1 << component->prec) - 1;
  int64_t value = component->data[(size_t)row * component->w + column];
  if (component->sgnd) value += (int64_t)1 << (component->prec - 1);
  if (value < 0) value = 0;
  if (value > most) value = most;
  return component->prec == 8 ? (int)value : (int)((value * 255 + most / 2) / most);
}

static uint8_t limited(double value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5); }

// Luminance and two color differences as sRGB.
// Source: ITU-T T.800, annex I.5.3.3 (sYCC), which is IEC 61966-2-1 amendment 1.
static void differences_to_colors(uint8_t *pixel) {
  double luminance = pixel[0], blue = pixel[1] - 128.0, red = pixel[2] - 128.0;
  pixel[0] = limited(luminance + 1.402 * red);
  pixel[1] = limited(luminance - 0.344136 * blue - 0.714136 * red);
  pixel[2] = limited(luminance + 1.772 * blue);
}

static image_outcome copy_pixels(const opj_image_t *image, uint8_t *pixels, int32_t width, int32_t height) {
  for (OPJ_UINT32 index = 0; index < image->numcomps; index++) {
    const opj_image_comp_t *component = image->comps + index;
    if (!component->data || component->w == 0 || component->h == 0)
      return image_end(IMAGE_DAMAGED, "a component has no samples");
  }
  int colors = image->numcomps >= 3 ? 3 : 1;
  const opj_image_comp_t *alpha = NULL;
  for (OPJ_UINT32 index = (OPJ_UINT32)colors; index < image->numcomps; index++)
    if (image->comps[index].alpha == 1) alpha = image->comps + index;
  for (uint32_t y = 0; y < (uint32_t)height; y++) {
    for (uint32_t x = 0; x < (uint32_t)width; x++) {
      uint8_t *pixel = pixels + 4 * ((size_t)y * (size_t)width + x);
      for (int channel = 0; channel < 3; channel++)
        pixel[channel] = (uint8_t)(colors == 3 || channel == 0 ? sample(image->comps + channel, x, y) : pixel[0]);
      if (colors == 3 && image->color_space == OPJ_CLRSPC_SYCC) differences_to_colors(pixel);
      pixel[3] = alpha ? (uint8_t)sample(alpha, x, y) : 255;
    }
  }
  return image_end(IMAGE_DONE, NULL);
}

image_outcome image_jpeg2000_read(const uint8_t *bytes, size_t count, uint8_t *pixels, int32_t width, int32_t height) {
  decoder decoder;
  image_outcome outcome = begin(&decoder, bytes, count);
  if (outcome.status == IMAGE_DONE && (outcome.width != width || outcome.height != height))
    outcome = image_end(IMAGE_DAMAGED, "the size is not the one read before");
  if (outcome.status == IMAGE_DONE) {
    if (!api.decode(decoder.codec, decoder.stream, decoder.image) || !api.finish(decoder.codec, decoder.stream))
      outcome = failure(&decoder, "its samples cannot be decoded");
    else
      outcome = copy_pixels(decoder.image, pixels, width, height);
  }
  end(&decoder);
  return outcome;
}
