#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chost_process.h"
#include "chost_signals.h"
#include "crash_state.h"

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGQUIT};
enum { signal_count = sizeof signals / sizeof signals[0] };
static struct sigaction previous[signal_count];
static atomic_int crashing_thread;
static pid_t watched_process;

static const char *name_of(int signal) {
  switch (signal) {
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGABRT: return "SIGABRT";
    case SIGFPE: return "SIGFPE";
    case SIGBUS: return "SIGBUS";
    case SIGSEGV: return "SIGSEGV";
    default: return "SIGQUIT";
  }
}

/// Returns true if another process sent the signal: then no plugin is to blame.
static bool is_foreign(int signal, const siginfo_t *info) {
  return signal == SIGQUIT || (info->si_code <= 0 && info->si_pid != getpid());
}

void crash_mark(chost_journal_state state, int signal, const char *plugin) {
  chost_journal *journal = crash_journal();
  const chost_call *call = crash_call_of(plugin);
  if (!plugin && call) plugin = call->plugin;
  if (plugin) {
    crash_copy(journal->culprit, plugin, sizeof journal->culprit);
    const int64_t *identity = crash_identity_of(plugin);
    for (int index = 0; identity && index < CHOST_IDENTITY_LIMIT; index++) journal->identity[index] = identity[index];
  }
  if (call) {
    crash_copy(journal->phase, call->phase, sizeof journal->phase);
    crash_copy(journal->command, call->command, sizeof journal->command);
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  journal->seconds = now.tv_sec;
  journal->signal = signal;
  __atomic_store_n(&journal->state, state, __ATOMIC_RELEASE);
}

/// Replaces standard input: the runtime's backtracer waits for a key on a terminal, and there is none any more.
static void take_stdin_away(void) {
  if (!isatty(0)) return;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, 0);
}

static void append(char *line, size_t *count, size_t limit, const char *text) {
  for (; *text && *count < limit; text++) line[(*count)++] = *text;
}

static void append_number(char *line, size_t *count, size_t limit, uint64_t number) {
  char digits[24];
  int index = sizeof digits - 1;
  digits[index] = 0;
  do digits[--index] = (char)('0' + number % 10);
  while (number /= 10);
  append(line, count, limit, digits + index);
}

static char script_place[CHOST_PLACE_LIMIT];

void chost_crash_set_place(const char *place) { crash_copy(script_place, place, sizeof script_place); }

static void say(int signal, bool is_out_of_memory) {
  const chost_journal *journal = crash_journal();
  if (!journal->culprit[0]) return;
  char line[768];
  size_t count = 0, limit = sizeof line - 1;
  append(line, &count, limit, script_place[0] ? script_place : "workbench");
  append(line, &count, limit, ": plugin '");
  append(line, &count, limit, journal->culprit);
  append(line, &count, limit, is_out_of_memory ? "' ran out of memory" : "' crashed");
  if (journal->phase[0]) {
    append(line, &count, limit, " in ");
    append(line, &count, limit, journal->phase);
  }
  if (journal->command[0]) {
    append(line, &count, limit, " '");
    append(line, &count, limit, journal->command);
    append(line, &count, limit, "'");
  }
  if (is_out_of_memory) {
    append(line, &count, limit, ": the limit is ");
    append_number(line, &count, limit, chost_memory_limit() >> 20);
    append(line, &count, limit, " MB [host.out-of-memory]; raise it with 'workbench config set host.memory-limit'\n");
  } else {
    append(line, &count, limit, " with ");
    append(line, &count, limit, name_of(signal));
    append(line, &count, limit, " [host.plugin-crashed]; it is quarantined at the next start\n");
  }
  if (write(2, line, count) < 0) return;
}

static void call_previous(int signal, siginfo_t *info, void *context) {
  for (int index = 0; index < signal_count; index++) {
    if (signals[index] != signal) continue;
    const struct sigaction *action = &previous[index];
    if (action->sa_flags & SA_SIGINFO) {
      if (action->sa_sigaction) action->sa_sigaction(signal, info, context);
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
      action->sa_handler(signal);
    }
  }
}

static void end_by(int signal) {
  struct sigaction standard = {0};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void handle(int signal, siginfo_t *info, void *context) {
  // A child process made by `fork` ends on its own: terminal and journal belong to its parent.
  if (getpid() != watched_process) return end_by(signal);
  bool is_out_of_memory = chost_is_out_of_memory(errno);
  int nobody = 0;
  if (!atomic_compare_exchange_strong(&crashing_thread, &nobody, crash_thread())) {
    if (nobody == crash_thread()) end_by(signal);
    // Another thread crashed first and ends the process.
    for (;;) pause();
  }
  chost_crash_restore_alone();
  take_stdin_away();
  // Running out of memory under the user's own limit does not quarantine the plugin.
  chost_journal_state state = is_out_of_memory ? chost_journal_running : chost_journal_crashed;
  if (!is_foreign(signal, info)) crash_mark(state, signal, crash_plugin_at(context));
  call_previous(signal, info, context);
  say(signal, is_out_of_memory);
  end_by(signal);
}

static void install(void) {
  watched_process = getpid();
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  // Nothing is blocked: the backtracer reads memory that may not be there and catches the faults.
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < signal_count; index++) {
    sigaction(signals[index], NULL, &previous[index]);
    chost_signal_set(signals[index], &action);
  }
}

void chost_crash_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  chost_crash_prepare_thread();
}
