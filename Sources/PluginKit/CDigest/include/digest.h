#ifndef WORKBENCH_DIGEST_H
#define WORKBENCH_DIGEST_H

// The part of SHA-256 that takes the time.

#include <stddef.h>
#include <stdint.h>

/// Mixes blocks of 64 bytes into a state of eight words.
void digest_add(uint32_t state[8], const uint8_t *blocks, size_t count);

#endif
