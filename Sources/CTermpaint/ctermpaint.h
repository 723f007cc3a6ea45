#ifndef WORKBENCH_CTERMPAINT_H
#define WORKBENCH_CTERMPAINT_H

// termpaint 0.3: terminal set-up, detection, input and the restore sequence (never its drawing).
#include <termpaint.h>
#include <termpaint_event.h>

#endif
