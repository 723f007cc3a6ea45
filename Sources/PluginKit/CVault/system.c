#define _GNU_SOURCE

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "vault.h"

int vault_contains(const void *bytes, size_t count, const void *word, size_t word_count) {
  return memmem(bytes, count, word, word_count) != NULL;
}

void vault_leave_no_core(void) {
  struct rlimit cores;
  if (getrlimit(RLIMIT_CORE, &cores) == 0) {
    cores.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &cores);
  }
  // The limit does not hold where the kernel gives cores to a program; this does, and keeps debuggers of the user out.
  prctl(PR_SET_DUMPABLE, 0);
}
