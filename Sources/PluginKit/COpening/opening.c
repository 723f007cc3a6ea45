#include "opening.h"

#include <dlfcn.h>
#include <stdio.h>

int opened_library_open(opened_library *library, const char *file) {
  library->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library->handle) snprintf(library->problem, sizeof library->problem, "%s", dlerror());
  return library->handle != NULL;
}

void *opened_library_find(opened_library *library, const char *name) {
  void *function = dlsym(library->handle, name);
  // The first function that is missing is the one to tell.
  if (!function && !library->problem[0])
    snprintf(library->problem, sizeof library->problem, "it has no function '%s'", name);
  return function;
}
