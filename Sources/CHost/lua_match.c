// Patterns of Lua, as lstrlib.c of Lua 5.4.4 matches them, with one change: the steps are counted and the end of the
// script is noticed, as a pattern may go back and forth for hours.
//
// Source: https://www.lua.org/source/5.4/lstrlib.c.html, under this license:
//
// Copyright © 1994–2022 Lua.org, PUC-Rio.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
// rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
// Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
// COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
// OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

#define _GNU_SOURCE

#include "lua_state.h"

#include <ctype.h>
#include <string.h>

enum { escape = '%', most_captures = 32, deepest = 200, capture_unfinished = -1, capture_position = -2, pace = 1 << 14 };

static const char specials[] = "^$*+?.([%-";

/// The state of a match.
typedef struct {
  const char *start, *end, *pattern_end;
  lua_State *state;
  chost_lua *owner;
  int depth;
  unsigned steps;
  int level;
  struct {
    const char *start;
    ptrdiff_t count;
  } captures[most_captures];
} match_state;

static const char *match(match_state *ms, const char *s, const char *p);

static inline int byte(char character) { return (unsigned char)character; }

static inline void step(match_state *ms) {
  if (++ms->steps < pace) return;
  ms->steps = 0;
  lua_count(ms->state, ms->owner, pace);
}

static int check_capture(match_state *ms, int letter) {
  int index = letter - '1';
  if (index < 0 || index >= ms->level || ms->captures[index].count == capture_unfinished) {
    return lua.aux.error(ms->state, "invalid capture index %%%d", index + 1);
  }
  return index;
}

static int capture_to_close(match_state *ms) {
  for (int level = ms->level - 1; level >= 0; level--) {
    if (ms->captures[level].count == capture_unfinished) return level;
  }
  return lua.aux.error(ms->state, "invalid pattern capture");
}

static const char *class_end(match_state *ms, const char *p) {
  switch (*p++) {
    case escape:
      if (p == ms->pattern_end) lua.aux.error(ms->state, "malformed pattern (ends with '%%')");
      return p + 1;
    case '[':
      if (*p == '^') p++;
      do {
        if (p == ms->pattern_end) lua.aux.error(ms->state, "malformed pattern (missing ']')");
        if (*(p++) == escape && p < ms->pattern_end) p++;
      } while (p == ms->pattern_end || *p != ']');
      return p + 1;
    default: return p;
  }
}

static bool is_of_class(int c, int class) {
  bool result;
  switch (tolower(class)) {
    case 'a': result = isalpha(c); break;
    case 'c': result = iscntrl(c); break;
    case 'd': result = isdigit(c); break;
    case 'g': result = isgraph(c); break;
    case 'l': result = islower(c); break;
    case 'p': result = ispunct(c); break;
    case 's': result = isspace(c); break;
    case 'u': result = isupper(c); break;
    case 'w': result = isalnum(c); break;
    case 'x': result = isxdigit(c); break;
    default: return class == c;
  }
  return isupper(class) ? !result : result;
}

static bool is_in_set(match_state *ms, int c, const char *p, const char *end) {
  bool isIn = true;
  if (*(p + 1) == '^') {
    isIn = false;
    p++;
  }
  while (++p < end) {
    step(ms);
    if (*p == escape) {
      p++;
      if (is_of_class(c, byte(*p))) return isIn;
    } else if (*(p + 1) == '-' && p + 2 < end) {
      p += 2;
      if (byte(*(p - 2)) <= c && c <= byte(*p)) return isIn;
    } else if (byte(*p) == c) {
      return isIn;
    }
  }
  return !isIn;
}

static bool matches_one(match_state *ms, const char *s, const char *p, const char *end) {
  step(ms);
  if (s >= ms->end) return false;
  int c = byte(*s);
  switch (*p) {
    case '.': return true;
    case escape: return is_of_class(c, byte(*(p + 1)));
    case '[': return is_in_set(ms, c, p, end - 1);
    default: return byte(*p) == c;
  }
}

static const char *match_balance(match_state *ms, const char *s, const char *p) {
  if (p >= ms->pattern_end - 1) lua.aux.error(ms->state, "malformed pattern (missing arguments to '%%b')");
  if (s >= ms->end || *s != *p) return NULL;
  int first = *p, last = *(p + 1), open = 1;
  while (++s < ms->end) {
    step(ms);
    if (*s == last) {
      if (--open == 0) return s + 1;
    } else if (*s == first) {
      open++;
    }
  }
  return NULL;
}

