#include "workbench_plugin.h"

#include <stdlib.h>
#include <string.h>

WORKBENCH_PLUGIN("misbehaving", "1.0.0")

__attribute__((constructor)) static void begin(void) {
  const char *wish = getenv("WORKBENCH_FIXTURE");
  if (wish && strcmp(wish, "exit-in-constructor") == 0) exit(0);
}
