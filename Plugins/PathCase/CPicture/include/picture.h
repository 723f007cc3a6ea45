#ifndef WORKBENCH_PICTURE_H
#define WORKBENCH_PICTURE_H

// What PathCase uses of cairo, which is opened at the first use.

#include <stddef.h>

/// A sheet that is drawn on. Not for use from several threads at once.
typedef struct picture_sheet picture_sheet;

/// Takes bytes of the finished file; returns 0 once it wants no more.
typedef int (*picture_sink)(void *context, const unsigned char *bytes, unsigned int count);

/// A colour, its parts and its cover from 0 to 1.
typedef struct {
  double red;
  double green;
  double blue;
  double cover;
} picture_colour;

/// A line of text; the place is that of its anchor on the baseline.
typedef struct {
  /// UTF-8 up to a zero.
  const char *text;
  double x;
  double y;
  double size;
  /// Which share of the text's width is left of the place: 0, 0.5 or 1.
  double anchor;
  /// What the text takes at most; wider letters are made narrower.
  double width;
  int is_bold;
  int is_italic;
  picture_colour colour;
  /// Drawn around the letters if it covers something.
  picture_colour halo;
} picture_text;

/// Opens cairo, once.
///
/// Returns NULL, or why it cannot be opened.
const char *picture_open(void);

/// Begins a PDF of one page, in points; NULL if memory ends. The title is UTF-8 up to a zero.
picture_sheet *picture_pdf(double width, double height, const char *title, picture_sink sink, void *context);

/// Begins a PNG, in pixels; NULL if memory ends.
picture_sheet *picture_png(int width, int height);

/// Moves and enlarges what is drawn from now on: a place becomes (place - corner) * scale.
void picture_view(picture_sheet *sheet, double left, double top, double scale);

void picture_move(picture_sheet *sheet, double x, double y);
void picture_line(picture_sheet *sheet, double x, double y);
void picture_curve(picture_sheet *sheet, double x1, double y1, double x2, double y2, double x, double y);
void picture_close(picture_sheet *sheet);

/// Fills the path and keeps it.
void picture_fill(picture_sheet *sheet, picture_colour colour);

/// Draws the path's line and keeps it; dashes are lengths of dashes and gaps by turns.
void picture_stroke(picture_sheet *sheet, picture_colour colour, double width, const double *dashes, int count);

/// Begins a new path.
void picture_clear(picture_sheet *sheet);

/// Covers all of the sheet.
void picture_cover(picture_sheet *sheet, picture_colour colour);

void picture_write(picture_sheet *sheet, picture_text text);

/// Ends a file, and the sheet with it; a PNG goes to the sink, a PDF has been sent there.
///
/// Returns NULL, or why the file is not whole.
const char *picture_finish(picture_sheet *sheet, picture_sink sink, void *context);

/// Ends a sheet without a file.
void picture_drop(picture_sheet *sheet);

#endif