static const char *expand_most(match_state *ms, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (matches_one(ms, s + count, p, end)) count++;
  for (; count >= 0; count--) {
    const char *result = match(ms, s + count, end + 1);
    if (result) return result;
  }
  return NULL;
}

static const char *expand_least(match_state *ms, const char *s, const char *p, const char *end) {
  while (true) {
    const char *result = match(ms, s, end + 1);
    if (result) return result;
    if (!matches_one(ms, s, p, end)) return NULL;
    s++;
  }
}

static const char *start_capture(match_state *ms, const char *s, const char *p, ptrdiff_t kind) {
  int level = ms->level;
  if (level >= most_captures) lua.aux.error(ms->state, "too many captures");
  ms->captures[level].start = s;
  ms->captures[level].count = kind;
  ms->level = level + 1;
  const char *result = match(ms, s, p);
  if (!result) ms->level--;
  return result;
}

static const char *end_capture(match_state *ms, const char *s, const char *p) {
  int level = capture_to_close(ms);
  ms->captures[level].count = s - ms->captures[level].start;
  const char *result = match(ms, s, p);
  if (!result) ms->captures[level].count = capture_unfinished;
  return result;
}

static const char *match_capture(match_state *ms, const char *s, int letter) {
  int level = check_capture(ms, letter);
  ptrdiff_t count = ms->captures[level].count;
  // A capture of a position has no text.
  if (count < 0 || ms->end - s < count || memcmp(ms->captures[level].start, s, (size_t)count) != 0) return NULL;
  lua_count(ms->state, ms->owner, (uint64_t)count / 16);
  return s + count;
}

/// Matches an item with a class: a single one, or one with `?`, `*`, `+` or `-`.
///
/// \returns the continuation of the text, with `*p` behind the item if the pattern continues; null for no match.
static const char *match_item(match_state *ms, const char *s, const char **p, bool *is_done) {
  const char *end = class_end(ms, *p);
  char suffix = end < ms->pattern_end ? *end : '\0';
  bool isOne = matches_one(ms, s, *p, end), isOptional = suffix == '*' || suffix == '?' || suffix == '-';
  *is_done = false;
  if (!isOne) {
    *p = end + 1;
    return isOptional ? s : NULL;
  }
  *is_done = true;
  switch (suffix) {
    case '*': return expand_most(ms, s, *p, end);
    case '+': return expand_most(ms, s + 1, *p, end);
    case '-': return expand_least(ms, s, *p, end);
    case '?': {
      const char *result = match(ms, s + 1, end + 1);
      if (result) return result;
      *is_done = false;
      *p = end + 1;
      return s;
    }
    default:
      *is_done = false;
      *p = end;
      return s + 1;
  }
}

/// Matches a frontier, `%f[set]`.
static const char *match_frontier(match_state *ms, const char *s, const char **p) {
  *p += 2;
  if (*p == ms->pattern_end || **p != '[') lua.aux.error(ms->state, "missing '[' after '%%f' in pattern");
  const char *end = class_end(ms, *p);
  int previous = s == ms->start ? 0 : byte(*(s - 1)), next = s < ms->end ? byte(*s) : 0;
  if (is_in_set(ms, previous, *p, end - 1) || !is_in_set(ms, next, *p, end - 1)) return NULL;
  *p = end;
  return s;
}

static const char *match(match_state *ms, const char *s, const char *p) {
  if (ms->depth-- == 0) lua.aux.error(ms->state, "pattern too complex");
  while (s && p != ms->pattern_end) {
    step(ms);
    if (*p == '(') {
      bool isPosition = p + 1 < ms->pattern_end && *(p + 1) == ')';
      s = isPosition ? start_capture(ms, s, p + 2, capture_position) : start_capture(ms, s, p + 1, capture_unfinished);
      break;
    }
    if (*p == ')') {
      s = end_capture(ms, s, p + 1);
      break;
    }
    if (*p == '$' && p + 1 == ms->pattern_end) {
      s = s == ms->end ? s : NULL;
      break;
    }
    char letter = *p == escape && p + 1 < ms->pattern_end ? *(p + 1) : '\0';
    if (letter == 'b') {
      s = match_balance(ms, s, p + 2);
      p += 4;
    } else if (letter == 'f') {
      s = match_frontier(ms, s, &p);
    } else if (isdigit(byte(letter))) {
      s = match_capture(ms, s, byte(letter));
      p += 2;
    } else {
      bool isDone;
      s = match_item(ms, s, &p, &isDone);
      if (isDone) break;
    }
  }
  ms->depth++;
  return s;
}

