#include "workbench_plugin.h"

WORKBENCH_PLUGIN("pathcase", "0.1.0")
