#define _GNU_SOURCE

#include <fcntl.h>
#include <string.h>

#include "vault.h"

int vault_contains(const void *bytes, size_t count, const void *word, size_t word_count) {
  return memmem(bytes, count, word, word_count) != NULL;
}

void vault_begin_writing(int descriptor, int64_t start, int64_t count) {
  sync_file_range(descriptor, start, count, SYNC_FILE_RANGE_WRITE);
}
