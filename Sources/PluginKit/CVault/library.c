#include "library.h"

#include <pthread.h>
#include <stdio.h>

#include "opening.h"
#include "vault.h"

struct sodium_functions sodium;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void find_functions(void) {
  sodium.initialize = find("sodium_init");
  sodium.allocate = find("sodium_malloc");
  sodium.free = find("sodium_free");
  sodium.lock = find("sodium_mlock");
  sodium.unlock = find("sodium_munlock");
  sodium.compare = find("sodium_memcmp");
  sodium.random = find("randombytes_buf");
  sodium.stretch = find("crypto_pwhash");
  sodium.derive = find("crypto_kdf_derive_from_key");
  sodium.hash = find("crypto_generichash");
  sodium.pair = find("crypto_box_keypair");
  sodium.give = find("crypto_box_seal");
  sodium.take = find("crypto_box_seal_open");
  sodium.seal = find("crypto_aead_xchacha20poly1305_ietf_encrypt");
  sodium.unseal = find("crypto_aead_xchacha20poly1305_ietf_decrypt");
  sodium.begin_push = find("crypto_secretstream_xchacha20poly1305_init_push");
  sodium.push = find("crypto_secretstream_xchacha20poly1305_push");
  sodium.begin_pull = find("crypto_secretstream_xchacha20poly1305_init_pull");
  sodium.pull = find("crypto_secretstream_xchacha20poly1305_pull");
}

static void open_library(void) {
  if (!opened_library_open(&library, "libsodium.so.23")) return;
  find_functions();
  if (!library.problem[0] && sodium.initialize() < 0)
    snprintf(library.problem, sizeof library.problem, "the system gives no random numbers");
}

const char *vault_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}
