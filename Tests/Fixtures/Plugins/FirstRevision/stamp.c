#include "workbench_plugin.h"

WORKBENCH_PLUGIN("first-revision", "1.2.3")
