#include "lua_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The length of a failure's text, and the calls that are searched for its line.
enum { longest_text = 4096, deepest_place = 32 };

/// The instructions between two checks while the script has much memory, and the bytes that are much.
enum { short_pace = lua_pace / 5, much_memory = 64 << 20 };

/// Blocks of more bytes count as instructions, of which each stands for a number of bytes.
enum { large_block = 1 << 16, bytes_of_instruction = 16 };

// Memory and the end.

static int32_t reason(const chost_lua *owner) { return atomic_load_explicit(&owner->stop, memory_order_acquire); }

/// Counts instructions; returns true if the script is to end.
static bool is_stopped_by(chost_lua *owner, uint64_t count) {
  uint64_t limit = owner->limits.instructions;
  bool isOverflow = __builtin_add_overflow(owner->instructions, count, &owner->instructions);
  if (isOverflow) owner->instructions = UINT64_MAX;
  if (limit && owner->instructions > limit) chost_lua_stop(owner, chost_lua_stop_instructions);
  return reason(owner);
}

static bool has_memory(const chost_lua *owner, size_t count) {
  return owner->used <= owner->limits.memory && count <= owner->limits.memory - owner->used;
}

static void *allocate(void *context, void *block, size_t old, size_t size) {
  chost_lua *owner = context;
  // For a new block Lua gives its kind instead of a size.
  if (!block) old = 0;
  if (!size) {
    free(block);
    owner->used -= old;
    return NULL;
  }
  if (size > old && !has_memory(owner, size - old)) return NULL;
  if (size > old && size > large_block && is_stopped_by(owner, size / bytes_of_instruction)) return NULL;
  void *new = realloc(block, size);
  if (new) owner->used += size - old;
  return new;
}

void lua_note_place(lua_State *state, chost_lua *owner) {
  lua_Debug record;
  for (int level = 0; level < deepest_place && lua.getstack(state, level, &record); level++) {
    lua.getinfo(state, "Sl", &record);
    if (record.currentline <= 0 || record.source[0] != '@') continue;
    snprintf(owner->place, sizeof owner->place, "%s:%d", record.source + 1, record.currentline);
    return;
  }
}

bool chost_lua_charge(chost_lua *owner, int64_t bytes) {
  if (bytes <= 0) {
    size_t fewer = -(uint64_t)bytes;
    owner->used -= fewer < owner->used ? fewer : owner->used;
    return true;
  }
  // Lua does not know how large pictures are: it collects unused ones as if it had allocated the bytes.
  if (!has_memory(owner, (size_t)bytes)) lua.gc(owner->running, lua_collect);
  if (!has_memory(owner, (size_t)bytes)) return false;
  owner->used += (size_t)bytes;
  if (bytes >= 1024) lua.gc(owner->running, lua_step, (int)(bytes / 1024));
  return true;
}

void lua_check_stop(lua_State *state, chost_lua *owner) {
  if (!reason(owner)) return;
  lua.pushnil(state);
  lua.error(state);
}

const char *chost_lua_place(const chost_lua *owner) {
  return owner->failure_place[0] ? owner->failure_place : owner->place;
}

/// Notes the file and line of a failure: requests of variables that are closed after it change the other place.
static void note_failure_place(lua_State *state, chost_lua *owner) {
  lua_note_place(state, owner);
  memcpy(owner->failure_place, owner->place, sizeof owner->place);
}

void lua_count(lua_State *state, chost_lua *owner, uint64_t count) {
  if (!is_stopped_by(owner, count)) return;
  if (!owner->failure_place[0]) note_failure_place(state, owner);
  lua_check_stop(state, owner);
}

static void count_instructions(lua_State *state, lua_Debug *record) {
  (void)record;
  chost_lua *owner = lua_owner(state);
  int pace = lua.gethookcount(state), next = owner->used > much_memory ? short_pace : lua_pace;
  if (next != pace) lua.sethook(state, count_instructions, lua_mask_count, next);
  lua_count(state, owner, (uint64_t)pace);
}

