#ifndef WORKBENCH_LUA_STATE_H
#define WORKBENCH_LUA_STATE_H

#include "chost_lua.h"

#include <stdatomic.h>

// The part of Lua's interface that is used: building needs no headers of Lua.
// Source: lua.h and lauxlib.h of Lua 5.4.4, with luaconf.h as Debian builds it.

typedef struct lua_State lua_State;
typedef int (*lua_CFunction)(lua_State *);
typedef void *(*lua_Alloc)(void *, void *, size_t, size_t);

/// An activation record.
typedef struct {
  int event;
  const char *name, *namewhat, *what, *source;
  size_t srclen;
  int currentline, linedefined, lastlinedefined;
  unsigned char nups, nparams;
  char isvararg, istailcall;
  unsigned short ftransfer, ntransfer;
  char short_src[60];  // LUA_IDSIZE
  void *i_ci;
} lua_Debug;

typedef void (*lua_Hook)(lua_State *, lua_Debug *);

/// A string that grows: luaL_Buffer.
typedef struct {
  char *bytes;
  size_t size, count;
  lua_State *state;
  union {
    double number;
    void *pointer;
    long long integer;
    char bytes[16 * sizeof(void *) * sizeof(double)];  // LUAL_BUFFERSIZE
  } first;
} lua_text;

enum {
  lua_version_needed = 504,
  lua_registry = -1000000 - 1000,  // LUA_REGISTRYINDEX: -LUAI_MAXSTACK - 1000
  lua_all_results = -1,            // LUA_MULTRET
  lua_mask_count = 1 << 3,         // LUA_MASKCOUNT
  lua_collect = 2,                 // LUA_GCCOLLECT
  lua_step = 5,                    // LUA_GCSTEP
  lua_less = 1,                    // LUA_OPLT
  lua_status_ok = 0,
  lua_status_syntax = 3,
  lua_status_memory = 4,
  lua_status_nested = 5
};

enum {
  lua_type_nil = 0,
  lua_type_boolean = 1,
  lua_type_light = 2,
  lua_type_number = 3,
  lua_type_string = 4,
  lua_type_table = 5,
  lua_type_function = 6,
  lua_type_userdata = 7
};

static inline int upvalue(int number) { return lua_registry - number; }

// Result, name, parameters of the functions with the prefix `lua_`.
#define LUA_FUNCTIONS(F)                                                                                     \
  F(lua_State *, newstate, (lua_Alloc, void *))                                                              \
  F(void, close, (lua_State *))                                                                              \
  F(double, version, (lua_State *))                                                                          \
  F(lua_Alloc, getallocf, (lua_State *, void **))                                                            \
  F(int, gettop, (lua_State *))                                                                              \
  F(void, settop, (lua_State *, int))                                                                        \
  F(void, pushvalue, (lua_State *, int))                                                                     \
  F(void, rotate, (lua_State *, int, int))                                                                   \
  F(int, absindex, (lua_State *, int))                                                                       \
  F(int, checkstack, (lua_State *, int))                                                                     \
  F(int, type, (lua_State *, int))                                                                           \
  F(const char *, typename, (lua_State *, int))                                                              \
  F(int, isinteger, (lua_State *, int))                                                                      \
  F(double, tonumberx, (lua_State *, int, int *))                                                            \
  F(long long, tointegerx, (lua_State *, int, int *))                                                        \
  F(int, toboolean, (lua_State *, int))                                                                      \
  F(const char *, tolstring, (lua_State *, int, size_t *))                                                   \
  F(unsigned long long, rawlen, (lua_State *, int))                                                          \
  F(void *, touserdata, (lua_State *, int))                                                                  \
  F(int, rawequal, (lua_State *, int, int))                                                                  \
  F(void, pushnil, (lua_State *))                                                                            \
  F(void, pushnumber, (lua_State *, double))                                                                 \
  F(void, pushinteger, (lua_State *, long long))                                                             \
  F(void, pushboolean, (lua_State *, int))                                                                   \
  F(void, pushlightuserdata, (lua_State *, void *))                                                          \
  F(const char *, pushlstring, (lua_State *, const char *, size_t))                                          \
  F(const char *, pushstring, (lua_State *, const char *))                                                   \
  F(const char *, pushfstring, (lua_State *, const char *, ...))                                             \
  F(void, pushcclosure, (lua_State *, lua_CFunction, int))                                                   \
  F(void, createtable, (lua_State *, int, int))                                                              \
  F(void *, newuserdatauv, (lua_State *, size_t, int))                                                       \
  F(int, gettable, (lua_State *, int))                                                                       \
  F(int, rawget, (lua_State *, int))                                                                         \
  F(int, rawgeti, (lua_State *, int, long long))                                                             \
  F(int, rawgetp, (lua_State *, int, const void *))                                                          \
  F(void, rawset, (lua_State *, int))                                                                        \
  F(void, rawseti, (lua_State *, int, long long))                                                            \
  F(void, rawsetp, (lua_State *, int, const void *))                                                         \
  F(int, getmetatable, (lua_State *, int))                                                                   \
  F(int, setmetatable, (lua_State *, int))                                                                   \
  F(int, next, (lua_State *, int))                                                                           \
  F(int, error, (lua_State *))                                                                               \
  F(void, callk, (lua_State *, int, int, intptr_t, void *))                                                  \
  F(int, pcallk, (lua_State *, int, int, int, intptr_t, void *))                                             \
  F(void, sethook, (lua_State *, lua_Hook, int, int))                                                        \
  F(int, gethookcount, (lua_State *))                                                                        \
  F(int, gc, (lua_State *, int, ...))                                                                        \
  F(int, compare, (lua_State *, int, int, int))                                                              \
  F(int, iscfunction, (lua_State *, int))                                                                    \
  F(int, getstack, (lua_State *, int, lua_Debug *))                                                          \
  F(int, getinfo, (lua_State *, const char *, lua_Debug *))

