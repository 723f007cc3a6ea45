#define _GNU_SOURCE
#include "cbenchmark.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cbenchmark_open_terminal(int columns, int rows, char *name, size_t capacity) {
  int own = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (own < 0) return -1;
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  if (grantpt(own) == 0 && unlockpt(own) == 0 && ptsname_r(own, name, capacity) == 0 &&
      ioctl(own, TIOCSWINSZ, &size) == 0)
    return own;
  close(own);
  return -1;
}

pid_t cbenchmark_spawn(const char *terminal, char *const arguments[], char *const environment[]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  // The leader of a session takes the first terminal it opens as its own.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  pid_t process = -1;
  if (posix_spawnp(&process, arguments[0], &actions, &attributes, arguments, environment) != 0) process = -1;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return process;
}

ssize_t cbenchmark_find(const void *bytes, size_t count, const void *pattern, size_t length) {
  const char *place = memmem(bytes, count, pattern, length);
  return place ? place - (const char *)bytes : -1;
}
