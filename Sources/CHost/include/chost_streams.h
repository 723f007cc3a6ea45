#ifndef WORKBENCH_CHOST_STREAMS_H
#define WORKBENCH_CHOST_STREAMS_H

/// Opens those of the descriptors 0 to 2 that are closed, so that no file of the program gets their numbers.
///
/// Reading from or writing to one of them fails with EBADF, as it does on a closed descriptor.
void chost_open_standard_streams(void);

/// Returns a duplicate of the standard output the process was started with; no child process inherits it.
int chost_standard_output(void);

/// Puts descriptor 1 on a pipe, and C's `stdout` with it.
///
/// \returns the descriptor to read from without waiting, or -1 with errno set.
int chost_divert_standard_output(void);

/// Redirects standard output to another open descriptor, without a buffer from now on.
///
/// \returns -1 if that is not open.
int chost_replace_standard_output(int descriptor);

/// Waits for a connection to a socket that listens; no child process inherits it.
///
/// \returns its descriptor, or -1 with errno set.
int chost_accept(int listener);

#endif
