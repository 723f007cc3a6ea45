#include "lua_state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { tag_nil, tag_false, tag_true, tag_integer, tag_float, tag_string, tag_list, tag_record, tag_handle, tag_table,
       tag_object, tag_null };

/// The deepest nesting of tables in a request, and the memory that a value needs at least.
enum { deepest = 200, cost_of_value = 64 };

// Their addresses are keys of Lua's registry.
static const char handle_key, class_key;

// Handles.

static int release_handle(lua_State *state) {
  chost_lua *owner = lua_owner(state);
  uint64_t *handle = lua.touserdata(state, 1);
  if (handle) chost_lua_charge(owner, owner->release(owner->context, *handle));
  return 0;
}

static bool is_handle(lua_State *state, int index) {
  if (lua.type(state, index) != lua_type_userdata || !lua.getmetatable(state, index)) return false;
  lua.rawgetp(state, lua_registry, &handle_key);
  bool isHandle = lua.rawequal(state, -1, -2);
  lua_pop(state, 2);
  return isHandle;
}

void lua_prepare_values(lua_State *state) {
  lua.createtable(state, 0, 2);
  lua.pushstring(state, "__gc");
  lua.pushcclosure(state, release_handle, 0);
  lua.rawset(state, -3);
  lua.pushstring(state, "__metatable");
  lua.pushboolean(state, false);
  lua.rawset(state, -3);
  lua.rawsetp(state, lua_registry, &handle_key);
  lua.createtable(state, 0, 4);
  lua.rawsetp(state, lua_registry, &class_key);
}

int lua_add_class(lua_State *state) {
  lua.settop(state, 2);
  lua.pushstring(state, "__metatable");
  lua.pushboolean(state, false);
  lua.rawset(state, 2);
  lua.rawgetp(state, lua_registry, &class_key);
  lua.rotate(state, 1, 1);
  lua.rawset(state, 1);
  return 0;
}

int lua_is_of_class(lua_State *state) {
  lua.settop(state, 2);
  lua.rawgetp(state, lua_registry, &class_key);
  lua.rotate(state, 2, 1);
  lua.rawget(state, 2);
  bool isObject = lua.type(state, 1) == lua_type_table && lua.getmetatable(state, 1) && lua.rawequal(state, -1, 3);
  lua.pushboolean(state, isObject);
  return 1;
}

// Requests.

static uint8_t *grow(lua_State *state, chost_lua *owner, size_t count) {
  lua_buffer *buffer = &owner->request;
  owner->request_cost += count;
  if (owner->request_cost > owner->limits.memory) lua_fail(state, "not enough memory");
  if (buffer->capacity - buffer->count < count) {
    size_t capacity = 2 * buffer->capacity + count + 256;
    uint8_t *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) lua_fail(state, "not enough memory");
    buffer->bytes = bytes;
    buffer->capacity = capacity;
  }
  buffer->count += count;
  return buffer->bytes + buffer->count - count;
}

static void put(lua_State *state, chost_lua *owner, const void *bytes, size_t count) {
  if (count) memcpy(grow(state, owner, count), bytes, count);
}

static void put_tag(lua_State *state, chost_lua *owner, uint8_t tag) {
  put(state, owner, &tag, 1);
  owner->request_cost += cost_of_value;
}

void lua_encode_count(lua_State *state, chost_lua *owner, uint64_t count) { put(state, owner, &count, sizeof count); }

static void put_name(lua_State *state, chost_lua *owner, const char *text, size_t count) {
  lua_encode_count(state, owner, count);
  put(state, owner, text, count);
}

void lua_encode_text(lua_State *state, chost_lua *owner, const char *text, size_t count) {
  put_tag(state, owner, tag_string);
  put_name(state, owner, text, count);
}

static void refuse(lua_State *state, chost_lua *owner, const char *format, const char *what) {
  if (owner->is_lenient) return put_tag(state, owner, tag_nil);
  lua_fail(state, format, what);
}

