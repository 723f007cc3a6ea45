#include <pthread.h>

#include "opening.h"
#include "transfer.h"

// libcurl brings libcrypto along; where it is built on another library, certificates cannot be looked at.

typedef unsigned char *(*digest_function)(const unsigned char *, size_t, unsigned char *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;
static digest_function sha256;

static void open_library(void) {
  if (opened_library_open(&library, "libcrypto.so.3")) sha256 = (digest_function)opened_library_find(&library, "SHA256");
}

int transfer_digest(const uint8_t *bytes, size_t count, uint8_t *digest) {
  pthread_once(&once, open_library);
  return sha256 && sha256(bytes, count, digest) ? 1 : 0;
}
