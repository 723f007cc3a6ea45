#ifndef WORKBENCH_CHOST_SIGNALS_H
#define WORKBENCH_CHOST_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/// Keeps the actions that INT, TERM, HUP and PIPE have now.
void chost_signals_keep(void);

/// Sets the action of a signal and keeps it: `chost_signals_rearm` sets it again if a plugin changed it.
///
/// \returns 0, or -1 with errno set.
int chost_signal_set(int number, const struct sigaction *action);

/// Takes a signal: from now on each one makes the returned descriptor, of an eventfd, readable.
///
/// Child processes start with the usual action. A signal has one descriptor, which stays open.
///
/// \returns -1 with errno set if there is none.
int chost_signal_watch(int number);

/// Sets the kept actions again where they were changed, and lets the calling thread receive these signals. One system
/// call for each of them and one more.
void chost_signals_rearm(void);

#endif
