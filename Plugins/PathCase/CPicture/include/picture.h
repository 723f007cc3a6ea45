#ifndef WORKBENCH_PICTURE_H
#define WORKBENCH_PICTURE_H

// The functions of cairo that PathCase uses; the library is loaded on first use.

#include <stddef.h>

/// A drawing surface. Not thread-safe.
typedef struct picture_sheet picture_sheet;

/// Receives bytes of the finished file; returns 0 to stop.
typedef int (*picture_sink)(void *context, const unsigned char *bytes, unsigned int count);

/// A color; its components and its opacity are from 0 to 1.
typedef struct {
  double red;
  double green;
  double blue;
  double cover;
} picture_colour;

/// A line of text; the position is that of its anchor on the baseline.
typedef struct {
  /// The text in UTF-8, terminated by a zero.
  const char *text;
  double x;
  double y;
  double size;
  /// The fraction of the text's width to the left of the position: 0, 0.5 or 1.
  double anchor;
  /// The maximum width of the text; wider letters are compressed.
  double width;
  int is_bold;
  int is_italic;
  picture_colour colour;
  /// The color of an outline around the letters, drawn unless it is transparent.
  picture_colour halo;
} picture_text;

/// Loads cairo, once.
///
/// Returns NULL, or the reason why it cannot be loaded.
const char *picture_open(void);

/// Begins a PDF of one page, in points; NULL if memory is exhausted. The title is zero-terminated UTF-8.
picture_sheet *picture_pdf(double width, double height, const char *title, picture_sink sink, void *context);

/// Begins a PNG, in pixels; NULL if memory is exhausted.
picture_sheet *picture_png(int width, int height);

/// Translates and scales all further drawing: a point becomes (point - corner) * scale.
void picture_view(picture_sheet *sheet, double left, double top, double scale);

void picture_move(picture_sheet *sheet, double x, double y);
void picture_line(picture_sheet *sheet, double x, double y);
void picture_curve(picture_sheet *sheet, double x1, double y1, double x2, double y2, double x, double y);
void picture_close(picture_sheet *sheet);

/// Fills the path and keeps it.
void picture_fill(picture_sheet *sheet, picture_colour colour);

/// Strokes the path and keeps it; `dashes` are alternating lengths of dashes and gaps.
void picture_stroke(picture_sheet *sheet, picture_colour colour, double width, const double *dashes, int count);

/// Begins a new path.
void picture_clear(picture_sheet *sheet);

/// Fills the whole sheet.
void picture_cover(picture_sheet *sheet, picture_colour colour);

void picture_write(picture_sheet *sheet, picture_text text);

/// Finishes a file and destroys the sheet; a PNG is sent to the sink, a PDF has already been sent.
///
/// Returns NULL, or the reason why the file is incomplete.
const char *picture_finish(picture_sheet *sheet, picture_sink sink, void *context);

/// Destroys a sheet without a file.
void picture_drop(picture_sheet *sheet);

#endif
