#include "chost_dispatch.h"

#include <poll.h>
#include <stdint.h>
#include <unistd.h>

// As libdispatch's headers declare them; they lie where a C compiler does not look.
extern const struct dispatch_source_type_s _dispatch_source_type_read;
extern const struct dispatch_source_type_s _dispatch_source_type_write;
extern const struct dispatch_source_type_s _dispatch_source_type_timer;
extern void dispatch_release(void *object);
// For run loops of others, such as the one of Foundation.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

void chost_dispatch_release(void *object) { dispatch_release(object); }

const struct dispatch_source_type_s *chost_source_type(chost_source_kind kind) {
  switch (kind) {
    case chost_source_readable: return &_dispatch_source_type_read;
    case chost_source_writable: return &_dispatch_source_type_write;
    case chost_source_timer: return &_dispatch_source_type_timer;
  }
  return 0;
}

void chost_run_main_queue(void) {
  struct pollfd wake = {.fd = _dispatch_get_main_queue_handle_4CF(), .events = POLLIN};
  for (;;) {
    uint64_t count;
    if (poll(&wake, 1, -1) != 1 || read(wake.fd, &count, sizeof count) != sizeof count) continue;
    _dispatch_main_queue_callback_4CF(0);
  }
}