static void encode_fields(lua_State *state, chost_lua *owner, int index, uint64_t listed, int depth) {
  size_t place = owner->request.count;
  uint64_t fields = 0;
  lua_encode_count(state, owner, 0);
  lua.pushnil(state);
  while (lua.next(state, index)) {
    size_t length = 0;
    if (lua.type(state, -2) == lua_type_string) {
      const char *name = lua.tolstring(state, -2, &length);
      put_name(state, owner, name, length);
      lua_encode(state, owner, -1, depth);
      fields++;
    } else if (!lua.isinteger(state, -2)) {
      if (!owner->is_lenient) {
        lua_fail(
          state, "a key of a table is a %s; names and positions can be passed to Workbench",
          lua.typename(state, lua.type(state, -2)));
      }
    } else {
      long long key = lua.tointegerx(state, -2, NULL);
      if ((key < 1 || (uint64_t)key > listed) && !owner->is_lenient) {
        lua_fail(state, "a list has a gap before position %I; write wb.null there", key);
      }
    }
    lua_pop(state, 1);
  }
  memcpy(owner->request.bytes + place, &fields, sizeof fields);
}

static void encode_table(lua_State *state, chost_lua *owner, int index, int depth) {
  if (depth > deepest) return refuse(state, owner, "a %s is nested deeper than 200 levels, or contains itself", "table");
  if (!lua.checkstack(state, 8)) return refuse(state, owner, "stack overflow in a %s", "table");
  lua_check_stop(state, owner);
  lua.pushstring(state, "handle");
  lua.rawget(state, index);
  if (is_handle(state, -1)) {
    lua_encode(state, owner, -1, depth);
    return lua_pop(state, 1);
  }
  lua_pop(state, 1);
  uint64_t count = lua.rawlen(state, index);
  put_tag(state, owner, tag_list);
  lua_encode_count(state, owner, count);
  for (uint64_t position = 1; position <= count; position++) {
    lua.rawgeti(state, index, (long long)position);
    lua_encode(state, owner, -1, depth + 1);
    lua_pop(state, 1);
  }
  encode_fields(state, owner, index, count, depth + 1);
}

void lua_encode(lua_State *state, chost_lua *owner, int index, int depth) {
  index = lua.absindex(state, index);
  int type = lua.type(state, index);
  switch (type) {
    case lua_type_nil: return put_tag(state, owner, tag_nil);
    case lua_type_boolean: return put_tag(state, owner, lua.toboolean(state, index) ? tag_true : tag_false);
    case lua_type_number: {
      if (lua.isinteger(state, index)) {
        int64_t number = lua.tointegerx(state, index, NULL);
        put_tag(state, owner, tag_integer);
        return put(state, owner, &number, sizeof number);
      }
      double number = lua.tonumberx(state, index, NULL);
      put_tag(state, owner, tag_float);
      return put(state, owner, &number, sizeof number);
    }
    case lua_type_string: {
      size_t count = 0;
      const char *text = lua.tolstring(state, index, &count);
      return lua_encode_text(state, owner, text, count);
    }
    case lua_type_table: return encode_table(state, owner, index, depth);
    case lua_type_light: return put_tag(state, owner, tag_null);
    default:
      if (!is_handle(state, index)) {
        return refuse(state, owner, "a %s cannot be passed to Workbench", lua.typename(state, type));
      }
      put_tag(state, owner, tag_handle);
      put(state, owner, lua.touserdata(state, index), sizeof(uint64_t));
  }
}

// Responses.

static const uint8_t *take(lua_State *state, chost_lua *owner, size_t count) {
  if (owner->response.count - owner->cursor < count) lua_fail(state, "a response of Workbench is cut off");
  owner->cursor += count;
  return owner->response.bytes + owner->cursor - count;
}

uint64_t lua_decode_count(lua_State *state, chost_lua *owner) {
  uint64_t count;
  memcpy(&count, take(state, owner, sizeof count), sizeof count);
  return count;
}

