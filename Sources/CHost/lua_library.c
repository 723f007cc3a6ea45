#include "lua_state.h"

#include <dlfcn.h>
#include <pthread.h>

// The host does not link Lua: only scripts need it.
lua_functions lua;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem = "it cannot be opened";

static void open_library(void) {
  void *library = dlopen("liblua5.4.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  problem = "it lacks functions";
#define FIND(result, name, parameters) \
  if (!(*(void **)&lua.name = dlsym(library, "lua_" #name))) return;
  LUA_FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, parameters) \
  if (!(*(void **)&lua.aux.name = dlsym(library, "luaL_" #name))) return;
  LUA_AUXILIARY_FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, parameters) \
  if (!(*(void **)&lua.open.name = dlsym(library, "luaopen_" #name))) return;
  LUA_LIBRARIES(FIND)
#undef FIND
  problem = lua.version(NULL) == lua_version_needed ? NULL : "it is not version 5.4";
}

const char *chost_lua_library(void) {
  pthread_once(&once, open_library);
  return problem;
}
