#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "crash_state.h"

static const char magic[8] = "WBCRASH";
enum { journal_version = 1 };

static chost_journal memory;
static chost_journal *_Atomic current = &memory;
static char file[PATH_MAX];

chost_journal *crash_journal(void) { return atomic_load(&current); }

int32_t crash_thread(void) {
  static _Thread_local int32_t thread;
  if (thread == 0) thread = gettid();
  return thread;
}

void crash_copy(char *target, const char *text, unsigned long limit) {
  unsigned long index = 0;
  for (; index + 1 < limit && text[index]; index++) target[index] = text[index];
  target[index] = 0;
}

chost_journal *chost_journal_open(const char *path) {
  if (crash_journal() != &memory) return crash_journal();
  char fresh[PATH_MAX];
  if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  // Locked before it gets its name: a process that finds the name without the lock knows that this one has ended.
  int fd = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return NULL;
  void *map = MAP_FAILED;
  // Blocks that are reserved cannot be missing later, when a write to the map would end the process.
  int error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? posix_fallocate(fd, 0, sizeof(chost_journal)) : errno;
  if (error == 0) {
    map = mmap(NULL, sizeof(chost_journal), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (map == MAP_FAILED || rename(fresh, path) != 0) {
    if (error == 0) error = errno;
    if (map != MAP_FAILED) munmap(map, sizeof(chost_journal));
    unlink(fresh);
    close(fd);
    errno = error;
    return NULL;
  }
  // The descriptor stays open for its lock.
  chost_journal *journal = map;
  memcpy(journal->magic, magic, sizeof magic);
  journal->version = journal_version;
  journal->process = getpid();
  strcpy(file, path);
  atomic_store(&current, journal);
  return journal;
}

int chost_journal_collect(const char *path, chost_journal *journal) {
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? -1 : 0;
  int result = 0;
  struct stat status;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    result = -1;
    // No link is left if another process collected it meanwhile.
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1) {
      ssize_t count = read(fd, journal, sizeof *journal);
      if (count == sizeof *journal && memcmp(journal->magic, magic, sizeof magic) == 0 &&
          journal->version == journal_version) {
        result = 1;
      }
      unlink(path);
    }
  }
  close(fd);
  return result;
}

void chost_journal_begin_probe(
  const char *plugin, const char *phase, const int64_t identity[CHOST_IDENTITY_LIMIT]) {
  chost_journal *journal = crash_journal();
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  journal->seconds = now.tv_sec;
  crash_copy(journal->culprit, plugin, sizeof journal->culprit);
  crash_copy(journal->phase, phase, sizeof journal->phase);
  memcpy(journal->identity, identity, sizeof journal->identity);
  __atomic_store_n(&journal->state, chost_journal_probing, __ATOMIC_RELEASE);
}

void chost_journal_end_probe(void) {
  chost_journal *journal = crash_journal();
  // Another thread may have crashed or ended the process meanwhile: its record stays.
  typeof(journal->state) state = chost_journal_probing;
  if (!__atomic_compare_exchange_n(
        &journal->state, &state, chost_journal_running, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return;
  journal->culprit[0] = journal->phase[0] = 0;
  memset(journal->identity, 0, sizeof journal->identity);
}

void chost_journal_remove(void) {
  if (file[0]) unlink(file);
  file[0] = 0;
}

static atomic_uint next_order = 1;

int chost_call_enter(const char *plugin, const char *phase, const char *command) {
  chost_journal *journal = crash_journal();
  // What failed before this call is none of its failures.
  errno = 0;
  unsigned order = atomic_fetch_add_explicit(&next_order, 1, memory_order_relaxed);
  for (int slot = 0; slot < CHOST_CALL_LIMIT; slot++) {
    chost_call *call = &journal->calls[slot];
    uint32_t free_slot = 0;
    if (!__atomic_compare_exchange_n(&call->order, &free_slot, order, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    call->thread = crash_thread();
    crash_copy(call->plugin, plugin, sizeof call->plugin);
    crash_copy(call->phase, phase, sizeof call->phase);
    crash_copy(call->command, command, sizeof call->command);
    return slot;
  }
  return -1;
}

static atomic_int last_slot = -1;

void chost_call_leave(int slot) {
  if (slot < 0 || slot >= CHOST_CALL_LIMIT) return;
  atomic_store_explicit(&last_slot, slot, memory_order_relaxed);
  __atomic_store_n(&crash_journal()->calls[slot].order, 0, __ATOMIC_RELEASE);
}

static const chost_call *newest(const char *plugin, int32_t thread, int *matches) {
  const chost_call *found = NULL;
  *matches = 0;
  for (int slot = 0; slot < CHOST_CALL_LIMIT; slot++) {
    const chost_call *call = &crash_journal()->calls[slot];
    if (call->order == 0 || (plugin && strcmp(call->plugin, plugin) != 0)) continue;
    if (thread && call->thread != thread) continue;
    *matches += 1;
    if (!found || call->order > found->order) found = call;
  }
  return found;
}

const chost_call *crash_call_of(const char *plugin) {
  int matches;
  if (plugin) return newest(plugin, 0, &matches);
  const chost_call *call = newest(NULL, crash_thread(), &matches);
  if (call) return call;
  // A command may continue on other threads: it can be identified if it is the only one.
  call = newest(NULL, 0, &matches);
  return matches == 1 ? call : NULL;
}

bool chost_call_newest(char plugin[CHOST_PLUGIN_LIMIT]) {
  int matches;
  const chost_call *call = newest(NULL, 0, &matches);
  if (call) crash_copy(plugin, call->plugin, CHOST_PLUGIN_LIMIT);
  return call != NULL;
}

bool chost_call_latest(char plugin[CHOST_PLUGIN_LIMIT]) {
  if (chost_call_newest(plugin)) return true;
  // The data of a call stays in its slot until the next one.
  int slot = atomic_load_explicit(&last_slot, memory_order_relaxed);
  if (slot >= 0) crash_copy(plugin, crash_journal()->calls[slot].plugin, CHOST_PLUGIN_LIMIT);
  return slot >= 0;
}
