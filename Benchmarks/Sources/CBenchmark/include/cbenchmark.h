#ifndef CBENCHMARK_H
#define CBENCHMARK_H

// What Swift's Glibc module does not show, because it is there for _GNU_SOURCE and _XOPEN_SOURCE only.

#include <stddef.h>
#include <sys/types.h>

/// Opens a pseudoterminal of a size; its other side is called `name`.
///
/// Gives the file descriptor of the terminal's own side, -1 if there is none to be had.
int cbenchmark_open_terminal(int columns, int rows, char *name, size_t capacity);

/// Starts a program as the leader of a session in a terminal; gives its process id, -1 if it cannot be started.
pid_t cbenchmark_spawn(const char *terminal, char *const arguments[], char *const environment[]);

/// The place of the first occurrence of a pattern, -1 for none.
ssize_t cbenchmark_find(const void *bytes, size_t count, const void *pattern, size_t length);

#endif
