#include "workbench_plugin.h"

WORKBENCH_PLUGIN("declared", "1.0.0")
