#ifndef WORKBENCH_CHOST_DISPATCH_H
#define WORKBENCH_CHOST_DISPATCH_H

// The parts of libdispatch that C can use and Swift cannot import.

/// The kind of a libdispatch source; Swift cannot import the constants in its header.
typedef enum {
  chost_source_readable = 0,
  chost_source_writable = 1,
  chost_source_timer = 2,
} chost_source_kind;

/// The type to give to `dispatch_source_create`.
const struct dispatch_source_type_s *chost_source_type(chost_source_kind kind);

/// Releases a queue, source or semaphore: Swift holds them as plain pointers and may not call `dispatch_release`.
void chost_dispatch_release(void *object);

/// Runs the main queue on the calling thread, the first one of the process, for the rest of the process.
///
/// `dispatch_main` would leave that thread idle and start another one for the queue.
__attribute__((noreturn)) void chost_run_main_queue(void);

#endif
