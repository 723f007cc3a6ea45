#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "library.h"

struct picture_sheet {
  cairo_surface_t *surface;
  cairo_t *pen;
  int is_png;
  picture_sink sink;
  void *context;
};

static cairo_status_t pass(void *closure, const unsigned char *bytes, unsigned int count) {
  const picture_sheet *sheet = closure;
  if (!sheet->sink) return CAIRO_STATUS_SUCCESS;
  return sheet->sink(sheet->context, bytes, count) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static picture_sheet *ready(picture_sheet *sheet) {
  if (cairo.surface_status(sheet->surface)) {
    cairo.surface_destroy(sheet->surface);
    free(sheet);
    return NULL;
  }
  sheet->pen = cairo.create(sheet->surface);
  cairo.join(sheet->pen, CAIRO_LINE_JOIN_ROUND);
  // Letters have the same widths at every size, and only gray antialiasing: the same bytes on every screen.
  cairo_font_options_t *options = cairo.options();
  cairo.set_hints(options, CAIRO_HINT_STYLE_NONE);
  cairo.set_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo.set_smoothing(options, CAIRO_ANTIALIAS_GRAY);
  cairo.use_options(sheet->pen, options);
  cairo.destroy_options(options);
  return sheet;
}

picture_sheet *picture_pdf(double width, double height, const char *title, picture_sink sink, void *context) {
  if (picture_open()) return NULL;
  picture_sheet *sheet = calloc(1, sizeof *sheet);
  if (!sheet) return NULL;
  sheet->sink = sink;
  sheet->context = context;
  sheet->surface = cairo.pdf(pass, sheet, width, height);
  if (!cairo.surface_status(sheet->surface)) {
    cairo.pdf_metadata(sheet->surface, CAIRO_PDF_METADATA_TITLE, title);
    // The same picture always gives the same file, whenever it is written.
    cairo.pdf_metadata(sheet->surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  }
  return ready(sheet);
}

picture_sheet *picture_png(int width, int height) {
  if (picture_open()) return NULL;
  picture_sheet *sheet = calloc(1, sizeof *sheet);
  if (!sheet) return NULL;
  sheet->is_png = 1;
  sheet->surface = cairo.image(CAIRO_FORMAT_ARGB32, width, height);
  return ready(sheet);
}

void picture_view(picture_sheet *sheet, double left, double top, double scale) {
  cairo.scale(sheet->pen, scale, scale);
  cairo.translate(sheet->pen, -left, -top);
}

void picture_move(picture_sheet *sheet, double x, double y) { cairo.move(sheet->pen, x, y); }
void picture_line(picture_sheet *sheet, double x, double y) { cairo.line(sheet->pen, x, y); }
void picture_curve(picture_sheet *sheet, double x1, double y1, double x2, double y2, double x, double y) {
  cairo.curve(sheet->pen, x1, y1, x2, y2, x, y);
}
void picture_close(picture_sheet *sheet) { cairo.close(sheet->pen); }
void picture_clear(picture_sheet *sheet) { cairo.new_path(sheet->pen); }

static void use(const picture_sheet *sheet, picture_colour colour) {
  cairo.colour(sheet->pen, colour.red, colour.green, colour.blue, colour.cover);
}

void picture_fill(picture_sheet *sheet, picture_colour colour) {
  use(sheet, colour);
  cairo.fill(sheet->pen);
}

void picture_stroke(picture_sheet *sheet, picture_colour colour, double width, const double *dashes, int count) {
  use(sheet, colour);
  cairo.width(sheet->pen, width);
  cairo.dashes(sheet->pen, dashes, count, 0);
  cairo.stroke(sheet->pen);
}

void picture_cover(picture_sheet *sheet, picture_colour colour) {
  use(sheet, colour);
  cairo.paint(sheet->pen);
}

// Fonts that are tried in turn for letters that the earlier ones lack.
static const char *const faces[] = {"Helvetica", "DejaVu Sans", "Noto Sans CJK SC", "sans-serif"};
enum { FACES = sizeof faces / sizeof *faces };

static void use_face(cairo_t *pen, const picture_text *text, int face) {
  cairo.face(
    pen, faces[face], text->is_italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
    text->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo.size(pen, text->size);
}

/// Returns the number of bytes in the first character of a UTF-8 text.
static int letter(const char *text) {
  int count = 1;
  while ((text[count] & 0xC0) == 0x80) count++;
  return count;
}

/// Returns the first font that has a letter; the first of all if none has.
static int face_of(cairo_t *pen, const picture_text *text, const char *bytes, int count) {
  if (count == 1) return 0;
  for (int face = 0; face < FACES; face++) {
    use_face(pen, text, face);
    cairo_glyph_t room[8], *glyphs = room;
    int found = 8;
    cairo_status_t status =
      cairo.glyphs(cairo.scaled(pen), 0, 0, bytes, count, &glyphs, &found, NULL, NULL, NULL);
    int is_there = !status && found > 0;
    for (int index = 0; !status && index < found; index++) is_there &= glyphs[index].index != 0;
    if (!status && glyphs != room) cairo.free_glyphs(glyphs);
    if (is_there) return face;
  }
  return 0;
}

/// Calls `draw` to measure, outline or show each part of a text that has a single font.
static double run(cairo_t *pen, const picture_text *text, char *buffer, void (*draw)(cairo_t *, const char *)) {
  double width = 0;
  const char *rest = text->text;
  while (*rest) {
    int count = letter(rest);
    int face = face_of(pen, text, rest, count);
    while (rest[count]) {
      int next = letter(rest + count);
      if (face_of(pen, text, rest + count, next) != face) break;
      count += next;
    }
    memcpy(buffer, rest, (size_t)count);
    buffer[count] = 0;
    use_face(pen, text, face);
    cairo_text_extents_t extents;
    cairo.extents(pen, buffer, &extents);
    if (draw) {
      cairo.move(pen, width, 0);
      draw(pen, buffer);
    }
    width += extents.x_advance;
    rest += count;
  }
  return width;
}

void picture_write(picture_sheet *sheet, picture_text text) {
  cairo_t *pen = sheet->pen;
  char *buffer = malloc(strlen(text.text) + 1);
  if (!buffer) return;
  cairo.save(pen);
  double width = run(pen, &text, buffer, NULL);
  double narrowed = width > text.width && text.width > 0 ? text.width / width : 1;
  cairo.translate(pen, text.x - text.anchor * width * narrowed, text.y);
  if (narrowed < 1) cairo.scale(pen, narrowed, 1);
  if (text.halo.cover > 0) {
    cairo.new_path(pen);
    run(pen, &text, buffer, cairo.outline);
    use(sheet, text.halo);
    cairo.width(pen, text.size * 0.28);
    cairo.dashes(pen, NULL, 0, 0);
    cairo.stroke_away(pen);
  }
  use(sheet, text.colour);
  run(pen, &text, buffer, cairo.show);
  cairo.new_path(pen);
  cairo.restore(pen);
  free(buffer);
}

const char *picture_finish(picture_sheet *sheet, picture_sink sink, void *context) {
  cairo_status_t status = cairo.status(sheet->pen);
  if (!status && sheet->is_png) {
    sheet->sink = sink;
    sheet->context = context;
    status = cairo.write_png(sheet->surface, pass, sheet);
  }
  if (!status) {
    cairo.surface_finish(sheet->surface);
    status = cairo.surface_status(sheet->surface);
  }
  const char *words = status ? cairo.words(status) : NULL;
  picture_drop(sheet);
  return words;
}

void picture_drop(picture_sheet *sheet) {
  // A dropped sheet sends nothing.
  sheet->sink = NULL;
  cairo.destroy(sheet->pen);
  cairo.surface_destroy(sheet->surface);
  free(sheet);
}
