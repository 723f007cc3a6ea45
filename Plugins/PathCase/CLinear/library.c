#include "library.h"

#include <pthread.h>

#include "linear.h"
#include "opening.h"

struct clp_functions clp;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  if (!opened_library_open(&library, "libClp.so.1")) return;
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
  clp.set_perturbation = find("Clp_setPerturbation");
  clp.set_scaling = find("Clp_scaling");
  clp.initial_primal = find("Clp_initialPrimalSolve");
  clp.barrier = find("Clp_initialBarrierSolve");
  clp.primal = find("Clp_primal");
  clp.dual = find("Clp_dual");
  clp.status = find("Clp_status");
  clp.basis = find("Clp_statusArray");
  clp.set_basis = find("Clp_copyinStatus");
  clp.objective = find("Clp_objectiveValue");
  clp.solution = find("Clp_primalColumnSolution");
  clp.reduced_weights = find("Clp_dualColumnSolution");
  clp.steps = find("Clp_numberIterations");
}

const char *linear_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}
