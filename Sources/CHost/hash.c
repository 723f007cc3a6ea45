#include "chost_hash.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The rounds of SHA-256 by the processor's instructions, faster than libsodium's; the kit has them too. The program keeps
// a copy of its own, as a library of the kit would be loaded at every start.
#define digest_add chost_digest_add
#include "../PluginKit/CDigest/digest.c"

// The functions of libsodium, null until it is open. None of them needs sodium_init: they use no random numbers, and
// without it the portable implementations.
static struct {
  int (*sha256)(unsigned char *, const unsigned char *, unsigned long long);
  int (*blake2b)(unsigned char *, size_t, const unsigned char *, unsigned long long, const unsigned char *, size_t);
  int (*verify)(const unsigned char *, const unsigned char *, unsigned long long, const unsigned char *);
  int (*sign)(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *);
} sodium;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_sodium(void) {
  void *library = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name, function) ((*(void **)&sodium.name = dlsym(library, function)) != NULL)
  is_open = FIND(sha256, "crypto_hash_sha256") && FIND(blake2b, "crypto_generichash") &&
    FIND(verify, "crypto_sign_verify_detached") && FIND(sign, "crypto_sign_detached");
#undef FIND
}

static bool opened(void) {
  pthread_once(&once, open_sodium);
  return is_open;
}

#if defined(__x86_64__)
// Source: FIPS PUB 180-4, sections 5.1.1 and 5.3.3.
static void sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  uint32_t state[8] = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  size_t whole = count / 64, rest = count % 64;
  chost_digest_add(state, bytes, whole);
  uint8_t end[128] = {0};
  size_t blocks = rest < 56 ? 1 : 2;
  if (rest > 0) memcpy(end, bytes + 64 * whole, rest);
  end[rest] = 0x80;
  uint64_t bits = (uint64_t)count * 8;
  for (int i = 0; i < 8; i++) end[64 * blocks - 1 - i] = (uint8_t)(bits >> 8 * i);
  chost_digest_add(state, end, blocks);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
#endif

bool chost_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
#if defined(__x86_64__)
  if (has_instructions()) {
    sha256(bytes, count, digest);
    return true;
  }
#endif
  return opened() && sodium.sha256(digest, bytes, count) == 0;
}

bool chost_blake2b(const uint8_t *bytes, size_t count, uint8_t *digest, size_t size) {
  return opened() && sodium.blake2b(digest, size, bytes, count, NULL, 0) == 0;
}

bool chost_is_signed(const uint8_t *bytes, size_t count, const uint8_t signature[64], const uint8_t key[32]) {
  return opened() && sodium.verify(signature, bytes, count, key) == 0;
}

bool chost_sign(const uint8_t *bytes, size_t count, const uint8_t secret[64], uint8_t signature[64]) {
  return opened() && sodium.sign(signature, NULL, bytes, count, secret) == 0;
}

// Eight bytes at a time: table k holds the checksums of a byte that k zero bytes follow.
static uint32_t crc_tables[8][256];
static pthread_once_t crc_once = PTHREAD_ONCE_INIT;

static void fill_crc_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    crc_tables[0][byte] = value;
  }
  for (int zeros = 1; zeros < 8; zeros++) {
    for (int byte = 0; byte < 256; byte++) {
      uint32_t before = crc_tables[zeros - 1][byte];
      crc_tables[zeros][byte] = before >> 8 ^ crc_tables[0][before & 0xFF];
    }
  }
}

uint32_t chost_crc32(const uint8_t *bytes, size_t count) {
  pthread_once(&crc_once, fill_crc_tables);
  uint32_t value = 0xFFFFFFFFu;
  for (; count >= 8; bytes += 8, count -= 8) {
    value ^= (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    value = crc_tables[7][value & 0xFF] ^ crc_tables[6][value >> 8 & 0xFF] ^ crc_tables[5][value >> 16 & 0xFF] ^
      crc_tables[4][value >> 24] ^ crc_tables[3][bytes[4]] ^ crc_tables[2][bytes[5]] ^ crc_tables[1][bytes[6]] ^
      crc_tables[0][bytes[7]];
  }
  for (; count > 0; bytes++, count--) value = value >> 8 ^ crc_tables[0][(value ^ *bytes) & 0xFF];
  return ~value;
}
