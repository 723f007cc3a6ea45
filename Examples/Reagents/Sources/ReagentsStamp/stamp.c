#include "workbench_plugin.h"

WORKBENCH_PLUGIN("reagents", "1.0.0")
