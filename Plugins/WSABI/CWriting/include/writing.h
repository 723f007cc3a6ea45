#ifndef WORKBENCH_WRITING_H
#define WORKBENCH_WRITING_H

#include <stdint.h>

/// Starts writing a part of a file to the device, without waiting for it.
void begin_writing(int descriptor, int64_t start, int64_t count);

#endif
