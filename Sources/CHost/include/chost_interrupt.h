#ifndef WORKBENCH_CHOST_INTERRUPT_H
#define WORKBENCH_CHOST_INTERRUPT_H

#include <stdbool.h>

/// Takes SIGINT: the first one makes the returned descriptor readable; one that finds the last still untaken
/// restores the terminal and ends the process with status 130, whatever the other threads are doing.
///
/// \returns a descriptor to watch for reading, the same at every call; -1 with errno set.
int chost_interrupt_install(void);

/// Tells that the loop saw the interrupt.
void chost_interrupt_taken(void);

/// Makes Ctrl-C a signal on the terminal that the crash restore sequence is for, or puts back what was.
void chost_interrupt_allow_from_terminal(bool allow);

#endif
