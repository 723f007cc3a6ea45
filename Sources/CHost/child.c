#define _GNU_SOURCE
#include "chost_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_in_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Returns the milliseconds for which a process was ready but waited for a processor, as far as the system counts them.
static long long kept_waiting_in_milliseconds(pid_t pid) {
  char path[64];
  unsigned long long running, waiting = 0;
  snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  if (fscanf(file, "%llu %llu", &running, &waiting) != 2) waiting = 0;
  fclose(file);
  return (long long)(waiting / 1000000);
}

/// Returns the milliseconds a child has left; time spent waiting for a processor is not counted, up to four times its
/// limit.
static long long left_in_milliseconds(pid_t pid, long long start, int limit) {
  long long left = start + limit - now_in_milliseconds();
  if (left > 0) return left;
  long long waited = kept_waiting_in_milliseconds(pid);
  return left + (waited < 4LL * limit ? waited : 4LL * limit);
}

/// Starts the program with its standard output on a pipe; returns the errno, 0 on success.
static int start(
  pid_t *pid, int output, int inherited, const char *program, char *const arguments[], char *const environment[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  if (inherited >= 0) posix_spawn_file_actions_adddup2(&actions, inherited, 3);
  // The library must not reach files that the program inherited.
  posix_spawn_file_actions_addclosefrom_np(&actions, inherited >= 0 ? 4 : 3);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(
    &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  int error = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

typedef enum { still_open, closed, too_much } reading;

/// Reads the bytes in the pipe now.
static reading take(int input, chost_child_result *result, size_t limit) {
  uint8_t chunk[65536];
  for (;;) {
    ssize_t count = read(input, chunk, sizeof chunk);
    if (count == 0) return closed;
    if (count < 0) return errno == EINTR ? still_open : errno == EAGAIN ? still_open : closed;
    if (result->count + (size_t)count > limit) return too_much;
    uint8_t *grown = realloc(result->output, result->count + (size_t)count);
    if (!grown) return too_much;
    result->output = grown;
    __builtin_memcpy(grown + result->count, chunk, (size_t)count);
    result->count += (size_t)count;
  }
}

/// Waits until the child ends or exceeds a limit.
///
/// Its end counts, not that of its output: a process it started may keep the pipe open.
static void follow(pid_t pid, int input, size_t limit, int time_in_milliseconds, chost_child_result *result) {
  reading state = still_open;
  int status = 0, isEnded = 0;
  const long long start = now_in_milliseconds();
  result->end = chost_child_exited;
  while (!isEnded) {
    isEnded = waitpid(pid, &status, WNOHANG) == pid;
    if (state == still_open) state = take(input, result, limit);
    if (isEnded) break;
    long long left = left_in_milliseconds(pid, start, time_in_milliseconds);
    if (state == too_much || left <= 0) {
      result->end = state == too_much ? chost_child_too_talkative : chost_child_timed_out;
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
      return;
    }
    struct pollfd wait = {state == still_open ? input : -1, POLLIN, 0};
    // A closed pipe is followed by the end within microseconds.
    if (state == still_open) poll(&wait, 1, left < 20 ? (int)left : 20);
    else usleep(100);
  }
  kill(-pid, SIGKILL);
  if (WIFSIGNALED(status)) {
    result->end = chost_child_signalled;
    result->status = WTERMSIG(status);
  } else {
    result->status = WEXITSTATUS(status);
  }
}

chost_child_result chost_run_child(
  const char *program, char *const arguments[], char *const environment[], int inherited, size_t limit,
  int time_in_milliseconds) {
  chost_child_result result = {chost_child_not_started, 0, NULL, 0};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    result.status = errno;
    return result;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pid_t pid;
  result.status = start(&pid, ends[1], inherited, program, arguments, environment);
  close(ends[1]);
  if (result.status == 0) follow(pid, ends[0], limit, time_in_milliseconds, &result);
  close(ends[0]);
  return result;
}
