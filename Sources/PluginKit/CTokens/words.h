#ifndef WORKBENCH_TOKENS_WORDS_H
#define WORKBENCH_TOKENS_WORDS_H

#include <stdint.h>

// Eight bytes at once.

/// A word of eight times the same byte.
#define each_byte(byte) (0x0101010101010101u * (byte))

/// The high bit of each byte that is zero; above the first such byte maybe of others too.
static inline uint64_t zero_bytes(uint64_t word) { return (word - each_byte(1)) & ~word & each_byte(0x80); }

#endif
