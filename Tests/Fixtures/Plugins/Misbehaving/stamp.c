#include "workbench_plugin.h"

WORKBENCH_PLUGIN("misbehaving", "1.0.0")