static void push_name(lua_State *state, chost_lua *owner) {
  size_t count = lua_decode_count(state, owner);
  lua.pushlstring(state, (const char *)take(state, owner, count), count);
}

/// Returns a number of elements to make room for: there are at least as many bytes.
static int expected(const chost_lua *owner, uint64_t count) {
  size_t rest = owner->response.count - owner->cursor;
  if (count > rest) count = rest;
  return count > INT_MAX / 64 ? INT_MAX / 64 : (int)count;
}

static void decode_rows(lua_State *state, chost_lua *owner) {
  uint64_t columns = lua_decode_count(state, owner);
  if (columns > 100000 || !lua.checkstack(state, (int)columns + 8)) lua_fail(state, "a table has too many columns");
  int names = lua.gettop(state);
  for (uint64_t column = 0; column < columns; column++) push_name(state, owner);
  uint64_t rows = lua_decode_count(state, owner);
  lua.createtable(state, expected(owner, rows), 0);
  for (uint64_t row = 1; row <= rows; row++) {
    lua.createtable(state, 0, (int)columns);
    for (uint64_t column = 1; column <= columns; column++) {
      lua.pushvalue(state, names + (int)column);
      lua_decode(state, owner);
      lua.rawset(state, -3);
    }
    lua.rawseti(state, -2, (long long)row);
  }
  // The names go, the rows stay.
  lua.rotate(state, names + 1, 1);
  lua.settop(state, names + 1);
}

static void decode_object(lua_State *state, chost_lua *owner) {
  lua.rawgetp(state, lua_registry, &class_key);
  push_name(state, owner);
  lua.rawget(state, -2);
  lua.rotate(state, -2, 1);
  lua_pop(state, 1);
  lua_decode(state, owner);
  lua.rotate(state, -2, 1);
  // As in `lua_set_metatable`: nothing interrupts finalizers.
  lua.pushstring(state, "__gc");
  if (lua.rawget(state, -2) != lua_type_nil) lua_fail(state, "'__gc' is not available to scripts");
  lua_pop(state, 1);
  lua.setmetatable(state, -2);
}

void lua_decode(lua_State *state, chost_lua *owner) {
  if (!lua.checkstack(state, 8)) lua_fail(state, "stack overflow");
  switch (*take(state, owner, 1)) {
    case tag_nil: return lua.pushnil(state);
    case tag_false: return lua.pushboolean(state, false);
    case tag_true: return lua.pushboolean(state, true);
    case tag_integer: {
      int64_t number;
      memcpy(&number, take(state, owner, sizeof number), sizeof number);
      return lua.pushinteger(state, number);
    }
    case tag_float: {
      double number;
      memcpy(&number, take(state, owner, sizeof number), sizeof number);
      return lua.pushnumber(state, number);
    }
    case tag_string: return push_name(state, owner);
    case tag_list: {
      uint64_t count = lua_decode_count(state, owner);
      lua.createtable(state, expected(owner, count), 0);
      for (uint64_t position = 1; position <= count; position++) {
        lua_decode(state, owner);
        lua.rawseti(state, -2, (long long)position);
      }
      return;
    }
    case tag_record: {
      uint64_t count = lua_decode_count(state, owner);
      lua.createtable(state, 0, expected(owner, count));
      for (uint64_t field = 0; field < count; field++) {
        push_name(state, owner);
        lua_decode(state, owner);
        lua.rawset(state, -3);
      }
      return;
    }
    case tag_handle: {
      uint64_t handle = lua_decode_count(state, owner);
      memcpy(lua.newuserdatauv(state, sizeof handle, 0), &handle, sizeof handle);
      lua.rawgetp(state, lua_registry, &handle_key);
      lua.setmetatable(state, -2);
      return;
    }
    case tag_table: return decode_rows(state, owner);
    case tag_object: return decode_object(state, owner);
    case tag_null: return lua.pushlightuserdata(state, NULL);
    default: lua_fail(state, "a response of Workbench has an unknown tag");
  }
}
