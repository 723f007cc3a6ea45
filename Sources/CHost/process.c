#define _GNU_SOURCE
#include "chost_process.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "chost_crash.h"
#include "chost_exit.h"

bool chost_is_privileged(void) { return getauxval(AT_SECURE) != 0; }

bool chost_may_use_core(int core) {
  cpu_set_t set;
  return core < CPU_SETSIZE && sched_getaffinity(0, sizeof set, &set) == 0 && CPU_ISSET(core, &set);
}

bool chost_bind_to_core(int process, int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(process, sizeof set, &set) == 0;
}

bool chost_share_cores(int thread) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(thread, sizeof set, &set) == 0;
}

static _Atomic uint64_t memory_limit;

static int limit_memory(uint64_t bytes, bool is_final) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  if (limit.rlim_max < bytes) bytes = limit.rlim_max;
  limit.rlim_cur = bytes;
  if (is_final) limit.rlim_max = bytes;
  if (setrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  memory_limit = bytes;
  return 0;
}

int chost_limit_memory(uint64_t bytes) { return limit_memory(bytes, false); }

uint64_t chost_memory_limit(void) { return memory_limit; }

bool chost_is_out_of_memory(int error) { return memory_limit != 0 && error == ENOMEM; }

/// Ends a probe that ran out of memory; any other crash ends it by its signal.
static void end_probe(int signal) {
  if (chost_is_out_of_memory(errno)) chost_end(CHOST_PROBE_OUT_OF_MEMORY);
  raise(signal);
}

void chost_become_child(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void chost_become_probe(uint64_t memory_in_bytes) {
  static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV};
  chost_become_child();
  limit_memory(memory_in_bytes, true);
  chost_crash_prepare_thread();
  struct sigaction action = {0};
  action.sa_handler = end_probe;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (unsigned index = 0; index < sizeof signals / sizeof signals[0]; index++) {
    sigaction(signals[index], &action, NULL);
  }
}

int chost_open_folder(const char *path) {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int chost_open_file(const char *path) {
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

const char *chost_library_of(const void *address) {
  // dladdr would look at every symbol of the library.
  struct dl_find_object found;
  return _dl_find_object((void *)address, &found) == 0 ? found.dlfo_link_map->l_name : NULL;
}
