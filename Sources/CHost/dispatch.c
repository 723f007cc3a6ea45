#include "chost_dispatch.h"

// As libdispatch's headers declare them; they lie where a C compiler does not look.
extern const struct dispatch_source_type_s _dispatch_source_type_read;
extern const struct dispatch_source_type_s _dispatch_source_type_write;
extern const struct dispatch_source_type_s _dispatch_source_type_signal;
extern const struct dispatch_source_type_s _dispatch_source_type_timer;
extern void dispatch_release(void *object);

void chost_dispatch_release(void *object) { dispatch_release(object); }

const struct dispatch_source_type_s *chost_source_type(chost_source_kind kind) {
  switch (kind) {
    case chost_source_readable: return &_dispatch_source_type_read;
    case chost_source_writable: return &_dispatch_source_type_write;
    case chost_source_signal: return &_dispatch_source_type_signal;
    case chost_source_timer: return &_dispatch_source_type_timer;
  }
  return 0;
}
