#ifndef WORKBENCH_CHOST_EXIT_H
#define WORKBENCH_CHOST_EXIT_H

/// A handler called when code other than the host's ends the process.
///
/// \param plugin, phase, command the call responsible; empty if unknown.
typedef void (*chost_exit_handler)(const char *plugin, const char *phase, const char *command);

/// Passes every `exit`, `_exit`, `_Exit` and `quick_exit` in this process to a handler, with its record in the crash
/// journal; the host ends with `chost_end`. Child processes made by `fork` end as usual.
void chost_exit_watch(chost_exit_handler handler);

/// Ends the process at once, without the C library's clean-up.
_Noreturn void chost_end(int status);

#endif
