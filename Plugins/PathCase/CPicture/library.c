#include "library.h"

#include <pthread.h>

#include "opening.h"
#include "picture.h"

struct cairo_functions cairo;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  if (!opened_library_open(&library, "libcairo.so.2")) return;
  cairo.pdf = find("cairo_pdf_surface_create_for_stream");
  cairo.pdf_metadata = find("cairo_pdf_surface_set_metadata");
  cairo.image = find("cairo_image_surface_create");
  cairo.write_png = find("cairo_surface_write_to_png_stream");
  cairo.surface_status = find("cairo_surface_status");
  cairo.surface_finish = find("cairo_surface_finish");
  cairo.surface_destroy = find("cairo_surface_destroy");
  cairo.create = find("cairo_create");
  cairo.destroy = find("cairo_destroy");
  cairo.status = find("cairo_status");
  cairo.words = find("cairo_status_to_string");
  cairo.save = find("cairo_save");
  cairo.restore = find("cairo_restore");
  cairo.scale = find("cairo_scale");
  cairo.translate = find("cairo_translate");
  cairo.new_path = find("cairo_new_path");
  cairo.move = find("cairo_move_to");
  cairo.line = find("cairo_line_to");
  cairo.curve = find("cairo_curve_to");
  cairo.close = find("cairo_close_path");
  cairo.colour = find("cairo_set_source_rgba");
  cairo.fill = find("cairo_fill_preserve");
  cairo.stroke = find("cairo_stroke_preserve");
  cairo.stroke_away = find("cairo_stroke");
  cairo.paint = find("cairo_paint");
  cairo.width = find("cairo_set_line_width");
  cairo.dashes = find("cairo_set_dash");
  cairo.join = find("cairo_set_line_join");
  cairo.face = find("cairo_select_font_face");
  cairo.size = find("cairo_set_font_size");
  cairo.extents = find("cairo_text_extents");
  cairo.show = find("cairo_show_text");
  cairo.outline = find("cairo_text_path");
  cairo.scaled = find("cairo_get_scaled_font");
  cairo.glyphs = find("cairo_scaled_font_text_to_glyphs");
  cairo.free_glyphs = find("cairo_glyph_free");
  cairo.options = find("cairo_font_options_create");
  cairo.destroy_options = find("cairo_font_options_destroy");
  cairo.set_hints = find("cairo_font_options_set_hint_style");
  cairo.set_metrics = find("cairo_font_options_set_hint_metrics");
  cairo.set_smoothing = find("cairo_font_options_set_antialias");
  cairo.use_options = find("cairo_set_font_options");
}

const char *picture_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}
