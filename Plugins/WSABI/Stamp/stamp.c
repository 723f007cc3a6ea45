#include "workbench_plugin.h"

WORKBENCH_PLUGIN("wsabi", "0.1.0")
