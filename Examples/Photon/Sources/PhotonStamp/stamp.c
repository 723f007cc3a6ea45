#include "workbench_plugin.h"

WORKBENCH_PLUGIN("photon", "1.0.0")
