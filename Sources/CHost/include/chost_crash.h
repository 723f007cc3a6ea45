#ifndef WORKBENCH_CHOST_CRASH_H
#define WORKBENCH_CHOST_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The longest terminal restore sequence, in bytes.
#define CHOST_RESTORE_LIMIT 4096
/// The maximum length of a plugin's name in the journal, including the terminating NUL.
#define CHOST_PLUGIN_LIMIT 48
/// The maximum length of a phase's name.
#define CHOST_PHASE_LIMIT 16
/// The maximum length of a position in a script, including the terminating NUL.
#define CHOST_PLACE_LIMIT 256
/// The maximum length of a command's or screen's name.
#define CHOST_COMMAND_LIMIT 96
/// The maximum number of concurrent calls into plugins that are recorded.
#define CHOST_CALL_LIMIT 32
/// The number of values that identify the state of a library file.
#define CHOST_IDENTITY_LIMIT 5
/// The maximum number of plugin libraries that are distinguished.
#define CHOST_RANGE_LIMIT 128

/// A call into a plugin. The host writes it before entering; the signal handler reads it.
typedef struct {
  /// 0 while the slot is free, otherwise the position in the order of all calls, counted from 1.
  uint32_t order;
  /// The thread that entered; a command may continue on others.
  int32_t thread;
  char plugin[CHOST_PLUGIN_LIMIT];
  char phase[CHOST_PHASE_LIMIT];
  char command[CHOST_COMMAND_LIMIT];
} chost_call;

/// The state of a process in its journal.
typedef enum {
  /// The process is running, or ended without a record, such as by SIGKILL.
  chost_journal_running = 0,
  /// A signal raised by its own code ended it.
  chost_journal_crashed = 1,
  /// The culprit called `exit` or a similar function.
  chost_journal_exited = 2,
  /// It ended while it probed the culprit.
  chost_journal_probing = 3,
} chost_journal_state;

/// The journal of a process, as stored in its file.
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

/// Gives the calling thread a stack for the handler, freed when the thread ends; cheap if it has one.
void chost_crash_prepare_thread(void);

/// Sets how to restore the terminal: bytes are written to `fd`, then `attributes` set on it.
///
/// With bytes, that is for a full screen, text for standard error goes where descriptor 1 leads until the terminal is
/// restored or this is cleared, if it would go to a terminal.
///
/// \param attributes is a `struct termios`, or null.
/// \returns false if the sequence is too long.
bool chost_crash_set_restore(int fd, const uint8_t *bytes, size_t count, const void *attributes);

/// Prepares `chost_rescue_start`, before the first `chost_crash_set_restore`.
///
/// - Returns: a descriptor of the terminal for `chost_rescue_start`; -1 where a rescue process was prepared before or
///   there can be none.
int chost_rescue_prepare(int terminal);

/// Starts a process that restores the terminal if this one is killed or stopped before it could do so. It ends with
/// this process. Safe on every thread.
///
/// \param terminal the descriptor of `chost_rescue_prepare`, which this call closes.
void chost_rescue_start(int terminal);

/// Clears the data for restoring the terminal, which has been restored.
void chost_crash_clear_restore(void);

/// Restores the terminal now, if it was not; safe in a signal handler and on every thread.
void chost_crash_restore(void);

/// Restores the terminal before the process ends: other threads can no longer draw on it. Otherwise as
/// `chost_crash_restore`.
void chost_crash_restore_alone(void);

/// Sets whether TERM and HUP restore the terminal before they end the process; existing handlers are kept. For one
/// thread at a time.
void chost_crash_restore_at_end(bool restores);

/// Returns the descriptor of the terminal to restore; -1 for none.
int chost_crash_terminal(void);

/// Makes Ctrl-C a signal on the terminal to restore, or reverts that. For one thread only.
void chost_crash_allow_interrupt(bool allow);

/// Sets the line of the running script, `file:line`, which a crash report names; empty for none. For one thread at a
/// time.
void chost_crash_set_place(const char *place);

/// Opens the journal file of this process, locked and mapped.
///
/// \returns the journal, or null with errno set.
chost_journal *chost_journal_open(const char *path);

/// Reads the journal of an ended process and removes its file.
///
/// \returns 1 if it was read, 0 if its process is alive, -1 if the file is not a journal (it is then removed too).
int chost_journal_collect(const char *path, chost_journal *journal);

/// Records that a child process is probing a plugin: if this process ends meanwhile, the plugin ended it.
void chost_journal_begin_probe(
  const char *plugin, const char *phase, const int64_t identity[CHOST_IDENTITY_LIMIT]);

/// Records the end of the probe.
void chost_journal_end_probe(void);

/// Removes the journal file of this process.
void chost_journal_remove(void);

/// Records the addresses of a plugin's library, so that a crash can be attributed to it.
///
/// \param address any address in the library, such as that of its entry function.
/// \param identity the numbers of the file's state.
void chost_crash_add_library(
  const char *plugin, const void *address, const int64_t identity[CHOST_IDENTITY_LIMIT]);

/// Records that a plugin's code is about to run. Makes no system call.
///
/// \returns the slot to leave, -1 if all are in use.
int chost_call_enter(const char *plugin, const char *phase, const char *command);

/// Records that the code returned.
void chost_call_leave(int slot);

/// Finds the plugin of the newest call that has not returned.
///
/// \returns false if there is none.
bool chost_call_newest(char plugin[CHOST_PLUGIN_LIMIT]);

/// Finds the plugin of the newest call that has not returned, or else of the one that returned last.
///
/// \returns false if no plugin was called.
bool chost_call_latest(char plugin[CHOST_PLUGIN_LIMIT]);

/// Records that the event loop runs on the calling thread. Makes no system call after a thread's first.
void chost_crash_note_loop_thread(void);

/// Finds the plugin whose code the loop's thread is running, by interrupting it.
///
/// \returns false if it runs no plugin's code, or does not respond within 100 ms.
bool chost_sample_loop_thread(char plugin[CHOST_PLUGIN_LIMIT]);

#endif
