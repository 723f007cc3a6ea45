#define _GNU_SOURCE
#include <termios.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "chost_crash.h"

// How the terminal is restored. `terminal` is -1 while there is nothing to restore; whoever takes it restores.
static atomic_int terminal = -1;
static uint8_t sequence[CHOST_RESTORE_LIMIT];
static size_t sequence_count;
static struct termios saved;
static bool has_saved;

bool chost_crash_set_restore(int fd, const uint8_t *bytes, size_t count, const void *attributes) {
  if (count > sizeof sequence) return false;
  atomic_store(&terminal, -1);
  if (count) memcpy(sequence, bytes, count);
  sequence_count = count;
  has_saved = attributes != NULL;
  if (attributes) saved = *(const struct termios *)attributes;
  atomic_store(&terminal, fd);
  return true;
}

void chost_crash_clear_restore(void) { atomic_store(&terminal, -1); }

int chost_crash_terminal(void) { return atomic_load(&terminal); }

void chost_crash_restore(void) {
  int fd = atomic_exchange(&terminal, -1);
  if (fd < 0) return;
  // A process in the background would be stopped for touching its terminal.
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0 && flags & O_NONBLOCK) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
  for (size_t done = 0; done < sequence_count;) {
    ssize_t count = write(fd, sequence + done, sequence_count - done);
    if (count <= 0) break;
    done += (size_t)count;
  }
  if (has_saved) tcsetattr(fd, TCSANOW, &saved);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_restored(int number) {
  chost_crash_restore();
  struct sigaction standard = {0};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, NULL);
  // Ends the process as soon as this returns: until then it is held back.
  raise(number);
}

void chost_crash_restore_at_end(bool restores) {
  static const int numbers[] = {SIGTERM, SIGHUP};
  enum { count = sizeof numbers / sizeof numbers[0] };
  static bool taken[count];
  struct sigaction standard = {0}, own = {0}, found;
  standard.sa_handler = SIG_DFL;
  own.sa_handler = end_restored;
  for (int index = 0; index < count; index++) {
    if (restores) {
      if (taken[index] || sigaction(numbers[index], NULL, &found) != 0) continue;
      if (found.sa_flags & SA_SIGINFO || found.sa_handler != SIG_DFL) continue;
      taken[index] = sigaction(numbers[index], &own, NULL) == 0;
    } else if (taken[index]) {
      sigaction(numbers[index], &standard, NULL);
      taken[index] = false;
    }
  }
}

void chost_crash_allow_interrupt(bool allow) {
  static bool allowed;
  static struct termios before;
  int fd = atomic_load(&terminal);
  if (fd < 0 || allow == allowed) return;
  struct termios now;
  if (allow) {
    if (tcgetattr(fd, &now) != 0 || now.c_lflag & ISIG) return;
    before = now;
    now.c_lflag |= ISIG;
    allowed = tcsetattr(fd, TCSANOW, &now) == 0;
  } else {
    tcsetattr(fd, TCSANOW, &before);
    allowed = false;
  }
}
