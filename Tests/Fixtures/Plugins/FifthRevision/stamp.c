#include "workbench_plugin.h"

WORKBENCH_PLUGIN("fifth-revision", "5.0.0")
