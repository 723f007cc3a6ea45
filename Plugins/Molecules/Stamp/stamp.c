#include "workbench_plugin.h"

WORKBENCH_PLUGIN("molecules", "0.1.0")
