#include "workbench_plugin.h"

WORKBENCH_PLUGIN("isomers", "1.0.0")
