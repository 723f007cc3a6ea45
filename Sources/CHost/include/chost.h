#ifndef WORKBENCH_CHOST_H
#define WORKBENCH_CHOST_H

// The C functions that the host needs and Swift's Glibc module lacks. Each subject has a header and a file of its own.

#include "chost_archive.h"
#include "chost_child.h"
#include "chost_crash.h"
#include "chost_dispatch.h"
#include "chost_edit.h"
#include "chost_exit.h"
#include "chost_fetch.h"
#include "chost_hash.h"
#include "chost_lua.h"
#include "chost_process.h"
#include "chost_service.h"
#include "chost_signals.h"
#include "chost_sqlite.h"
#include "chost_streams.h"

#endif
