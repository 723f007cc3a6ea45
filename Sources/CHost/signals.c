#define _GNU_SOURCE
#include "chost_signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { number_limit = 32 };

typedef struct {
  bool is_kept;
  struct sigaction action;
} kept_signal;

static kept_signal kept[number_limit];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static atomic_int descriptors[number_limit];  // of an eventfd, plus 1
static _Atomic pid_t owner;

static int keep(int number, const struct sigaction *action) {
  if (number <= 0 || number >= number_limit) {
    errno = EINVAL;
    return -1;
  }
  kept[number] = (kept_signal){true, *action};
  return 0;
}

void chost_signals_keep(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  pthread_mutex_lock(&lock);
  for (unsigned index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) == 0) keep(numbers[index], &action);
  }
  pthread_mutex_unlock(&lock);
}

int chost_signal_set(int number, const struct sigaction *action) {
  pthread_mutex_lock(&lock);
  int result = sigaction(number, action, NULL);
  if (result == 0) result = keep(number, action);
  pthread_mutex_unlock(&lock);
  return result;
}

static void note(int number) {
  // A child of a plugin's fork has the same eventfd.
  if (getpid() != atomic_load(&owner)) return;
  int before = errno;
  const uint64_t one = 1;
  if (write(atomic_load(&descriptors[number]) - 1, &one, sizeof one) < 0) errno = before;
  errno = before;
}

int chost_signal_watch(int number) {
  if (number <= 0 || number >= number_limit) {
    errno = EINVAL;
    return -1;
  }
  if (atomic_load(&descriptors[number]) == 0) {
    int created = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), none = 0;
    if (created < 0) return -1;
    if (!atomic_compare_exchange_strong(&descriptors[number], &none, created + 1)) close(created);
  }
  atomic_store(&owner, getpid());
  struct sigaction action = {0};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  return chost_signal_set(number, &action) == 0 ? atomic_load(&descriptors[number]) - 1 : -1;
}

static bool is_same(const struct sigaction *first, const struct sigaction *second) {
  // `sa_handler` and `sa_sigaction` share their place.
  return first->sa_handler == second->sa_handler;
}

void chost_signals_rearm(void) {
  sigset_t numbers;
  sigemptyset(&numbers);
  pthread_mutex_lock(&lock);
  for (int number = 1; number < number_limit; number++) {
    struct sigaction present;
    if (!kept[number].is_kept) continue;
    sigaddset(&numbers, number);
    if (sigaction(number, NULL, &present) != 0 || is_same(&present, &kept[number].action)) continue;
    sigaction(number, &kept[number].action, NULL);
  }
  pthread_mutex_unlock(&lock);
  pthread_sigmask(SIG_UNBLOCK, &numbers, NULL);
}
