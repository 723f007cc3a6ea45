#ifndef WORKBENCH_OPENING_H
#define WORKBENCH_OPENING_H

/// A C library that is opened when it is first used, so that programs which only might use it do not load it.
typedef struct {
  void *handle;
  /// Why it cannot be used, one sentence; empty if it can.
  char problem[256];
} opened_library;

/// Opens a library by its file name; once, and never closed.
///
/// - Returns: 1, or 0 with the problem told.
int opened_library_open(opened_library *library, const char *file);

/// Finds a function of an open library.
///
/// - Returns: the function, or NULL with the problem told.
void *opened_library_find(opened_library *library, const char *name);

#endif
