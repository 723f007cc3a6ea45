#ifndef WORKBENCH_CHOST_CRASH_H
#define WORKBENCH_CHOST_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The longest terminal restore sequence, in bytes.
#define CHOST_RESTORE_LIMIT 4096
/// The longest name of a plugin kept in the journal, with its end mark.
#define CHOST_PLUGIN_LIMIT 48
/// The longest name of a phase.
#define CHOST_PHASE_LIMIT 16
/// The longest place in a script, with its end mark.
#define CHOST_PLACE_LIMIT 256
/// The longest name of a command or screen.
#define CHOST_COMMAND_LIMIT 96
/// How many calls into plugins are kept at a time.
#define CHOST_CALL_LIMIT 32
/// How many numbers tell one state of a library file from another.
#define CHOST_IDENTITY_LIMIT 5
/// How many plugin libraries are told apart.
#define CHOST_RANGE_LIMIT 128

/// One call into a plugin. The host writes it before entering; the signal handler reads it.
typedef struct {
  /// 0 while the slot is free, else the place in the order of all calls, counted from 1.
  uint32_t order;
  /// The thread that entered; a command may go on on others.
  int32_t thread;
  char plugin[CHOST_PLUGIN_LIMIT];
  char phase[CHOST_PHASE_LIMIT];
  char command[CHOST_COMMAND_LIMIT];
} chost_call;

/// What a journal says about the end of its process.
typedef enum {
  /// The process runs, or ended without a word: killed, say.
  chost_journal_running = 0,
  /// A signal of its own code ended it.
  chost_journal_crashed = 1,
  /// The culprit called `exit` or one of its kin.
  chost_journal_exited = 2,
  /// It ended while it probed the culprit.
  chost_journal_probing = 3,
} chost_journal_state;

/// The journal of a process, as it lies in its file.
typedef struct {
  char magic[8];
  uint32_t version;
  int32_t process;
  /// A `chost_journal_state`.
  uint32_t state;
  int32_t signal;
  int64_t seconds;
  char culprit[CHOST_PLUGIN_LIMIT];
  char phase[CHOST_PHASE_LIMIT];
  char command[CHOST_COMMAND_LIMIT];
  /// The state of the culprit's library file when it was loaded; zeros if unknown.
  int64_t identity[CHOST_IDENTITY_LIMIT];
  chost_call calls[CHOST_CALL_LIMIT];
} chost_journal;

/// Catches ILL, TRAP, ABRT, FPE, BUS, SEGV and QUIT, with a stack of its own on the calling thread. Once.
void chost_crash_install(void);

/// Gives the calling thread a stack for the handler, freed when the thread ends; cheap when it has one.
void chost_crash_prepare_thread(void);

/// Says how the terminal is restored: bytes written to `fd`, then `attributes` set on it.
///
/// \param attributes is a `struct termios`, or null.
/// \returns false if the sequence is too long.
bool chost_crash_set_restore(int fd, const uint8_t *bytes, size_t count, const void *attributes);

/// Prepares `chost_rescue_start`, before the first `chost_crash_set_restore`.
///
/// - Returns: a descriptor of the terminal for `chost_rescue_start`; -1 where a rescue process was prepared before or
///   there can be none.
int chost_rescue_prepare(int terminal);

/// Starts a process that restores the terminal when this one is killed or stopped before it could do so itself. It ends
/// with this process. Safe on every thread.
///
/// \param terminal the descriptor of `chost_rescue_prepare`, which this call closes.
void chost_rescue_start(int terminal);

/// Forgets how the terminal is restored: it was.
void chost_crash_clear_restore(void);

/// Restores the terminal now, if it was not; safe in a signal handler and on every thread.
void chost_crash_restore(void);

/// Says whether TERM and HUP restore the terminal before they end the process; whoever takes them already keeps them.
/// For one thread at a time.
void chost_crash_restore_at_end(bool restores);

/// The descriptor of the terminal that would be restored; -1 for none.
int chost_crash_terminal(void);

/// Makes Ctrl-C a signal on the terminal that would be restored, or puts back what was. For one thread only.
void chost_crash_allow_interrupt(bool allow);

/// Sets the line of the script that runs, `file:line`, which a crash names; empty for none. For one thread at a time.
void chost_crash_set_place(const char *place);

/// Opens the journal file of this process, locked and mapped.
///
/// \returns the journal, or null with errno set.
chost_journal *chost_journal_open(const char *path);

/// Reads the journal of a process that ended, and takes its file away.
///
/// \returns 1 if it was read, 0 if its process lives, -1 if the file is no journal (it is removed then too).
int chost_journal_collect(const char *path, chost_journal *journal);

/// Notes that a child process probes a plugin from now on: if this process ends meanwhile, the plugin ended it.
void chost_journal_begin_probe(
  const char *plugin, const char *phase, const int64_t identity[CHOST_IDENTITY_LIMIT]);

/// Notes that the probe is over.
void chost_journal_end_probe(void);

/// Takes the file of this process's journal away.
void chost_journal_remove(void);

/// Remembers which addresses are a plugin's, so that a crash can be told to be its.
///
/// \param address any address in the library, such as that of its entry function.
/// \param identity the numbers of the file's state.
void chost_crash_add_library(
  const char *plugin, const void *address, const int64_t identity[CHOST_IDENTITY_LIMIT]);

/// Notes that a plugin's code is about to run. Costs no system call.
///
/// \returns the slot to leave, -1 if all are taken.
int chost_call_enter(const char *plugin, const char *phase, const char *command);

/// Notes that the code returned.
void chost_call_leave(int slot);

/// The plugin of the newest call that has not returned.
///
/// \returns false if there is none.
bool chost_call_newest(char plugin[CHOST_PLUGIN_LIMIT]);

/// The plugin of the newest call that has not returned, else of the one that returned last.
///
/// \returns false if no plugin was called.
bool chost_call_latest(char plugin[CHOST_PLUGIN_LIMIT]);

/// Tells that the event loop runs on the calling thread from now on. Costs no system call after a thread's first.
void chost_crash_note_loop_thread(void);

/// The plugin whose code the loop's thread runs now, looked up by interrupting it.
///
/// \returns false if it runs no plugin's code, or does not answer within 100 ms.
bool chost_sample_loop_thread(char plugin[CHOST_PLUGIN_LIMIT]);

#endif
