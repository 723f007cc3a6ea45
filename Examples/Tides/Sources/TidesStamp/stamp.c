#include "workbench_plugin.h"

WORKBENCH_PLUGIN("tides", "1.0.0")
