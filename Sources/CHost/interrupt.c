#define _GNU_SOURCE
#include "chost_interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "chost_crash.h"

static int ends[2] = {-1, -1};
static atomic_int untaken;

static void handle(int signal) {
  (void)signal;
  int before = errno;
  if (atomic_fetch_add(&untaken, 1) > 0) {
    static const char line[] = "workbench: interrupted while busy [host.interrupted]\n";
    chost_crash_restore();
    chost_journal_remove();
    if (write(2, line, sizeof line - 1) < 0) _exit(130);
    _exit(130);
  }
  char byte = 1;
  if (write(ends[1], &byte, 1) < 0) errno = before;
  errno = before;
}

int chost_interrupt_install(void) {
  if (ends[0] >= 0) return ends[0];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action = {0};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  if (sigaction(SIGINT, &action, NULL) != 0) return -1;
  return ends[0];
}

void chost_interrupt_taken(void) {
  char bytes[64];
  while (read(ends[0], bytes, sizeof bytes) > 0) {}
  atomic_store(&untaken, 0);
}