void chost_lua_stop(chost_lua *owner, int32_t new) {
  int32_t none = chost_lua_stop_none;
  atomic_compare_exchange_strong(&owner->stop, &none, new);
}

int32_t chost_lua_stop_reason(const chost_lua *owner) { return reason(owner); }

// Functions of the prelude.

/// Sends a request to the host: its operation and values. Returns the results, or raises the error.
static int call_host(lua_State *state) {
  chost_lua *owner = lua_owner(state);
  lua_check_stop(state, owner);
  lua_note_place(state, owner);
  owner->running = state;
  int32_t operation = (int32_t)lua.tointegerx(state, 1, NULL);
  int count = lua.gettop(state);
  owner->request.count = owner->request_cost = 0;
  lua_encode_count(state, owner, (uint64_t)(count - 1));
  for (int index = 2; index <= count; index++) lua_encode(state, owner, index, 0);
  owner->response.count = owner->cursor = 0;
  int32_t status = owner->handler(owner->context, owner, operation, owner->request.bytes, owner->request.count);
  lua_check_stop(state, owner);
  if (status == chost_lua_no_memory) lua_fail(state, "not enough memory");
  lua.settop(state, 0);
  if (status == chost_lua_error) {
    lua_decode(state, owner);
    if (lua.type(state, -1) == lua_type_table) {
      lua.pushstring(state, "place");
      lua.pushstring(state, owner->place);
      lua.rawset(state, -3);
    }
    lua.error(state);
  }
  int results = (int)lua_decode_count(state, owner);
  if (!lua.checkstack(state, results)) lua_fail(state, "stack overflow");
  for (int index = 0; index < results; index++) lua_decode(state, owner);
  return results;
}

/// Returns its arguments, unless the script is to end: whatever catches errors passes through here.
static int checked(lua_State *state) {
  lua_check_stop(state, lua_owner(state));
  return lua.gettop(state);
}

static void add(lua_State *state, const char *name, lua_CFunction function) {
  lua.pushstring(state, name);
  lua.pushcclosure(state, function, 0);
  lua.rawset(state, -3);
}

static int null_text(lua_State *state) {
  lua.pushstring(state, "null");
  return 1;
}

/// Pushes the null of lists; there are no other light userdata, which share one metatable.
static void push_null(lua_State *state) {
  lua.pushlightuserdata(state, NULL);
  lua.createtable(state, 0, 2);
  add(state, "__tostring", null_text);
  lua.pushstring(state, "__metatable");
  lua.pushboolean(state, false);
  lua.rawset(state, -3);
  lua.setmetatable(state, -2);
}

static void push_natives(lua_State *state) {
  lua.createtable(state, 0, 8);
  add(state, "is", lua_is_of_class);
  add(state, "host", call_host);
  add(state, "checked", checked);
  add(state, "class", lua_add_class);
  add(state, "setmetatable", lua_set_metatable);
  lua.pushstring(state, "null");
  push_null(state);
  lua.rawset(state, -3);
}

// The run.

static void open_libraries(lua_State *state) {
  lua.aux.requiref(state, "_G", lua.open.base, 1);
  lua.aux.requiref(state, "coroutine", lua.open.coroutine, 1);
  lua.aux.requiref(state, "math", lua.open.math, 1);
  lua.aux.requiref(state, "os", lua.open.os, 1);
  lua.aux.requiref(state, "string", lua.open.string, 1);
  lua.aux.requiref(state, "table", lua.open.table, 1);
  lua.aux.requiref(state, "utf8", lua.open.utf8, 1);
  lua.settop(state, 0);
  lua_guard_libraries(state);
  lua_guard_patterns(state);
}

static void load(lua_State *state, const char *text, size_t count, const char *name) {
  // Only text: byte code can do anything.
  if (lua.aux.loadbufferx(state, text, count, name, "t") != lua_status_ok) lua.error(state);
}