// Results.

static void push_capture(match_state *ms, int index, const char *s, const char *end) {
  if (index >= ms->level) {
    if (index != 0) lua.aux.error(ms->state, "invalid capture index %%%d", index + 1);
    lua.pushlstring(ms->state, s, (size_t)(end - s));
    return;
  }
  ptrdiff_t count = ms->captures[index].count;
  if (count == capture_unfinished) lua.aux.error(ms->state, "unfinished capture");
  if (count == capture_position) {
    lua.pushinteger(ms->state, ms->captures[index].start - ms->start + 1);
  } else {
    lua.pushlstring(ms->state, ms->captures[index].start, (size_t)count);
  }
}

static int push_captures(match_state *ms, const char *s, const char *end) {
  int count = ms->level == 0 && s ? 1 : ms->level;
  if (!lua.checkstack(ms->state, count)) lua.aux.error(ms->state, "stack overflow (too many captures)");
  for (int index = 0; index < count; index++) push_capture(ms, index, s, end);
  return count;
}

static void prepare(
  match_state *ms, lua_State *state, const char *s, size_t count, const char *p, size_t pattern_count) {
  ms->state = state;
  ms->owner = lua_owner(state);
  ms->start = s;
  ms->end = s + count;
  ms->pattern_end = p + pattern_count;
  ms->steps = 0;
}

static const char *try_match(match_state *ms, const char *s, const char *p) {
  ms->level = 0;
  ms->depth = deepest;
  return match(ms, s, p);
}

/// Returns the offset of a position, which counts from the end if negative; `count` + 1 or more for one behind the end.
static size_t offset(long long position, size_t count) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(long long)count) return 0;
  return count - (size_t)(-position);
}

static bool is_plain(const char *p, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (p[index] != '\0' && strchr(specials, p[index])) return false;
  }
  return true;
}

static int find_or_match(lua_State *state, bool finds) {
  size_t count, pattern_count;
  const char *s = lua.aux.checklstring(state, 1, &count), *p = lua.aux.checklstring(state, 2, &pattern_count);
  size_t start = offset(lua.aux.optinteger(state, 3, 1), count);
  if (start > count) {
    lua.pushnil(state);
    return 1;
  }
  if (finds && (lua.toboolean(state, 4) || is_plain(p, pattern_count))) {
    // In linear time.
    const char *found = memmem(s + start, count - start, p, pattern_count);
    if (!found) {
      lua.pushnil(state);
      return 1;
    }
    lua.pushinteger(state, found - s + 1);
    lua.pushinteger(state, found - s + (long long)pattern_count);
    return 2;
  }
  match_state ms;
  bool isAnchored = pattern_count > 0 && *p == '^';
  if (isAnchored) {
    p++;
    pattern_count--;
  }
  prepare(&ms, state, s, count, p, pattern_count);
  for (const char *from = s + start; from <= ms.end; from++) {
    step(&ms);
    const char *end = try_match(&ms, from, p);
    if (end && finds) {
      lua.pushinteger(state, from - s + 1);
      lua.pushinteger(state, end - s);
      return push_captures(&ms, NULL, NULL) + 2;
    }
    if (end) return push_captures(&ms, from, end);
    if (isAnchored) break;
  }
  lua.pushnil(state);
  return 1;
}

static int find(lua_State *state) { return find_or_match(state, true); }

static int match_first(lua_State *state) { return find_or_match(state, false); }

/// The state of `gmatch`, in a userdata beside the strings.
typedef struct {
  const char *from, *pattern, *last;
  match_state ms;
} all_matches;

static int next_match(lua_State *state) {
  all_matches *all = lua.touserdata(state, upvalue(3));
  all->ms.state = state;
  for (const char *from = all->from; from <= all->ms.end; from++) {
    step(&all->ms);
    const char *end = try_match(&all->ms, from, all->pattern);
    if (end && end != all->last) {
      all->from = all->last = end;
      return push_captures(&all->ms, from, end);
    }
  }
  return 0;
}

