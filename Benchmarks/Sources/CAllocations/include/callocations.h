#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stddef.h>

// Linking this takes the place of the C library's malloc and its kin: they are passed on to it and counted, so that the
// most memory alive at once is known to the byte, whatever the C library keeps for later. Counts all threads together.

/// Begins to watch; the memory alive now is what growth is counted from.
void callocations_begin(void);

/// The most bytes that were alive at once since the beginning, above those alive then.
size_t callocations_growth(void);

#endif
