#ifndef LIBRARY_H
#define LIBRARY_H

#include "image_decoders.h"

/// Opens a library by its file name.
///
/// - Returns: its handle, or NULL with the outcome filled in.
void *image_open(const char *file, const char *package, image_outcome *outcome);

/// Finds a function; on failure fills in the outcome.
void *image_find(void *library, const char *name, const char *package, image_outcome *outcome);

/// Returns the outcome of a call.
image_outcome image_end(image_status status, const char *message);

#endif
