#define _GNU_SOURCE
#include "chost_exit.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crash_state.h"

static _Atomic(chost_exit_handler) watcher;
static pid_t watched_process;
static atomic_int ending_thread;

void chost_end(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/// Passes the end of the process to the watcher; returns if there is none, or if this is a child process.
static void intercept(uintptr_t caller, uintptr_t frame) {
  chost_exit_handler handler = atomic_load(&watcher);
  if (!handler || getpid() != watched_process) return;
  int nobody = 0;
  if (!atomic_compare_exchange_strong(&ending_thread, &nobody, crash_thread())) {
    if (nobody == crash_thread()) return;
    // Another thread ends the process.
    for (;;) pause();
  }
  crash_mark(chost_journal_exited, 0, crash_plugin_above(caller, frame, frame));
  const chost_journal *journal = crash_journal();
  handler(journal->culprit, journal->phase, journal->command);
}

/// Catches functions of the C library that call `exit` within it, such as err(3).
static void intercept_cleanup(void) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  intercept((uintptr_t)__builtin_return_address(0), frame);
}

typedef void (*exit_function)(int);

static exit_function next_exit, next_quick_exit;

void chost_exit_watch(chost_exit_handler handler) {
  // Now: a child process made by `fork` may not ask the dynamic linker.
  next_exit = (exit_function)dlsym(RTLD_NEXT, "exit");
  next_quick_exit = (exit_function)dlsym(RTLD_NEXT, "quick_exit");
  watched_process = getpid();
  atomic_store(&watcher, handler);
  atexit(intercept_cleanup);
}

// The program's own functions take precedence over the C library's in every library the process opens.

#define INTERCEPT() intercept((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0))

_Noreturn void exit(int status) {
  INTERCEPT();
  exit_function next = next_exit ? next_exit : (exit_function)dlsym(RTLD_NEXT, "exit");
  if (next) next(status);
  chost_end(status);
}

_Noreturn void quick_exit(int status) {
  INTERCEPT();
  exit_function next = next_quick_exit ? next_quick_exit : (exit_function)dlsym(RTLD_NEXT, "quick_exit");
  if (next) next(status);
  chost_end(status);
}

_Noreturn void _exit(int status) {
  INTERCEPT();
  chost_end(status);
}

_Noreturn void _Exit(int status) {
  INTERCEPT();
  chost_end(status);
}
