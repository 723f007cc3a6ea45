#define _GNU_SOURCE
#include "chost_service.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { input, output, errors, failure, pipe_count };
enum { reading, writing };

static void close_open(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

static int limit_memory(uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  if (bytes < limit.rlim_max) limit.rlim_max = bytes;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_DATA, &limit);
}

/// The part of the new process until the program replaces it: only functions that are safe after `fork`.
static _Noreturn void become_service(
  pid_t parent, int ends[pipe_count][2], const char *program, char *const arguments[], char *const environment[],
  uint64_t memory_in_bytes) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before the line above.
  if (getppid() != parent) _exit(127);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct sigaction usual = {0};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  int error = 0;
  if (dup2(ends[input][reading], 0) < 0 || dup2(ends[output][writing], 1) < 0 || dup2(ends[errors][writing], 2) < 0) {
    error = errno;
  } else if (memory_in_bytes != 0 && limit_memory(memory_in_bytes) != 0) {
    error = errno;
  } else {
    // Libraries of plugins may have opened descriptors that programs inherit.
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    execve(program, arguments, environment);
    error = errno;
  }
  while (write(ends[failure][writing], &error, sizeof error) < 0 && errno == EINTR) {}
  _exit(127);
}

/// Waits until the program replaced the new process, which closes the pipe; returns the errno if it could not.
static int start_error(int descriptor) {
  int error = 0;
  ssize_t count;
  while ((count = read(descriptor, &error, sizeof error)) < 0 && errno == EINTR) {}
  return count == sizeof error ? error : 0;
}

int chost_service_start(
  const char *program, char *const arguments[], char *const environment[], uint64_t memory_in_bytes,
  chost_service *service) {
  int ends[pipe_count][2], error = 0;
  for (int index = 0; index < pipe_count; index++) ends[index][reading] = ends[index][writing] = -1;
  for (int index = 0; index < pipe_count && error == 0; index++) {
    if (pipe2(ends[index], O_CLOEXEC) != 0) error = errno;
  }
  pid_t pid = -1, parent = getpid();
  int end = -1;
  if (error == 0) {
    pid = fork();
    if (pid == 0) become_service(parent, ends, program, arguments, environment, memory_in_bytes);
    if (pid < 0) error = errno;
  }
  close_open(ends[input][reading]);
  for (int index = output; index < pipe_count; index++) close_open(ends[index][writing]);
  if (error == 0) error = start_error(ends[failure][reading]);
  if (error == 0) {
    end = (int)syscall(SYS_pidfd_open, pid, 0);
    if (end < 0) error = errno;
  }
  close_open(ends[failure][reading]);
  *service = (chost_service){pid, end, ends[input][writing], ends[output][reading], ends[errors][reading]};
  if (error == 0) {
    fcntl(service->input, F_SETFL, O_NONBLOCK);
    fcntl(service->output, F_SETFL, O_NONBLOCK);
    fcntl(service->errors, F_SETFL, O_NONBLOCK);
  } else if (pid > 0) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    chost_service_finish(service);
  } else {
    close_open(service->input);
    close_open(service->output);
    close_open(service->errors);
  }
  return error;
}

int chost_service_finish(const chost_service *service) {
  // Its number belongs to the group while the ended program was not waited for.
  siginfo_t ended;
  while (waitid(P_PID, (id_t)service->process, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  kill(-service->process, SIGKILL);
  int status = 0;
  while (waitpid(service->process, &status, 0) < 0 && errno == EINTR) {}
  close_open(service->end);
  close_open(service->input);
  close_open(service->output);
  close_open(service->errors);
  return status;
}
