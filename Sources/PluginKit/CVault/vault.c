#include "vault.h"

#include <stdlib.h>
#include <string.h>

#include "library.h"

_Static_assert(VAULT_KEY == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "a key");
_Static_assert(VAULT_KEY == crypto_secretstream_xchacha20poly1305_KEYBYTES, "a key");
_Static_assert(VAULT_CONTEXT == crypto_kdf_CONTEXTBYTES, "the name of a use");
_Static_assert(VAULT_SALT == crypto_pwhash_SALTBYTES, "a salt");
_Static_assert(
  VAULT_SEAL == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES + crypto_aead_xchacha20poly1305_ietf_ABYTES, "a seal");
_Static_assert(VAULT_STREAM_HEADER == crypto_secretstream_xchacha20poly1305_HEADERBYTES, "a header");
_Static_assert(VAULT_STREAM_SEAL == crypto_secretstream_xchacha20poly1305_ABYTES, "a seal");

_Static_assert(VAULT_KEY == crypto_box_PUBLICKEYBYTES && VAULT_KEY == crypto_box_SECRETKEYBYTES, "a pair");
_Static_assert(VAULT_GIFT == crypto_box_SEALBYTES, "a gift");

enum { NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES };

struct vault_stream {
  crypto_secretstream_xchacha20poly1305_state state;
};

void *vault_allocate(size_t count) { return sodium.allocate(count); }

void vault_free(void *memory) { sodium.free(memory); }

void vault_lock_memory(void *memory, size_t count) { sodium.lock(memory, count); }

void vault_unlock_memory(void *memory, size_t count) {
  vault_wipe(memory, count);
  sodium.unlock(memory, count);
}

// Of the C library: keys are wiped also where libsodium was not opened.
void vault_wipe(void *memory, size_t count) { explicit_bzero(memory, count); }

void vault_random(void *bytes, size_t count) { sodium.random(bytes, count); }

int vault_equal(const void *left, const void *right, size_t count) { return sodium.compare(left, right, count) == 0; }

int vault_stretch(
  uint8_t *key, const uint8_t *passphrase, size_t count, const uint8_t *salt, uint64_t passes, size_t memory) {
  return sodium.stretch(
           key, VAULT_KEY, (const char *)passphrase, count, salt, passes, memory, crypto_pwhash_ALG_ARGON2ID13) == 0;
}

void vault_derive(uint8_t *key, uint64_t number, const char *context, const uint8_t *master) {
  sodium.derive(key, VAULT_KEY, number, context, master);
}

void vault_code(uint8_t *code, const uint8_t *key, const uint8_t *message, size_t count) {
  sodium.hash(code, VAULT_CODE, message, count, key, VAULT_KEY);
}

void vault_seal(
  uint8_t *sealed, const uint8_t *key, const uint8_t *message, size_t count, const uint8_t *bound,
  size_t bound_count) {
  sodium.random(sealed, NONCE);
  sodium.seal(sealed + NONCE, NULL, message, count, bound, bound_count, NULL, sealed, key);
}

int vault_unseal(
  uint8_t *message, const uint8_t *key, const uint8_t *sealed, size_t count, const uint8_t *bound,
  size_t bound_count) {
  if (count < VAULT_SEAL) return 0;
  return sodium.unseal(message, NULL, NULL, sealed + NONCE, count - NONCE, bound, bound_count, sealed, key) == 0;
}

void vault_pair(uint8_t *pair) { sodium.pair(pair + VAULT_KEY, pair); }

int vault_give(uint8_t *given, const uint8_t *key, const uint8_t *public_key) {
  return sodium.give(given, key, VAULT_KEY, public_key) == 0;
}

int vault_take(uint8_t *key, const uint8_t *given, const uint8_t *pair) {
  return sodium.take(key, given, VAULT_KEY + VAULT_GIFT, pair + VAULT_KEY, pair) == 0;
}

vault_stream *vault_stream_seal(uint8_t *header, const uint8_t *key) {
  vault_stream *stream = malloc(sizeof *stream);
  if (stream) sodium.begin_push(&stream->state, header, key);
  return stream;
}

vault_stream *vault_stream_open(const uint8_t *header, const uint8_t *key) {
  vault_stream *stream = malloc(sizeof *stream);
  if (stream && sodium.begin_pull(&stream->state, header, key) != 0) {
    free(stream);
    return NULL;
  }
  return stream;
}

void vault_stream_free(vault_stream *stream) {
  if (!stream) return;
  vault_wipe(stream, sizeof *stream);
  free(stream);
}

void vault_stream_push(vault_stream *stream, uint8_t *sealed, const uint8_t *piece, size_t count, int is_last) {
  sodium.push(
    &stream->state, sealed, NULL, piece, count, NULL, 0,
    is_last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE);
}

int vault_stream_pull(vault_stream *stream, uint8_t *piece, const uint8_t *sealed, size_t count) {
  unsigned char tag = 0;
  if (count < VAULT_STREAM_SEAL) return 0;
  if (sodium.pull(&stream->state, piece, NULL, &tag, sealed, count, NULL, 0) != 0) return 0;
  return tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL ? 2 : 1;
}
