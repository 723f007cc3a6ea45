#ifndef WORKBENCH_CRASH_STATE_H
#define WORKBENCH_CRASH_STATE_H

// What the files of the crash handling share.

#include <stdint.h>

#include "chost_crash.h"

/// The journal in use: the mapped file, or memory while there is none. Never null.
chost_journal *crash_journal(void);

/// The kernel's number of the calling thread.
int32_t crash_thread(void);

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

/// Copies a text with its end mark, cut to fit.
void crash_copy(char *target, const char *text, unsigned long limit);

#endif
