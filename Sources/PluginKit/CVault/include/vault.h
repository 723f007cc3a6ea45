#ifndef WORKBENCH_VAULT_H
#define WORKBENCH_VAULT_H

// The functions of libsodium that PluginVault calls; the library is opened at the first use.
//
// - Source: libsodium 1.0.18, https://doc.libsodium.org.

#include <stddef.h>
#include <stdint.h>

enum {
  /// The size of every key, in bytes.
  VAULT_KEY = 32,
  /// The size of the salt of a passphrase, in bytes.
  VAULT_SALT = 16,
  /// The overhead of a sealed message: 24 bytes of nonce before it, 16 of tag after it.
  VAULT_SEAL = 40,
  /// The overhead of a key given to a recipient: a public key for one use, and a tag.
  VAULT_GIFT = 48,
  /// The size of the header of a sealed stream, in bytes.
  VAULT_STREAM_HEADER = 24,
  /// The overhead of a sealed piece of a stream, in bytes.
  VAULT_STREAM_SEAL = 17,
  /// The size of a message's authentication code, in bytes.
  VAULT_CODE = 32,
  /// The size of the name of a use of a key, in bytes.
  VAULT_CONTEXT = 8,
};

/// Opens libsodium, once. Nothing else may be called before it has returned NULL.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *vault_open(void);

/// Returns memory for keys: locked, excluded from core dumps, between guard pages; NULL without memory.
void *vault_allocate(size_t count);

/// Overwrites and frees memory for keys.
void vault_free(void *memory);

/// Keeps memory out of swap and core dumps, as far as the system permits.
void vault_lock_memory(void *memory, size_t count);

/// Overwrites memory and reverts `vault_lock_memory`.
void vault_unlock_memory(void *memory, size_t count);

/// Overwrites memory; the compiler cannot remove the call.
void vault_wipe(void *memory, size_t count);

void vault_random(void *bytes, size_t count);

/// Derives a key from a passphrase by Argon2id, version 1.3.
///
/// - Returns: 1, or 0 without memory or for parameters out of range for Argon2id.
int vault_stretch(
  uint8_t *key, const uint8_t *passphrase, size_t count, const uint8_t *salt, uint64_t passes, size_t memory);

/// Derives a key from a key and a number, for one of its uses.
///
/// - Parameter context: `VAULT_CONTEXT` bytes that identify the program's use of the master key.
void vault_derive(uint8_t *key, uint64_t number, const char *context, const uint8_t *master);

/// Computes the authentication code of a message under a key: BLAKE2b of 32 bytes.
void vault_code(uint8_t *code, const uint8_t *key, const uint8_t *message, size_t count);

/// Seals a message by XChaCha20-Poly1305 with a random nonce.
///
/// - Parameter sealed: `count + VAULT_SEAL` bytes.
void vault_seal(
  uint8_t *sealed, const uint8_t *key, const uint8_t *message, size_t count, const uint8_t *bound, size_t bound_count);

/// Opens a sealed message.
///
/// - Parameter message: `count - VAULT_SEAL` bytes.
/// - Returns: 1, or 0 if the key did not seal it, or if it was changed or bound to other bytes.
int vault_unseal(
  uint8_t *message, const uint8_t *key, const uint8_t *sealed, size_t count, const uint8_t *bound, size_t bound_count);

/// Makes a random pair of keys: the secret one in `VAULT_KEY` bytes, followed by the public one.
void vault_pair(uint8_t *pair);

/// Seals a key so that only the secret key of a pair opens it: X25519 and XSalsa20-Poly1305.
///
/// - Parameter given: `VAULT_KEY + VAULT_GIFT` bytes.
/// - Returns: 1, or 0 for a malformed public key.
int vault_give(uint8_t *given, const uint8_t *key, const uint8_t *public_key);

/// Opens the result of `vault_give`.
///
/// - Returns: 1, or 0 if it was meant for another recipient, or changed.
int vault_take(uint8_t *key, const uint8_t *given, const uint8_t *pair);

/// A file that is sealed or opened in pieces, in order. Do not use it on several threads at once.
typedef struct vault_stream vault_stream;

/// Begins to seal; writes the header.
vault_stream *vault_stream_seal(uint8_t *header, const uint8_t *key);

/// Begins to open; NULL without memory or for an unusable header.
vault_stream *vault_stream_open(const uint8_t *header, const uint8_t *key);

void vault_stream_free(vault_stream *stream);

/// Seals the next piece into `count + VAULT_STREAM_SEAL` bytes.
void vault_stream_push(vault_stream *stream, uint8_t *sealed, const uint8_t *piece, size_t count, int is_last);

/// Opens the next piece into `count - VAULT_STREAM_SEAL` bytes.
///
/// - Returns: 1, 2 for the last piece, or 0 for bytes that are not the next piece.
int vault_stream_pull(vault_stream *stream, uint8_t *piece, const uint8_t *sealed, size_t count);

/// Returns 1 if bytes contain a word.
int vault_contains(const void *bytes, size_t count, const void *word, size_t word_count);

/// Has the process write no core from now on, and lets only the superuser look into its memory.
void vault_leave_no_core(void);

/// Keeps a key in the user's keyring of the kernel for some time; it is never written to a disk.
///
/// - Returns: 0, or the number of the system's error.
int vault_keyring_put(const char *name, const uint8_t *key, size_t count, unsigned seconds);

/// Reads a key of the user's keyring, which does not prolong its time.
///
/// - Returns: Its size in bytes, of which `count` at most were given; -1 if there is none.
long vault_keyring_look(const char *name, uint8_t *key, size_t count);

/// Reads a key of the user's keyring, and has it stay for that time from now.
///
/// - Returns: Its size in bytes, of which `count` at most were given; -1 if there is none.
long vault_keyring_get(const char *name, uint8_t *key, size_t count, unsigned seconds);

/// Removes a key from the user's keyring; returns 1 if there was one.
int vault_keyring_drop(const char *name);

#endif
