#include "workbench_plugin.h"

WORKBENCH_PLUGIN("contained", "1.0.0")
