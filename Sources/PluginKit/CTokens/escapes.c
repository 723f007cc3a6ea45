#include "escapes.h"

#include <string.h>

#include "words.h"

int escapes_have_halves(const uint8_t *text, size_t count) {
  // The letter is rarer than the backslash where JSON stands in texts. A backslash may be one that is escaped itself:
  // then there is none, and undoing the escapes does no harm.
  const uint8_t *place = text + 1, *end = text + count;
  while (end - place >= 5 && (place = memchr(place, 'u', (size_t)(end - place - 4)))) {
    if (place[-1] == '\\' && (place[1] | 0x20) == 'd' && place[2] >= '8') return 1;
    place++;
  }
  return 0;
}

/// Returns eight bytes, some of which have their high bit set if any byte of the text is a question mark or not ASCII.
static uint64_t marks(const uint8_t *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word | zero_bytes(word ^ each_byte('?'));
}

int escapes_left_no_half(const uint8_t *text, size_t count) {
  // yajl writes a first half as a question mark or joins it with what follows, and a second one as three bytes.
  uint64_t any = 0;
  if (count >= 8) {
    for (size_t place = 0; place < count - 8; place += 8) any |= marks(text + place);
    any |= marks(text + count - 8);
  } else {
    for (size_t place = 0; place < count; place++) any |= text[place] == '?' ? 0x80 : text[place];
  }
  return (any & each_byte(0x80)) == 0;
}

static uint32_t hex(const uint8_t *digits) {
  uint32_t value = 0;
  for (int index = 0; index < 4; index++) {
    uint8_t digit = digits[index];
    value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
  }
  return value;
}

/// Writes a character as UTF-8; there is always room, because an escape is longer.
static uint8_t *put(uint8_t *to, uint32_t code) {
  if (code < 0x80) *to++ = (uint8_t)code;
  else if (code < 0x800) {
    *to++ = (uint8_t)(0xC0 | code >> 6);
    *to++ = (uint8_t)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = (uint8_t)(0xE0 | code >> 12);
    *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    *to++ = (uint8_t)(0x80 | (code & 0x3F));
  } else {
    *to++ = (uint8_t)(0xF0 | code >> 18);
    *to++ = (uint8_t)(0x80 | (code >> 12 & 0x3F));
    *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    *to++ = (uint8_t)(0x80 | (code & 0x3F));
  }
  return to;
}

static uint8_t simple(uint8_t letter) {
  switch (letter) {
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  default: return letter;
  }
}

int64_t escapes_undo(const uint8_t *text, size_t count, byte_buffer *buffer) {
  buffer->count = 0;
  if (!bytes_reserve(buffer, count ? count : 1)) return -1;
  int64_t replaced = 0;
  const uint8_t *end = text + count;
  uint8_t *to = buffer->start;
  while (text < end) {
    const uint8_t *next = memchr(text, '\\', (size_t)(end - text));
    size_t plain = (size_t)((next ? next : end) - text);
    memcpy(to, text, plain);
    to += plain;
    text += plain;
    if (!next) break;
    if (text[1] != 'u') {
      *to++ = simple(text[1]);
      text += 2;
      continue;
    }
    uint32_t code = hex(text + 2);
    text += 6;
    if (code >= 0xD800 && code <= 0xDFFF) {
      uint32_t low = code < 0xDC00 && end - text >= 6 && text[0] == '\\' && text[1] == 'u' ? hex(text + 2) : 0;
      if (low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        text += 6;
      } else {
        code = 0xFFFD;
        replaced++;
      }
    }
    to = put(to, code);
  }
  buffer->count = (size_t)(to - buffer->start);
  return replaced;
}
