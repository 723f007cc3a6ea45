#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "chost_crash.h"

// A stack for the crash handler on every thread: the thread's own may be what overflowed.

enum { stack_size = 256 * 1024 };

static pthread_key_t stack_key;
static bool has_key;

static void free_stack(void *stack) {
  const stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(stack, stack_size);
}

static void make_key(void) { has_key = pthread_key_create(&stack_key, free_stack) == 0; }

void chost_crash_prepare_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local bool has_stack;
  if (has_stack) return;
  has_stack = true;
  pthread_once(&once, make_key);
  stack_t present;
  if (!has_key || sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  void *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return;
  const stack_t own = {.ss_sp = stack, .ss_size = stack_size};
  if (sigaltstack(&own, NULL) != 0 || pthread_setspecific(stack_key, stack) != 0) free_stack(stack);
}

// The sanitizers have a pthread_create of their own in the same place.
#if defined(__has_feature) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

typedef void *(*thread_routine)(void *);
typedef int (*create_function)(pthread_t *, const pthread_attr_t *, thread_routine, void *);

typedef struct {
  thread_routine routine;
  void *argument;
} beginning;

static void *begin(void *context) {
  const beginning thread = *(beginning *)context;
  free(context);
  chost_crash_prepare_thread();
  return thread.routine(thread.argument);
}

/// Replaces the C library's function for every library of the process, so that no thread starts unprepared: neither
/// those of libdispatch nor those of a plugin.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_routine routine, void *argument) {
  static _Atomic(create_function) found;
  create_function next = atomic_load_explicit(&found, memory_order_acquire);
  if (!next) {
    next = (create_function)dlsym(RTLD_NEXT, "pthread_create");
    if (!next) return ENOSYS;
    atomic_store_explicit(&found, next, memory_order_release);
  }
  beginning *context = malloc(sizeof *context);
  if (!context) return EAGAIN;
  *context = (beginning){routine, argument};
  int error = next(thread, attributes, begin, context);
  if (error != 0) free(context);
  return error;
}

#endif
