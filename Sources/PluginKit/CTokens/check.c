#include "check.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "words.h"

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

/// Returns true for a vertical tab or a form feed: JSON never allows them, yajl takes them for white space.
///
/// - Source: RFC 8259, section 2.
static int is_no_blank(uint8_t byte) { return (uint8_t)(byte - 0x0B) < 2; }

/// Returns the index of the first byte of a word that is not ASCII, or is never allowed; 8 if there is none.
static size_t ascii_end_in_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  // The lowest byte comes first, and only what is above the first one found can be told wrongly.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  uint64_t marks = (word & each_byte(0x80)) | zero_bytes(word ^ each_byte(0x0B)) | zero_bytes(word ^ each_byte(0x0C));
  return marks ? (size_t)__builtin_ctzll(marks) / 8 : 8;
}

#if defined(__x86_64__)

/// Returns the index of the first byte that is not ASCII, or is never allowed, in whole blocks. Letters that are not
/// ASCII occur at any index, and the processor would mispredict a search byte by byte within a block.
__attribute__((target("avx2"))) static size_t ascii_blocks_end(const uint8_t *bytes, size_t place, size_t count) {
  const __m256i tab = _mm256_set1_epi8(0x0B), feed = _mm256_set1_epi8(0x0C);
  for (; place + 64 <= count; place += 64) {
    __m256i low = _mm256_loadu_si256((const __m256i *)(bytes + place));
    __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + place + 32));
    __m256i low_marks = _mm256_or_si256(_mm256_cmpeq_epi8(low, tab), _mm256_cmpeq_epi8(low, feed));
    __m256i high_marks = _mm256_or_si256(_mm256_cmpeq_epi8(high, tab), _mm256_cmpeq_epi8(high, feed));
    low_marks = _mm256_or_si256(low_marks, low);
    high_marks = _mm256_or_si256(high_marks, high);
    if (_mm256_movemask_epi8(_mm256_or_si256(low_marks, high_marks)) == 0) continue;
    uint64_t marks = (uint32_t)_mm256_movemask_epi8(high_marks);
    return place + (size_t)__builtin_ctzll(marks << 32 | (uint32_t)_mm256_movemask_epi8(low_marks));
  }
  return place;
}

static int has_blocks(void) { return __builtin_cpu_supports("avx2"); }

#else

static size_t ascii_blocks_end(const uint8_t *bytes, size_t place, size_t count) {
  (void)bytes, (void)count;
  return place;
}

static int has_blocks(void) { return 0; }

#endif

/// Returns the index of the first byte that is not ASCII, or is never allowed.
static size_t ascii_end(const uint8_t *bytes, size_t place, size_t count) {
  if (has_blocks()) place = ascii_blocks_end(bytes, place, count);
  while (place + 8 <= count) {
    size_t end = ascii_end_in_word(bytes + place);
    place += end;
    if (end < 8) return place;
  }
  while (place < count && bytes[place] < 0x80 && !is_no_blank(bytes[place])) place++;
  return place;
}

size_t utf8_check(utf8_state *state, const uint8_t *bytes, size_t count) {
  size_t place = 0;
  while (place < count) {
    if (!state->missing) {
      if (bytes[place] < 0x80) place = ascii_end(bytes, place, count);
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
