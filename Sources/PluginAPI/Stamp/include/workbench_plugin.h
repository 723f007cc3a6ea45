#ifndef WORKBENCH_PLUGIN_H
#define WORKBENCH_PLUGIN_H

/// The revision of the contract these headers and sources describe. Additions raise it by one.
#define WORKBENCH_CONTRACT_REVISION 5

/// The oldest revision whose plugins still run on this contract.
#define WORKBENCH_OLDEST_REVISION 5

#define WORKBENCH_TEXT_(x) #x
#define WORKBENCH_TEXT(x) WORKBENCH_TEXT_(x)

/// Stamps a plugin library: put one line `WORKBENCH_PLUGIN("tides", "1.0.0")` into a C file of the plugin.
///
/// The stamp is an ELF section of NUL-separated texts (magic, id, version, contract revision, compiler)
/// that the host reads without running any code of the library.
#define WORKBENCH_PLUGIN(id, version)                                                      \
  __attribute__((used, retain, section(".workbench.plugin")))                              \
  static const char workbench_plugin_stamp[] = "workbench-plugin\0" id "\0" version "\0"   \
    WORKBENCH_TEXT(WORKBENCH_CONTRACT_REVISION) "\0" __VERSION__;

/// The revision this library was compiled as.
int workbench_contract_revision(void);

/// The oldest revision this library accepts.
int workbench_oldest_revision(void);

/// The compiler this library was compiled with, as the stamp of a plugin gives it.
const char *workbench_contract_compiler(void);

#endif
