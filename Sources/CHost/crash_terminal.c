#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "chost_signals.h"
#include "crash_state.h"

/// The data needed to restore the terminal.
typedef struct {
  /// The terminal's descriptor; -1 while there is nothing to restore. The thread that takes it restores the terminal.
  atomic_int terminal;
  uint8_t sequence[CHOST_RESTORE_LIMIT];
  size_t count;
  bool has_attributes;
  /// The process that set this; children of a plugin's fork leave the terminal alone.
  pid_t owner;
  /// The line settings to restore, and those that the program works with.
  struct termios attributes, present;
} restoring;

static restoring own = {.terminal = -1};
/// Shared with the rescue process once there is one.
static restoring *_Atomic current = &own;

/// A copy of standard error while a full screen is on the terminal; -1 otherwise.
static atomic_int standard_error = -1;

/// Keeps text for standard error off the full screen: it goes where descriptor 1 leads.
static void hold_standard_error(void) {
  if (atomic_load(&standard_error) >= 0 || !isatty(STDERR_FILENO)) return;
  int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 64);
  if (copy >= 0 && dup2(STDOUT_FILENO, STDERR_FILENO) >= 0) atomic_store(&standard_error, copy);
}

static void release_standard_error(void) {
  int copy = atomic_exchange(&standard_error, -1);
  if (copy < 0) return;
  dup2(copy, STDERR_FILENO);
  close(copy);
}

bool chost_crash_set_restore(int fd, const uint8_t *bytes, size_t count, const void *attributes) {
  restoring *state = atomic_load(&current);
  if (count > sizeof state->sequence) return false;
  atomic_store(&state->terminal, -1);
  if (count) memcpy(state->sequence, bytes, count);
  state->count = count;
  state->owner = getpid();
  state->has_attributes = attributes && tcgetattr(fd, &state->present) == 0;
  if (attributes) state->attributes = *(const struct termios *)attributes;
  atomic_store(&state->terminal, fd);
  // Without a sequence only line settings are restored, and prompts are written to standard error.
  if (count) hold_standard_error();
  return true;
}

void chost_crash_clear_restore(void) {
  // In this order: another thread that finds nothing to restore may write to standard error.
  release_standard_error();
  atomic_store(&atomic_load(&current)->terminal, -1);
}

int chost_crash_terminal(void) { return atomic_load(&atomic_load(&current)->terminal); }

/// Writes the sequence; stops if the terminal accepts nothing for half a second.
static void write_sequence(const restoring *state, int fd) {
  for (size_t done = 0; done < state->count;) {
    ssize_t count = write(fd, state->sequence + done, state->count - done);
    if (count > 0) {
      done += (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      struct pollfd ready = {fd, POLLOUT, 0};
      if (poll(&ready, 1, 500) == 0) return;
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

/// Gives the terminal's open file a new descriptor, and redirects the one that frames are written to.
///
/// - Returns: the descriptor to write to; the same one if no other is available.
static int taken_from_others(int fd) {
  int own_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  bool is_taken = own_fd >= 0 && nothing >= 0 && dup2(nothing, fd) >= 0;
  if (nothing >= 0) close(nothing);
  return is_taken ? own_fd : fd;
}

static void restore(bool is_alone) {
  restoring *state = atomic_load(&current);
  if (state->owner != getpid()) return;
  int fd = atomic_exchange(&state->terminal, -1);
  if (fd < 0) return;
  release_standard_error();
  // Drawing threads continue until the process ends, and would draw over its last message.
  if (is_alone) fd = taken_from_others(fd);
  // A process in the background would be stopped for accessing its terminal.
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  write_sequence(state, fd);
  if (state->has_attributes) tcsetattr(fd, TCSANOW, &state->attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void chost_crash_restore(void) { restore(false); }

void chost_crash_restore_alone(void) { restore(true); }

bool crash_share_restore(void) {
  void *shared = mmap(NULL, sizeof(restoring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return false;
  memcpy(shared, &own, sizeof own);
  atomic_store(&current, shared);
  return true;
}

/// Returns true if the line settings are still the program's; a shell that owns the terminal again may have set its
/// own.
static bool is_unchanged(const restoring *state, int fd) {
  struct termios now;
  if (tcgetattr(fd, &now) != 0) return false;
  const struct termios *then = &state->present;
  // The watchdog switches ISIG.
  return now.c_iflag == then->c_iflag && now.c_oflag == then->c_oflag && now.c_cflag == then->c_cflag &&
         ((now.c_lflag ^ then->c_lflag) & ~(tcflag_t)ISIG) == 0;
}

void crash_rescue_terminal(int fd) {
  restoring *state = atomic_load(&current);
  if (atomic_exchange(&state->terminal, -1) < 0) return;
  bool sets_attributes = state->has_attributes && is_unchanged(state, fd);
  write_sequence(state, fd);
  if (sets_attributes) tcsetattr(fd, TCSANOW, &state->attributes);
}

static void end_restored(int number) {
  chost_crash_restore();
  struct sigaction standard = {0};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, NULL);
  // Ends the process as soon as this returns: until then it is blocked.
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
      taken[index] = chost_signal_set(numbers[index], &own) == 0;
    } else if (taken[index]) {
      chost_signal_set(numbers[index], &standard);
      taken[index] = false;
    }
  }
}

void chost_crash_allow_interrupt(bool allow) {
  static bool allowed;
  static struct termios before;
  int fd = chost_crash_terminal();
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
