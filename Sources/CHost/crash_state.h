#ifndef WORKBENCH_CRASH_STATE_H
#define WORKBENCH_CRASH_STATE_H

// The declarations shared by the files of the crash handling.

#include <stdint.h>

#include "chost_crash.h"

/// Returns the journal in use: the mapped file, or memory while there is none. Never null.
chost_journal *crash_journal(void);

/// Returns the kernel's number of the calling thread.
int32_t crash_thread(void);

/// Records the end of the process and its culprit in the journal; leaves the culprit empty if it is unknown.
///
/// \param plugin the plugin known from the addresses; null if none is.
void crash_mark(chost_journal_state state, int signal, const char *plugin);

/// Returns the plugin that owns the code at an address, one of its callers by frame pointers, or a return address on
/// the stack.
///
/// \returns the plugin's name, or null. Safe in a signal handler.
const char *crash_plugin_above(uintptr_t code, uintptr_t frame, uintptr_t stack);

/// Returns the plugin that owns the code at the machine state of a signal: the instruction, then the callers by frame
/// pointers, then return addresses on the stack.
///
/// \returns the plugin's name, or null. Safe in a signal handler.
const char *crash_plugin_at(const void *context);

/// Returns the state of a plugin's library file when it was loaded; null if it was not.
const int64_t *crash_identity_of(const char *plugin);

/// Returns the call into a plugin that a crash belongs to; null if it is unknown.
///
/// \param plugin the plugin known from the addresses; null if none is.
const chost_call *crash_call_of(const char *plugin);

/// Stores the data needed to restore the terminal in memory shared with child processes.
///
/// \returns false if there is no memory.
bool crash_share_restore(void);

/// Restores the terminal for the program, from the rescue process.
///
/// \param fd the rescue process's descriptor of the terminal.
void crash_rescue_terminal(int fd);

/// Copies a text with its terminating NUL, cut to fit.
void crash_copy(char *target, const char *text, unsigned long limit);

#endif
