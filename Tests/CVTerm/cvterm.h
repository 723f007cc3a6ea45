#ifndef WORKBENCH_CVTERM_H
#define WORKBENCH_CVTERM_H

// libvterm: the terminal that tests look at.
#include <vterm.h>

#endif
