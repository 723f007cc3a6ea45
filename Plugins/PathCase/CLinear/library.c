#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "linear.h"

struct clp_functions clp;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char problem[256];

static void *find(const char *name) {
  void *function = dlsym(library, name);
  // The first function that is missing is the one to tell.
  if (!function && !problem[0]) snprintf(problem, sizeof problem, "it has no function '%s'", name);
  return function;
}

static void open_library(void) {
  library = dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
  clp.create = find("Clp_newModel");
  clp.destroy = find("Clp_deleteModel");
  clp.set_log_level = find("Clp_setLogLevel");
  clp.load = find("Clp_loadProblem");
  clp.set_column_lower = find("Clp_chgColumnLower");
  clp.set_column_upper = find("Clp_chgColumnUpper");
  clp.set_row_lower = find("Clp_chgRowLower");
  clp.set_row_upper = find("Clp_chgRowUpper");
  clp.set_weights = find("Clp_chgObjCoefficients");
  clp.set_direction = find("Clp_setOptimizationDirection");
  clp.set_seconds = find("Clp_setMaximumSeconds");
  clp.set_tolerance = find("Clp_setPrimalTolerance");
  clp.solve = find("Clp_initialSolve");
  clp.primal = find("Clp_primal");
  clp.dual = find("Clp_dual");
  clp.status = find("Clp_status");
  clp.basis = find("Clp_statusArray");
  clp.set_basis = find("Clp_copyinStatus");
  clp.objective = find("Clp_objectiveValue");
  clp.solution = find("Clp_primalColumnSolution");
  clp.steps = find("Clp_numberIterations");
}

const char *linear_open(void) {
  pthread_once(&once, open_library);
  return problem[0] ? problem : NULL;
}
