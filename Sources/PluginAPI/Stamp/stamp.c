#include "workbench_plugin.h"

/// The contract's own stamp: lets tools tell which revision and compiler a `libPluginAPI.so` is of.
__attribute__((used, retain, section(".workbench.contract")))
static const char workbench_contract_stamp[] =
  "workbench-contract\0" WORKBENCH_TEXT(WORKBENCH_CONTRACT_REVISION) "\0" __VERSION__;

int workbench_contract_revision(void) { return WORKBENCH_CONTRACT_REVISION; }
int workbench_oldest_revision(void) { return WORKBENCH_OLDEST_REVISION; }
const char *workbench_contract_compiler(void) { return __VERSION__; }
