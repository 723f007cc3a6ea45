#ifndef WORKBENCH_CRASH_STATE_H
#define WORKBENCH_CRASH_STATE_H

// What the files of the crash handling share.

#include <stdint.h>

#include "chost_crash.h"

/// The journal in use: the mapped file, or memory while there is none. Never null.
chost_journal *crash_journal(void);

/// The kernel's number of the calling thread.
int32_t crash_thread(void);

/// Notes in the journal how the process ends and whose fault it is; leaves the culprit empty if none can be told.
///
/// \param plugin the plugin known from the addresses; null if none is.
void crash_mark(chost_journal_state state, int signal, const char *plugin);

/// The plugin that owns the code at an address, one of its callers by frame pointers, or a return address on the stack.
///
/// \returns the plugin's name, or null. Safe in a signal handler.
const char *crash_plugin_above(uintptr_t code, uintptr_t frame, uintptr_t stack);

/// The plugin that owns the code at the machine state of a signal: the instruction, then the callers by frame
/// pointers, then return addresses on the stack.
///
/// \returns the plugin's name, or null. Safe in a signal handler.
const char *crash_plugin_at(const void *context);

/// The state of a plugin's library file when it was loaded; null if it was not.
const int64_t *crash_identity_of(const char *plugin);

/// The call into a plugin that a crash belongs to; null if none can be told.
///
/// \param plugin the plugin known from the addresses; null if none is.
const chost_call *crash_call_of(const char *plugin);

/// Keeps what is needed to restore the terminal in memory that child processes share.
///
/// \returns false if there is no memory.
bool crash_share_restore(void);

/// Restores the terminal for a process that crashed; what other threads write to it from then on goes nowhere.
void crash_restore_alone(void);

/// Restores the terminal for the program, from the rescue process.
///
/// \param fd the rescue process's descriptor of the terminal.
void crash_rescue_terminal(int fd);

/// Copies a text with its end mark, cut to fit.
void crash_copy(char *target, const char *text, unsigned long limit);

#endif
