#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash_state.h"

typedef struct {
  uintptr_t start, end;
  char plugin[CHOST_PLUGIN_LIMIT];
  int64_t identity[CHOST_IDENTITY_LIMIT];
} range;

static range ranges[CHOST_RANGE_LIMIT];
static atomic_int range_count;

typedef struct {
  uintptr_t address;
  range found;
} range_search;

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  range_search *search = context;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + segment->p_vaddr;
    if (from < start) start = from;
    if (from + segment->p_memsz > end) end = from + segment->p_memsz;
  }
  if (search->address < start || search->address >= end) return 0;
  search->found.start = start;
  search->found.end = end;
  return 1;
}

void chost_crash_add_library(
  const char *plugin, const void *address, const int64_t identity[CHOST_IDENTITY_LIMIT]) {
  range_search search = {.address = (uintptr_t)address};
  int index = atomic_load(&range_count);
  if (index >= CHOST_RANGE_LIMIT || dl_iterate_phdr(note_object, &search) == 0) return;
  crash_copy(search.found.plugin, plugin, CHOST_PLUGIN_LIMIT);
  memcpy(search.found.identity, identity, sizeof search.found.identity);
  ranges[index] = search.found;
  atomic_store(&range_count, index + 1);
}

const int64_t *crash_identity_of(const char *plugin) {
  int count = atomic_load(&range_count);
  for (int index = 0; index < count; index++) {
    if (strcmp(plugin, ranges[index].plugin) == 0) return ranges[index].identity;
  }
  return NULL;
}

static const char *plugin_of(uintptr_t address) {
  int count = atomic_load(&range_count);
  for (int index = 0; index < count; index++) {
    if (address >= ranges[index].start && address < ranges[index].end) return ranges[index].plugin;
  }
  return NULL;
}

/// Reads memory of this process that may not be there.
static bool peek(uintptr_t address, uintptr_t *words, size_t count) {
  struct iovec to = {words, count * sizeof *words}, from = {(void *)address, count * sizeof *words};
  int before = errno;
  ssize_t got = syscall(SYS_process_vm_readv, getpid(), &to, 1, &from, 1, 0);
  errno = before;
  return got == (ssize_t)(count * sizeof *words);
}

static const char *plugin_of_callers(uintptr_t frame) {
  for (int depth = 0; depth < 200 && frame % sizeof(uintptr_t) == 0; depth++) {
    uintptr_t words[2];
    if (!peek(frame, words, 2)) return NULL;
    const char *plugin = plugin_of(words[1]);
    if (plugin) return plugin;
    if (words[0] <= frame) return NULL;
    frame = words[0];
  }
  return NULL;
}

static const char *plugin_on_stack(uintptr_t stack) {
  stack -= stack % sizeof(uintptr_t);
  for (int block = 0; block < 16; block++, stack += 64 * sizeof(uintptr_t)) {
    uintptr_t words[64];
    if (!peek(stack, words, 64)) return NULL;
    for (int index = 0; index < 64; index++) {
      const char *plugin = plugin_of(words[index]);
      if (plugin) return plugin;
    }
  }
  return NULL;
}

const char *crash_plugin_above(uintptr_t code, uintptr_t frame, uintptr_t stack) {
  const char *plugin = plugin_of(code);
  if (!plugin) plugin = plugin_of_callers(frame);
  return plugin ? plugin : plugin_on_stack(stack);
}

const char *crash_plugin_at(const void *context) {
  const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  uintptr_t code = (uintptr_t)machine->gregs[REG_RIP], frame = (uintptr_t)machine->gregs[REG_RBP];
  uintptr_t stack = (uintptr_t)machine->gregs[REG_RSP];
#elif defined(__aarch64__)
  uintptr_t code = machine->pc, frame = machine->regs[29], stack = machine->sp;
#else
#error "tell how to read the machine state of a signal here"
#endif
#if defined(__aarch64__)
  if (!plugin_of(code) && plugin_of(machine->regs[30])) code = machine->regs[30];
#endif
  return crash_plugin_above(code, frame, stack);
}

// Sampling: the watchdog interrupts the loop's thread, whose handler looks where it is.

static atomic_int loop_thread;
static atomic_int sample_state;
static const char *_Atomic sample_result;

static int sample_signal(void) { return SIGRTMIN + 7; }

static void take_sample(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  atomic_store(&sample_result, crash_plugin_at(context));
  atomic_store(&sample_state, 2);
}

void chost_crash_note_loop_thread(void) {
  atomic_store_explicit(&loop_thread, crash_thread(), memory_order_relaxed);
}

bool chost_sample_loop_thread(char plugin[CHOST_PLUGIN_LIMIT]) {
  int thread = atomic_load(&loop_thread);
  struct sigaction action = {0};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(sample_signal(), &action, NULL);
  atomic_store(&sample_state, 1);
  if (thread == 0 || syscall(SYS_tgkill, getpid(), thread, sample_signal()) != 0) return false;
  const struct timespec millisecond = {0, 1000000};
  for (int turn = 0; turn < 100 && atomic_load(&sample_state) != 2; turn++) nanosleep(&millisecond, NULL);
  const char *found = atomic_load(&sample_state) == 2 ? atomic_load(&sample_result) : NULL;
  if (found) crash_copy(plugin, found, CHOST_PLUGIN_LIMIT);
  return found != NULL;
}