// The same, with the prefix `luaL_`.
#define LUA_AUXILIARY_FUNCTIONS(F)                                                                           \
  F(int, loadbufferx, (lua_State *, const char *, size_t, const char *, const char *))                       \
  F(void, requiref, (lua_State *, const char *, lua_CFunction, int))                                         \
  F(const char *, tolstring, (lua_State *, int, size_t *))                                                   \
  F(const char *, checklstring, (lua_State *, int, size_t *))                                                \
  F(const char *, optlstring, (lua_State *, int, const char *, size_t *))                                    \
  F(long long, checkinteger, (lua_State *, int))                                                             \
  F(long long, optinteger, (lua_State *, int, long long))                                                    \
  F(void, checktype, (lua_State *, int, int))                                                                \
  F(void, buffinit, (lua_State *, lua_text *))                                                               \
  F(void, addlstring, (lua_text *, const char *, size_t))                                                    \
  F(void, addvalue, (lua_text *))                                                                            \
  F(void, pushresult, (lua_text *))                                                                          \
  F(int, argerror, (lua_State *, int, const char *))                                                         \
  F(int, error, (lua_State *, const char *, ...))

// The same, with the prefix `luaopen_`.
#define LUA_LIBRARIES(F)         \
  F(int, base, (lua_State *))      \
  F(int, coroutine, (lua_State *)) \
  F(int, math, (lua_State *))      \
  F(int, os, (lua_State *))        \
  F(int, string, (lua_State *))    \
  F(int, table, (lua_State *))     \
  F(int, utf8, (lua_State *))

#define LUA_FIELD(result, name, parameters) result(*name) parameters;
/// Lua's functions, found in its library.
typedef struct {
  LUA_FUNCTIONS(LUA_FIELD)
  struct {
    LUA_AUXILIARY_FUNCTIONS(LUA_FIELD)
  } aux;
  struct {
    LUA_LIBRARIES(LUA_FIELD)
  } open;
} lua_functions;
#undef LUA_FIELD

extern lua_functions lua;

/// The instructions between two checks of the reasons to stop; fewer are checked while the script has much memory, as
/// each instruction may then take long.
enum { lua_pace = 1000 };

/// Bytes that grow; outside of the script's memory.
typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} lua_buffer;

struct chost_lua {
  /// The main thread of the script, and the one of the last request.
  lua_State *state, *running;
  void *context;
  chost_lua_handler handler;
  chost_lua_release release;
  chost_lua_limits limits;
  /// The bytes of the script's values.
  size_t used;
  uint64_t instructions;
  _Atomic int32_t stop;
  /// The file and line of the last request, and of the failure.
  char place[512], failure_place[512];
  lua_buffer request, response, failure;
  /// The memory that the values of the request need elsewhere, about.
  size_t request_cost;
  /// The offset of the next byte of the response.
  size_t cursor;
  /// True if what cannot be converted is left out, rather than an error.
  bool is_lenient;
  bool is_syntax_error, is_check;
  const char *prelude, *source, *name;
  size_t prelude_count, source_count;
};

/// Returns the interpreter of a state.
static inline chost_lua *lua_owner(lua_State *state) {
  void *owner = NULL;
  lua.getallocf(state, &owner);
  return owner;
}

static inline void lua_pop(lua_State *state, int count) { lua.settop(state, -count - 1); }

/// Raises an error with a message, which has no file and line: the caller may be the prelude.
#define lua_fail(state, ...) (lua.pushfstring(state, __VA_ARGS__), (void)lua.error(state))

/// Raises the end of the script if there is a reason for one.
void lua_check_stop(lua_State *state, chost_lua *owner);
/// Counts instructions, and raises the end of the script if there is a reason for one.
void lua_count(lua_State *state, chost_lua *owner, uint64_t count);
/// Notes the file and line that runs.
void lua_note_place(lua_State *state, chost_lua *owner);

/// Makes the metatable of handles and the table of classes.
void lua_prepare_values(lua_State *state);
/// Adds a class, whose metatable is hidden from scripts: its name, its metatable.
int lua_add_class(lua_State *state);
/// Returns whether a value is an object of a class: the value, the name.
int lua_is_of_class(lua_State *state);
/// Adds a value to the request.
void lua_encode(lua_State *state, chost_lua *owner, int index, int depth);
/// Adds a count to the request.
void lua_encode_count(lua_State *state, chost_lua *owner, uint64_t count);
/// Adds a string to the request.
void lua_encode_text(lua_State *state, chost_lua *owner, const char *text, size_t count);
/// Pushes the next value of the response.
void lua_decode(lua_State *state, chost_lua *owner);
/// Reads a count of the response.
uint64_t lua_decode_count(lua_State *state, chost_lua *owner);

/// Replaces functions of the libraries that run long without instructions.
void lua_guard_libraries(lua_State *state);
/// Replaces the functions of patterns.
void lua_guard_patterns(lua_State *state);
/// As `setmetatable`, but refuses finalizers: nothing interrupts them.
int lua_set_metatable(lua_State *state);

#endif
