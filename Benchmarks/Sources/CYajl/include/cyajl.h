#ifndef CYAJL_H
#define CYAJL_H

// yajl by itself, driven from C: the peer of PluginJSON.

#include <stddef.h>
#include <stdint.h>

/// The counts of events in a document.
typedef struct {
  uint64_t events;
  uint64_t bytes;
} cyajl_sum;

/// Reads a document in pieces, as yajl does unless told otherwise, and counts events and the bytes of texts and numbers.
///
/// Gives 0, or -1 if it is not JSON.
int cyajl_read(const uint8_t *document, size_t count, size_t piece, int checks_text, cyajl_sum *sum);

#endif
