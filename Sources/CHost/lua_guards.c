#include "lua_state.h"

// The hook that ends a script runs between instructions of Lua, never inside a C function. These replacements bound the
// time that functions of the libraries take in C, and count it as instructions; the others take time in proportion to
// the script's memory, and what they allocate is counted.

/// The largest span of positions that one call handles.
enum { widest_span = 1 << 26 };

/// The elements that count as an instruction.
enum { elements_of_instruction = 16 };

/// Calls the replaced function with all arguments.
static int call_original(lua_State *state) {
  lua.pushvalue(state, upvalue(1));
  lua.rotate(state, 1, 1);
  lua.callk(state, lua.gettop(state) - 1, lua_all_results, 0, NULL);
  return lua.gettop(state);
}

static void count_elements(lua_State *state, unsigned long long count) {
  lua_count(state, lua_owner(state), count / elements_of_instruction);
}

/// Calls a function that looks at all bytes or elements of its first argument.
static int counted(lua_State *state) {
  int type = lua.type(state, 1);
  if (type == lua_type_string || type == lua_type_table) count_elements(state, lua.rawlen(state, 1));
  return call_original(state);
}

static int repeat(lua_State *state) {
  size_t text = 0, separator = 0;
  lua.aux.checklstring(state, 1, &text);
  lua.aux.optlstring(state, 3, "", &separator);
  // Lua repeats nothing as often as it is asked to.
  if (text + separator) {
    // What is too long for the memory is refused at once.
    long long times = lua.aux.checkinteger(state, 2);
    if (times > 0 && (size_t)times <= lua_owner(state)->limits.memory) count_elements(state, (size_t)times);
    return call_original(state);
  }
  lua.pushlstring(state, "", 0);
  return 1;
}

/// Refuses a table that states a length of its own.
static void check_plain(lua_State *state, int index) {
  if (lua.type(state, index) != lua_type_table || !lua.getmetatable(state, index)) return;
  lua.pushstring(state, "__len");
  bool hasLength = lua.rawget(state, -2) != lua_type_nil;
  lua_pop(state, 2);
  if (hasLength) lua.aux.argerror(state, index, "tables with '__len' are not accepted");
}

static void check_span(lua_State *state, int first, int last) {
  long long from = lua.aux.optinteger(state, first, 1), to = lua.aux.optinteger(state, last, 0);
  if (to > 0 && to - (from < 0 ? 0 : from) > widest_span) lua.aux.argerror(state, last, "too many elements");
  if (from < -widest_span && to > from) lua.aux.argerror(state, first, "too many elements");
}

static int plain(lua_State *state) {
  check_plain(state, 1);
  return call_original(state);
}

static int move(lua_State *state) {
  check_plain(state, 1);
  check_span(state, 2, 3);
  long long from = lua.aux.optinteger(state, 2, 1), to = lua.aux.optinteger(state, 3, 0);
  if (to > from) count_elements(state, (unsigned long long)to - (unsigned long long)from);
  return call_original(state);
}

static int concatenate(lua_State *state) {
  check_plain(state, 1);
  check_span(state, 3, 4);
  return counted(state);
}

/// Adds or removes an element between others, which are moved.
static int insert(lua_State *state) {
  check_plain(state, 1);
  return lua.gettop(state) > 2 ? counted(state) : call_original(state);
}

static int removal(lua_State *state) {
  check_plain(state, 1);
  return lua.gettop(state) > 1 ? counted(state) : call_original(state);
}

/// Compares as `<` does.
static int less(lua_State *state) {
  lua_count(state, lua_owner(state), 1);
  lua.pushboolean(state, lua.compare(state, 1, 2, lua_less));
  return 1;
}

/// Calls a C function and counts it.
static int counted_call(lua_State *state) {
  lua_count(state, lua_owner(state), 1);
  return call_original(state);
}

/// Sorts with a comparison that is counted, as those in Lua are.
static int sort(lua_State *state) {
  check_plain(state, 1);
  lua.settop(state, 2);
  if (lua.type(state, 2) == lua_type_nil) {
    lua.settop(state, 1);
    lua.pushcclosure(state, less, 0);
  } else if (lua.iscfunction(state, 2)) {
    lua.pushcclosure(state, counted_call, 1);
  }
  return call_original(state);
}

/// Creates a coroutine. It counts as the instructions that it may run before it is checked for the first time:
/// otherwise coroutines that create others run for ever without a check.
static int create_coroutine(lua_State *state) {
  lua_count(state, lua_owner(state), lua_pace);
  return call_original(state);
}

static void replace(lua_State *state, const char *name, lua_CFunction function) {
  lua.pushstring(state, name);
  lua.pushstring(state, name);
  lua.rawget(state, -3);
  lua.pushcclosure(state, function, 1);
  lua.rawset(state, -3);
}

/// Pushes a global table.
static void push_global(lua_State *state, const char *name) {
  lua.rawgeti(state, lua_registry, 2);  // LUA_RIDX_GLOBALS
  lua.pushstring(state, name);
  lua.rawget(state, -2);
}

void lua_guard_libraries(lua_State *state) {
  push_global(state, "string");
  replace(state, "rep", repeat);
  push_global(state, "table");
  replace(state, "concat", concatenate);
  replace(state, "insert", insert);
  replace(state, "move", move);
  replace(state, "remove", removal);
  replace(state, "sort", sort);
  replace(state, "unpack", plain);
  push_global(state, "utf8");
  replace(state, "codepoint", counted);
  replace(state, "len", counted);
  replace(state, "offset", counted);
  push_global(state, "coroutine");
  replace(state, "create", create_coroutine);
  push_global(state, "_G");
  replace(state, "tonumber", counted);
  lua.settop(state, 0);
}

int lua_set_metatable(lua_State *state) {
  int type = lua.type(state, 2);
  lua.aux.checktype(state, 1, lua_type_table);
  if (type != lua_type_nil && type != lua_type_table) lua.aux.argerror(state, 2, "nil or a table expected");
  if (lua.getmetatable(state, 1)) {
    lua.pushstring(state, "__metatable");
    if (lua.rawget(state, -2) != lua_type_nil) lua.aux.error(state, "cannot change a protected metatable");
  }
  if (type == lua_type_table) {
    lua.pushstring(state, "__gc");
    if (lua.rawget(state, 2) != lua_type_nil) {
      lua.aux.error(state, "'__gc' is not available to scripts; use a variable with '<close>'");
    }
  }
  lua.settop(state, 2);
  lua.setmetatable(state, 1);
  return 1;
}
