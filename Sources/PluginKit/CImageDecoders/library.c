#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

image_outcome image_end(image_status status, const char *message) {
  image_outcome outcome = {status, 0, 0, {0}};
  snprintf(outcome.message, sizeof outcome.message, "%s", message ? message : "");
  return outcome;
}

// The name of the package goes into the message of its own accord: '<library> <package>'.
static void missing(const char *file, const char *package, image_outcome *outcome) {
  char text[sizeof outcome->message];
  snprintf(text, sizeof text, "%s %s", file, package);
  *outcome = image_end(IMAGE_NO_LIBRARY, text);
}

void *image_open(const char *file, const char *package, image_outcome *outcome) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) missing(file, package, outcome);
  return library;
}

void *image_find(void *library, const char *name, const char *package, image_outcome *outcome) {
  void *function = library ? dlsym(library, name) : NULL;
  if (!function && outcome->status == IMAGE_DONE) missing(name, package, outcome);
  return function;
}
