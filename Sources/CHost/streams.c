#define _GNU_SOURCE
#include "chost_streams.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

void chost_open_standard_streams(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is taken: all below are open. As glibc does for set-uid programs (csu/check_fds.c), the
    // file is opened for the wrong direction.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

static int output = STDOUT_FILENO;

static void duplicate(void) {
  // Above the numbers that programs expect for files of their own.
  int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64);
  if (copy >= 0) output = copy;
}

int chost_standard_output(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, duplicate);
  return output;
}

int chost_divert_standard_output(void) {
  int ends[2];
  if (chost_standard_output() == STDOUT_FILENO || pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  chost_replace_standard_output(ends[1]);
  close(ends[1]);
  return ends[0];
}

int chost_replace_standard_output(int descriptor) {
  fflush(stdout);
  // A process that ends without the C library's clean-up must not lose what is in a buffer.
  setvbuf(stdout, NULL, _IONBF, 0);
  return dup2(descriptor, STDOUT_FILENO);
}

int chost_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }
