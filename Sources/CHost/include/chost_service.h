#ifndef WORKBENCH_CHOST_SERVICE_H
#define WORKBENCH_CHOST_SERVICE_H

#include <stdint.h>

/// A program that serves this one, with its standard streams on pipes.
typedef struct {
  int process;
  /// A descriptor that is readable once the program ended.
  int end;
  /// The descriptor to write its standard input to; writing never waits.
  int input;
  /// The descriptors to read its standard output and error from; reading never waits.
  int output;
  int errors;
} chost_service;

/// Starts a program as the leader of a process group of its own, without a core file and without a way to more
/// privileges. The kernel kills it when the calling thread ends.
///
/// \param memory_in_bytes its limit of writable memory; 0 for none.
/// \returns 0 or the errno.
int chost_service_start(
  const char *program, char *const arguments[], char *const environment[], uint64_t memory_in_bytes,
  chost_service *service);

/// Kills the processes of an ended program's group, waits for the program and closes the descriptors.
///
/// \returns its status as of `waitpid`.
int chost_service_finish(const chost_service *service);

#endif
