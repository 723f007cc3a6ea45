#include "cyajl.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

static int mark(void *context) {
  ((cyajl_sum *)context)->events++;
  return 1;
}

static int flag(void *context, int value) {
  (void)value;
  return mark(context);
}

static int number(void *context, const char *text, size_t count) {
  (void)text;
  ((cyajl_sum *)context)->bytes += count;
  return mark(context);
}

static int text(void *context, const unsigned char *text, size_t count) {
  (void)text;
  ((cyajl_sum *)context)->bytes += count;
  return mark(context);
}

static const yajl_callbacks callbacks = {
  .yajl_null = mark,
  .yajl_boolean = flag,
  .yajl_number = number,
  .yajl_string = text,
  .yajl_start_map = mark,
  .yajl_map_key = text,
  .yajl_end_map = mark,
  .yajl_start_array = mark,
  .yajl_end_array = mark,
};

int cyajl_read(const uint8_t *document, size_t count, size_t piece, int checks_text, cyajl_sum *sum) {
  yajl_handle handle = yajl_alloc(&callbacks, NULL, sum);
  if (!handle) return -1;
  if (!checks_text) yajl_config(handle, yajl_dont_validate_strings, 1);
  yajl_status status = yajl_status_ok;
  uint8_t *buffer = malloc(piece);
  for (size_t place = 0; buffer && place < count && status == yajl_status_ok; place += piece) {
    size_t part = count - place < piece ? count - place : piece;
    memcpy(buffer, document + place, part);
    status = yajl_parse(handle, buffer, part);
  }
  free(buffer);
  if (status == yajl_status_ok) status = yajl_complete_parse(handle);
  yajl_free(handle);
  return status == yajl_status_ok ? 0 : -1;
}