static int run(lua_State *state) {
  chost_lua *owner = lua_owner(state);
  open_libraries(state);
  lua_prepare_values(state);
  owner->is_syntax_error = true;
  load(state, owner->source, owner->source_count, owner->name);
  owner->is_syntax_error = false;
  if (owner->is_check) return 0;
  load(state, owner->prelude, owner->prelude_count, "=wb");
  push_natives(state);
  lua.callk(state, 1, lua_all_results, 0, NULL);
  lua.sethook(state, count_instructions, lua_mask_count, lua_pace);
  lua.callk(state, lua.gettop(state) - 1, 0, 0, NULL);
  return 0;
}

/// Describes an error that the script did not catch, while its line is still known.
static int describe(lua_State *state) {
  chost_lua *owner = lua_owner(state);
  if (reason(owner)) return 1;
  note_failure_place(state, owner);
  size_t count = 0;
  const char *text = lua.aux.tolstring(state, 1, &count);
  // Here nothing may be raised that hides the error.
  owner->is_lenient = true;
  owner->request.count = owner->request_cost = 0;
  lua_encode_count(state, owner, 2);
  lua_encode_text(state, owner, text, count < longest_text ? count : longest_text);
  if (lua.type(state, 1) == lua_type_table) {
    lua_encode(state, owner, 1, 0);
  } else {
    lua.pushnil(state);
    lua_encode(state, owner, -1, 0);
  }
  owner->is_lenient = false;
  lua_buffer spare = owner->failure;
  owner->failure = owner->request;
  owner->request = spare;
  lua.settop(state, 1);
  return 1;
}

chost_lua *chost_lua_open(
  void *context, chost_lua_handler handler, chost_lua_release release, chost_lua_limits limits) {
  if (chost_lua_library()) return NULL;
  chost_lua *owner = calloc(1, sizeof *owner);
  if (!owner) return NULL;
  owner->context = context;
  owner->handler = handler;
  owner->release = release;
  owner->limits = limits;
  owner->state = lua.newstate(allocate, owner);
  if (owner->state) return owner;
  free(owner);
  return NULL;
}

int32_t chost_lua_run(
  chost_lua *owner, const char *prelude, size_t prelude_count, const char *source, size_t count, const char *name,
  bool is_check) {
  owner->prelude = prelude;
  owner->prelude_count = prelude_count;
  owner->source = source;
  owner->source_count = count;
  owner->name = name;
  owner->is_check = is_check;
  lua.settop(owner->state, 0);
  lua.pushcclosure(owner->state, describe, 0);
  lua.pushcclosure(owner->state, run, 0);
  int status = lua.pcallk(owner->state, 0, 0, 1, 0, NULL);
  if (reason(owner)) return chost_lua_stopped;
  switch (status) {
    case lua_status_ok: return chost_lua_finished;
    case lua_status_memory: return chost_lua_memory;
    case lua_status_nested: return chost_lua_nested;
    default: return owner->is_syntax_error ? chost_lua_syntax : chost_lua_failed;
  }
}

bool chost_lua_respond(chost_lua *owner, const uint8_t *bytes, size_t count) {
  lua_buffer *buffer = &owner->response;
  buffer->count = 0;
  if (buffer->capacity < count) {
    uint8_t *new = realloc(buffer->bytes, count);
    if (!new) return false;
    buffer->bytes = new;
    buffer->capacity = count;
  }
  if (count) memcpy(buffer->bytes, bytes, count);
  buffer->count = count;
  return true;
}

const uint8_t *chost_lua_failure(const chost_lua *owner, size_t *count) {
  *count = owner->failure.count;
  return owner->failure.bytes;
}

void chost_lua_close(chost_lua *owner) {
  lua.close(owner->state);
  free(owner->request.bytes);
  free(owner->response.bytes);
  free(owner->failure.bytes);
  free(owner);
}
