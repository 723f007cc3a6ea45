#include "workbench_plugin.h"

WORKBENCH_PLUGIN("openbis", "0.1.0")
