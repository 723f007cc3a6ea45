#ifndef WORKBENCH_CHOST_CHILD_H
#define WORKBENCH_CHOST_CHILD_H

#include <stddef.h>
#include <stdint.h>

/// The way a child process ended.
typedef enum {
  /// It ended on its own; `status` is its exit status.
  chost_child_exited = 0,
  /// A signal ended it; `status` is the signal.
  chost_child_signalled = 1,
  /// It was killed because it exceeded its time limit.
  chost_child_timed_out = 2,
  /// It was killed because it exceeded its output limit.
  chost_child_too_talkative = 3,
  /// It could not be started; `status` is the errno.
  chost_child_not_started = 4,
} chost_child_end;

/// The result of a child process.
typedef struct {
  chost_child_end end;
  int status;
  /// The bytes of its standard output; to be freed by the caller.
  uint8_t *output;
  size_t count;
} chost_child_result;

/// Runs a program with its standard input and error on /dev/null and collects its output.
///
/// The child is the leader of a process group of its own, which is killed as a whole at the end.
///
/// \param inherited a descriptor that the child has as 3, such as one with a lock that lasts as long as the child, or
///   -1; other descriptors are closed.
/// \param limit the maximum number of bytes of its output.
/// \param time_in_milliseconds the time limit; time spent waiting for a processor is not counted, up to four
///   times as much.
chost_child_result chost_run_child(
  const char *program, char *const arguments[], char *const environment[], int inherited, size_t limit,
  int time_in_milliseconds);

#endif