static int match_all(lua_State *state) {
  size_t count, pattern_count;
  const char *s = lua.aux.checklstring(state, 1, &count), *p = lua.aux.checklstring(state, 2, &pattern_count);
  size_t start = offset(lua.aux.optinteger(state, 3, 1), count);
  lua.settop(state, 2);
  all_matches *all = lua.newuserdatauv(state, sizeof *all, 0);
  prepare(&all->ms, state, s, count, p, pattern_count);
  all->from = s + (start > count ? count + 1 : start);
  all->pattern = p;
  all->last = NULL;
  lua.pushcclosure(state, next_match, 3);
  return 1;
}

// Replacements.

static void add_text(match_state *ms, lua_text *text, const char *s, const char *end) {
  size_t count;
  const char *news = lua.tolstring(ms->state, 3, &count), *news_end = news + count, *found;
  while (news < news_end && (found = memchr(news, escape, (size_t)(news_end - news)))) {
    step(ms);
    lua.aux.addlstring(text, news, (size_t)(found - news));
    news = found + 1;
    char letter = news < news_end ? *news : '\0';
    if (letter == escape) {
      lua.aux.addlstring(text, news, 1);
    } else if (letter == '0') {
      lua.aux.addlstring(text, s, (size_t)(end - s));
    } else if (isdigit(byte(letter))) {
      push_capture(ms, letter - '1', s, end);
      lua.aux.addvalue(text);
    } else {
      lua.aux.error(ms->state, "invalid use of '%%' in replacement string");
    }
    news++;
  }
  lua.aux.addlstring(text, news, (size_t)(news_end - news));
}

/// Adds the replacement of a match.
///
/// \returns false if the match stays.
static bool add_value(match_state *ms, lua_text *text, const char *s, const char *end, int type) {
  lua_State *state = ms->state;
  if (type == lua_type_function) {
    lua.pushvalue(state, 3);
    int count = push_captures(ms, s, end);
    lua.callk(state, count, 1, 0, NULL);
  } else if (type == lua_type_table) {
    push_capture(ms, 0, s, end);
    lua.gettable(state, 3);
  } else {
    add_text(ms, text, s, end);
    return true;
  }
  if (!lua.toboolean(state, -1)) {
    lua_pop(state, 1);
    lua.aux.addlstring(text, s, (size_t)(end - s));
    return false;
  }
  int result = lua.type(state, -1);
  if (result != lua_type_string && result != lua_type_number) {
    lua.aux.error(state, "invalid replacement value (a %s)", lua.typename(state, result));
  }
  lua.aux.addvalue(text);
  return true;
}

static int substitute(lua_State *state) {
  size_t count, pattern_count;
  const char *s = lua.aux.checklstring(state, 1, &count), *p = lua.aux.checklstring(state, 2, &pattern_count);
  const char *last = NULL;
  int type = lua.type(state, 3);
  long long limit = lua.aux.optinteger(state, 4, (long long)count + 1), matches = 0;
  bool isChanged = false, isAnchored = pattern_count > 0 && *p == '^';
  if (type != lua_type_number && type != lua_type_string && type != lua_type_function && type != lua_type_table) {
    lua.aux.argerror(state, 3, "string/function/table expected");
  }
  if (isAnchored) {
    p++;
    pattern_count--;
  }
  match_state ms;
  lua_text text;
  lua.aux.buffinit(state, &text);
  prepare(&ms, state, s, count, p, pattern_count);
  while (matches < limit) {
    step(&ms);
    const char *end = try_match(&ms, s, p);
    if (end && end != last) {
      matches++;
      isChanged = add_value(&ms, &text, s, end, type) || isChanged;
      s = last = end;
    } else if (s < ms.end) {
      lua.aux.addlstring(&text, s++, 1);
    } else {
      break;
    }
    if (isAnchored) break;
  }
  if (isChanged) {
    lua.aux.addlstring(&text, s, (size_t)(ms.end - s));
    lua.aux.pushresult(&text);
  } else {
    lua.pushvalue(state, 1);
  }
  lua.pushinteger(state, matches);
  return 2;
}

static void replace(lua_State *state, const char *name, lua_CFunction function) {
  lua.pushstring(state, name);
  lua.pushcclosure(state, function, 0);
  lua.rawset(state, -3);
}

void lua_guard_patterns(lua_State *state) {
  lua.rawgeti(state, lua_registry, 2);  // LUA_RIDX_GLOBALS
  lua.pushstring(state, "string");
  lua.rawget(state, -2);
  replace(state, "find", find);
  replace(state, "match", match_first);
  replace(state, "gmatch", match_all);
  replace(state, "gsub", substitute);
  lua.settop(state, 0);
}
