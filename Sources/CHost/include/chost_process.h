#ifndef WORKBENCH_CHOST_PROCESS_H
#define WORKBENCH_CHOST_PROCESS_H

#include <stdbool.h>

/// Whether the process got more rights at its start than its user has (set-uid, capabilities).
bool chost_is_privileged(void);

/// Asks the kernel to kill this process when its parent ends, and never to write a core file.
void chost_become_probe(void);

/// Opens a folder for reading its entries, without following a link in the last component.
///
/// \returns a file descriptor, or -1 with errno set.
int chost_open_folder(const char *path);

/// Opens a file for reading, without following a link in the last component and without ever waiting for it.
///
/// \returns a file descriptor, or -1 with errno set.
int chost_open_file(const char *path);

/// Exchanges what two paths of one file system name, at once.
///
/// \returns 0, or -1 with errno set.
int chost_exchange(const char *first, const char *second);

#endif
