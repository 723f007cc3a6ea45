#ifndef WORKBENCH_CHOST_PROCESS_H
#define WORKBENCH_CHOST_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns true if the process gained privileges at its start that its user lacks (set-uid, capabilities).
bool chost_is_privileged(void);

/// The exit status of a probe that ran out of memory.
#define CHOST_PROBE_OUT_OF_MEMORY 75

/// Makes this process a child that may crash: the kernel kills it when its parent ends, and it writes no core file.
void chost_become_child(void);

/// Makes this process a child with a limit of memory, at which it ends with `CHOST_PROBE_OUT_OF_MEMORY`.
void chost_become_probe(uint64_t memory_in_bytes);

/// Limits the writable memory of this process; a program that it starts may lift the limit, as a browser needs it.
///
/// \returns 0, or -1 with errno set.
int chost_limit_memory(uint64_t bytes);

/// Returns true if the latest failure of this thread is a lack of memory under a limit of `chost_limit_memory`.
///
/// \param error the value of errno.
bool chost_is_out_of_memory(int error);

/// The limit of `chost_limit_memory` in bytes; 0 if there is none.
uint64_t chost_memory_limit(void);

/// Returns true if the calling thread may run on a processor core; see sched_getaffinity(2).
///
/// \param core the number of the core, from 0.
bool chost_may_use_core(int core);

/// Binds a process that has just been started to a processor core; its threads inherit that.
///
/// \returns false if the system refuses.
bool chost_bind_to_core(int process, int core);

/// Lets a thread of any process use the processor cores that the calling thread may use.
///
/// \returns false if the system refuses.
bool chost_share_cores(int thread);

/// Opens a folder for reading its entries, without following a link in the last component.
///
/// \returns a file descriptor, or -1 with errno set.
int chost_open_folder(const char *path);

/// Opens a file for reading, without following a link in the last component and without ever waiting for it.
///
/// \returns a file descriptor, or -1 with errno set.
int chost_open_file(const char *path);

/// Returns the path of the library that holds an address, as the dynamic linker opened it; NULL if none does.
const char *chost_library_of(const void *address);

#endif
