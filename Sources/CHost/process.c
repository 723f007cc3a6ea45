#define _GNU_SOURCE
#include "chost_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>

bool chost_is_privileged(void) { return getauxval(AT_SECURE) != 0; }

void chost_become_probe(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

int chost_open_folder(const char *path) {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int chost_open_file(const char *path) {
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int chost_exchange(const char *first, const char *second) {
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}
