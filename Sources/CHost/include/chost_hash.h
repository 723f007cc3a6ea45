#ifndef WORKBENCH_CHOST_HASH_H
#define WORKBENCH_CHOST_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 of bytes with the instructions of the processor, or else with libsodium, which is opened at the
/// first call.
///
/// \returns false if the processor lacks the instructions and libsodium is not installed.
bool chost_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

/// Computes the BLAKE2b hash of bytes with libsodium, `size` bytes of it: 16 to 64.
///
/// \returns false if libsodium is not installed.
bool chost_blake2b(const uint8_t *bytes, size_t count, uint8_t *digest, size_t size);

/// Checks an Ed25519 signature with libsodium; see RFC 8032.
///
/// \returns false too if libsodium is not installed.
bool chost_is_signed(const uint8_t *bytes, size_t count, const uint8_t signature[64], const uint8_t key[32]);

/// Makes an Ed25519 signature with libsodium.
///
/// \param secret the seed, then the public key, as libsodium and minisign store them.
/// \returns false if libsodium is not installed.
bool chost_sign(const uint8_t *bytes, size_t count, const uint8_t secret[64], uint8_t signature[64]);

/// Computes the CRC-32 of bytes, as gzip and ZIP use it.
uint32_t chost_crc32(const uint8_t *bytes, size_t count);

#endif
