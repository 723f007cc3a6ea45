#include "chost.h"
