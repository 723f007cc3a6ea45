#include "check.h"

/// Begins a character of several bytes.
///
/// - Source: RFC 3629, section 4: no long forms, no surrogates, nothing above U+10FFFF.
static int begin(utf8_state *state, uint8_t byte) {
  state->lowest = 0x80;
  state->highest = 0xBF;
  if (byte >= 0xC2 && byte <= 0xDF) state->missing = 1;
  else if (byte >= 0xE0 && byte <= 0xEF) {
    state->missing = 2;
    if (byte == 0xE0) state->lowest = 0xA0;
    if (byte == 0xED) state->highest = 0x9F;
  } else if (byte >= 0xF0 && byte <= 0xF4) {
    state->missing = 3;
    if (byte == 0xF0) state->lowest = 0x90;
    if (byte == 0xF4) state->highest = 0x8F;
  } else return 0;
  return 1;
}

/// Whether it is a vertical tab or a form feed: JSON has them nowhere, yajl takes them for blanks.
///
/// - Source: RFC 8259, section 2.
static int is_no_blank(uint8_t byte) { return (uint8_t)(byte - 0x0B) < 2; }

/// The place of the first byte that is not ASCII, or can be nowhere.
static size_t ascii_end(const uint8_t *bytes, size_t place, size_t count) {
  // Blocks, which the compiler makes wide operations of.
  for (; place + 64 <= count; place += 64) {
    uint8_t any = 0;
    for (size_t index = place; index < place + 64; index++) any |= bytes[index] | (is_no_blank(bytes[index]) ? 0x80 : 0);
    if (any & 0x80) break;
  }
  // The rest in words of eight: about the place of every letter that is not ASCII.
  for (; place + 8 <= count; place += 8) {
    uint8_t any = 0;
    for (size_t index = place; index < place + 8; index++) any |= bytes[index] | (is_no_blank(bytes[index]) ? 0x80 : 0);
    if (any & 0x80) break;
  }
  while (place < count && bytes[place] < 0x80 && !is_no_blank(bytes[place])) place++;
  return place;
}

size_t utf8_check(utf8_state *state, const uint8_t *bytes, size_t count) {
  size_t place = 0;
  while (place < count) {
    if (!state->missing) {
      place = ascii_end(bytes, place, count);
      if (place == count) break;
      if (!begin(state, bytes[place])) return place;
    } else {
      if (bytes[place] < state->lowest || bytes[place] > state->highest) return place;
      state->missing--;
      state->lowest = 0x80;
      state->highest = 0xBF;
    }
    place++;
  }
  return count;
}

size_t count_lines(const uint8_t *bytes, size_t count) {
  size_t lines = 0, place = 0;
  for (; place + 64 <= count; place += 64) {
    uint8_t some = 0;
    for (size_t index = 0; index < 64; index++) some += bytes[place + index] == '\n';
    lines += some;
  }
  for (; place < count; place++) lines += bytes[place] == '\n';
  return lines;
}
