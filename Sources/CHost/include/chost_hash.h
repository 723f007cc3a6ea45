#ifndef WORKBENCH_CHOST_HASH_H
#define WORKBENCH_CHOST_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 of bytes with libsodium, which is opened at the first call.
///
/// \returns false if libsodium is not installed.
bool chost_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

/// Computes the CRC-32 of bytes, as gzip and ZIP use it.
uint32_t chost_crc32(const uint8_t *bytes, size_t count);

#endif
