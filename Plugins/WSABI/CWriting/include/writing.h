#ifndef WORKBENCH_WRITING_H
#define WORKBENCH_WRITING_H

#include <stdint.h>

/// Lets the device begin with a part of a file, without waiting for it.
void begin_writing(int descriptor, int64_t start, int64_t count);

#endif
