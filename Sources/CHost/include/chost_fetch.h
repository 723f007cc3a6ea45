#ifndef WORKBENCH_CHOST_FETCH_H
#define WORKBENCH_CHOST_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The end of a download.
typedef enum {
  chost_fetch_done = 0,
  /// libcurl is not installed, or older than 7.88.
  chost_fetch_no_library = 1,
  chost_fetch_failed = 2,
  /// The content is larger than the limit.
  chost_fetch_too_large = 3,
  chost_fetch_canceled = 4,
} chost_fetch_end;

/// The result of a download.
typedef struct {
  chost_fetch_end end;
  /// The content; to be freed by the caller.
  uint8_t *bytes;
  size_t count;
  /// The reason of a failure, in libcurl's words.
  char message[256];
} chost_fetch_result;

/// Downloads a file over https with libcurl, which is opened at the first call; blocks until the end.
///
/// Redirects are followed to https only.
///
/// \param limit the most bytes of content.
/// \param is_canceled called at least once a second on this thread; true ends the download.
chost_fetch_result chost_fetch(
  const char *address, const char *user_agent, size_t limit, bool (*is_canceled)(void *context), void *context);

#endif
