#define _GNU_SOURCE

#include "writing.h"

#include <fcntl.h>

void begin_writing(int descriptor, int64_t start, int64_t count) {
  sync_file_range(descriptor, start, count, SYNC_FILE_RANGE_WRITE);
}
