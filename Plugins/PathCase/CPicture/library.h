#ifndef WORKBENCH_PICTURE_LIBRARY_H
#define WORKBENCH_PICTURE_LIBRARY_H

#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>

/// The functions of cairo, available once `picture_open` has returned NULL.
extern struct cairo_functions {
  cairo_surface_t *(*pdf)(cairo_write_func_t, void *, double, double);
  void (*pdf_metadata)(cairo_surface_t *, cairo_pdf_metadata_t, const char *);
  cairo_surface_t *(*image)(cairo_format_t, int, int);
  cairo_status_t (*write_png)(cairo_surface_t *, cairo_write_func_t, void *);
  cairo_status_t (*surface_status)(cairo_surface_t *);
  void (*surface_finish)(cairo_surface_t *);
  void (*surface_destroy)(cairo_surface_t *);
  cairo_t *(*create)(cairo_surface_t *);
  void (*destroy)(cairo_t *);
  cairo_status_t (*status)(cairo_t *);
  const char *(*words)(cairo_status_t);
  void (*save)(cairo_t *);
  void (*restore)(cairo_t *);
  void (*scale)(cairo_t *, double, double);
  void (*translate)(cairo_t *, double, double);
  void (*new_path)(cairo_t *);
  void (*move)(cairo_t *, double, double);
  void (*line)(cairo_t *, double, double);
  void (*curve)(cairo_t *, double, double, double, double, double, double);
  void (*close)(cairo_t *);
  void (*colour)(cairo_t *, double, double, double, double);
  void (*fill)(cairo_t *);
  void (*stroke)(cairo_t *);
  void (*stroke_away)(cairo_t *);
  void (*paint)(cairo_t *);
  void (*width)(cairo_t *, double);
  void (*dashes)(cairo_t *, const double *, int, double);
  void (*join)(cairo_t *, cairo_line_join_t);
  void (*face)(cairo_t *, const char *, cairo_font_slant_t, cairo_font_weight_t);
  void (*size)(cairo_t *, double);
  void (*extents)(cairo_t *, const char *, cairo_text_extents_t *);
  void (*show)(cairo_t *, const char *);
  void (*outline)(cairo_t *, const char *);
  cairo_scaled_font_t *(*scaled)(cairo_t *);
  cairo_status_t (*glyphs)(
    cairo_scaled_font_t *, double, double, const char *, int, cairo_glyph_t **, int *, cairo_text_cluster_t **, int *,
    cairo_text_cluster_flags_t *);
  void (*free_glyphs)(cairo_glyph_t *);
  cairo_font_options_t *(*options)(void);
  void (*destroy_options)(cairo_font_options_t *);
  void (*set_hints)(cairo_font_options_t *, cairo_hint_style_t);
  void (*set_metrics)(cairo_font_options_t *, cairo_hint_metrics_t);
  void (*set_smoothing)(cairo_font_options_t *, cairo_antialias_t);
  void (*use_options)(cairo_t *, const cairo_font_options_t *);
} cairo;

#endif
