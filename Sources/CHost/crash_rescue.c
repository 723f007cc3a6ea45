#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "chost_exit.h"
#include "crash_state.h"

// The rescue process: a copy of this process that only waits for its end. The process has many threads, so the copy
// calls nothing that takes a lock.

enum { milliseconds_between_looks = 500 };

/// Returns true if a process is stopped (proc_pid_stat(5): the state follows the name in parentheses).
static bool is_stopped(const char *path) {
  char text[512];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (count <= 0) return false;
  text[count] = 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'T';
}

static void write_path(char *path, pid_t process) {
  char digits[16];
  int count = 0;
  for (; process > 0; process /= 10) digits[count++] = (char)('0' + process % 10);
  char *end = stpcpy(path, "/proc/");
  while (count > 0) *end++ = digits[--count];
  strcpy(end, "/stat");
}

static _Noreturn void watch(pid_t process, int handle, int terminal) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  prctl(PR_SET_NAME, "workbench-rescue");
  // Nobody may read the copy of the program's memory.
  prctl(PR_SET_DUMPABLE, 0);
  // A signal for the program's group, such as from the keyboard, is not meant for this process.
  setpgid(0, 0);
  // Only the terminal stays open: readers of the program's output must see its end.
  if (dup2(terminal, 0) < 0 || dup2(handle, 1) < 0) chost_end(1);
  syscall(SYS_close_range, 2U, ~0U, 0U);
  char path[32];
  write_path(path, process);
  for (;;) {
    struct pollfd end = {1, POLLIN, 0};
    int count = poll(&end, 1, milliseconds_between_looks);
    if (count == 0 && is_stopped(path)) crash_rescue_terminal(0);
    if (count > 0) {
      crash_rescue_terminal(0);
      chost_end(0);
    }
  }
}

int chost_rescue_prepare(int terminal) {
  static bool isPrepared;
  if (isPrepared || !crash_share_restore()) return -1;
  isPrepared = true;
  return fcntl(terminal, F_DUPFD_CLOEXEC, 3);
}

void chost_rescue_start(int terminal) {
  pid_t process = getpid();
  int handle = (int)syscall(SYS_pidfd_open, process, 0);
  // A child without a signal at its end: a plugin that waits for its own children does not meet it.
  if (handle >= 0 && syscall(SYS_clone, 0, 0, 0, 0, 0) == 0) watch(process, handle, terminal);
  if (handle >= 0) close(handle);
  close(terminal);
}
