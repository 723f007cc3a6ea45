#ifndef WORKBENCH_OPENING_H
#define WORKBENCH_OPENING_H

/// A C library that is opened at first use, so that programs that may not need it do not load it.
typedef struct {
  void *handle;
  /// The reason why it cannot be used, one sentence; empty if it can.
  char problem[256];
} opened_library;

/// Opens a library by its file name; once, and never closed.
///
/// - Returns: 1, or 0 with the problem set.
int opened_library_open(opened_library *library, const char *file);

/// Finds a function of an open library.
///
/// - Returns: the function, or NULL with the problem set.
void *opened_library_find(opened_library *library, const char *name);

#endif
