#include "linear.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

struct linear_program {
  Clp_Simplex *model;
  int rows;
  int columns;
  double *lower;
  double *upper;
  double *weights;
  double *row_lower;
  double *row_upper;
  int has_new_bounds;
  int has_new_weights;
  int has_basis;
  /// Set once the program was solved: CLP then starts from the state left behind.
  int was_solved;
  /// The stored basis, one byte per column and row; NULL for none.
  unsigned char *kept;
};

/// The tolerance of rows and columns.
static const double balance_tolerance = 1e-9;

/// CLP's codes for perturbing bounds: always, or when pivots stall.
enum { PERTURB_ALWAYS = 50, PERTURB_STALLED = 100 };

/// CLP's codes for scaling: such that the largest number of each row and column is 1, or as CLP chooses.
enum { SCALE_TO_LARGEST = 1, SCALE_AS_CHOSEN = 3 };

/// Returns a bound in CLP's form, in which the largest number stands for no bound.
static double bound(double value) { return value >= 1e30 ? DBL_MAX : value <= -1e30 ? -DBL_MAX : value; }

static double *copied(const double *values, int count, int are_bounds) {
  double *copy = malloc((count ? (size_t)count : 1) * sizeof *copy);
  for (int index = 0; copy && index < count; index++) copy[index] = are_bounds ? bound(values[index]) : values[index];
  return copy;
}

/// Returns whether the numbers are valid for CLP, which does not check them.
static int fits(const linear_setup *setup) {
  if (setup->rows < 0 || setup->columns < 0 || setup->starts[0] != 0) return 0;
  for (int column = 0; column < setup->columns; column++) {
    if (setup->starts[column + 1] < setup->starts[column]) return 0;
    if (isnan(setup->lower[column]) || isnan(setup->upper[column]) || !isfinite(setup->weights[column])) return 0;
  }
  for (int index = 0; index < setup->starts[setup->columns]; index++) {
    if (setup->indices[index] < 0 || setup->indices[index] >= setup->rows || !isfinite(setup->values[index])) return 0;
  }
  for (int row = 0; row < setup->rows; row++) {
    if (isnan(setup->row_lower[row]) || isnan(setup->row_upper[row])) return 0;
  }
  return 1;
}

linear_program *linear_create(linear_setup setup) {
  if (linear_open() || !fits(&setup)) return NULL;
  linear_program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->rows = setup.rows;
  program->columns = setup.columns;
  program->lower = copied(setup.lower, setup.columns, 1);
  program->upper = copied(setup.upper, setup.columns, 1);
  program->weights = copied(setup.weights, setup.columns, 0);
  program->row_lower = copied(setup.row_lower, setup.rows, 1);
  program->row_upper = copied(setup.row_upper, setup.rows, 1);
  int is_whole =
    program->lower && program->upper && program->weights && program->row_lower && program->row_upper;
  program->model = is_whole ? clp.create() : NULL;
  if (!program->model) {
    linear_free(program);
    return NULL;
  }
  clp.set_log_level(program->model, 0);
  clp.load(
    program->model, setup.columns, setup.rows, setup.starts, setup.indices, setup.values, program->lower,
    program->upper, program->weights, program->row_lower, program->row_upper);
  clp.set_tolerance(program->model, balance_tolerance);
  return program;
}

void linear_set_bounds(linear_program *program, int column, double lower, double upper) {
  if (column < 0 || column >= program->columns || isnan(lower) || isnan(upper)) return;
  program->lower[column] = bound(lower);
  program->upper[column] = bound(upper);
  program->has_new_bounds = 1;
}

void linear_set_weight(linear_program *program, int column, double weight) {
  if (column < 0 || column >= program->columns || !isfinite(weight)) return;
  program->weights[column] = weight;
  program->has_new_weights = 1;
}

void linear_set_row(linear_program *program, int row, double lower, double upper) {
  if (row < 0 || row >= program->rows || isnan(lower) || isnan(upper)) return;
  program->row_lower[row] = bound(lower);
  program->row_upper[row] = bound(upper);
  program->has_new_bounds = 1;
}

static linear_status status_of(const linear_program *program) {
  switch (clp.status(program->model)) {
  case 0: return LINEAR_OPTIMAL;
  case 1: return LINEAR_INFEASIBLE;
  case 2: return LINEAR_UNBOUNDED;
  case 3: return LINEAR_LIMIT;
  default: return LINEAR_FAILED;
  }
}

/// Resets the basis: all rows are in the basis, and each column is at one of its bounds.
static int begin_anew(linear_program *program) {
  size_t rows = (size_t)program->rows, columns = (size_t)program->columns;
  unsigned char *basis = malloc(rows + columns + 1);
  if (!basis) return 0;
  // CLP's codes: 0 free, 1 in the basis, 2 at the upper, 3 at the lower bound. Columns come first.
  for (size_t column = 0; column < columns; column++) {
    int has_lower = program->lower[column] > -DBL_MAX, has_upper = program->upper[column] < DBL_MAX;
    basis[column] = has_lower ? 3 : has_upper ? 2 : 0;
  }
  memset(basis + columns, 1, rows);
  clp.set_basis(program->model, basis);
  free(basis);
  return 1;
}

/// Solves from CLP's current basis, after presolving the program.
///
/// The primal method is used: zero fluxes satisfy most bounds at once, and CLP's default, the dual method, takes up to
/// sixty times as long if copies of a network share a medium. Most of these steps change nothing, so bounds are
/// perturbed from the start. Presolve reports unbounded programs as infeasible, and perturbed bounds may leave no
/// optimum: without one, the whole program is solved to decide the status.
static linear_status solve_presolved(linear_program *program) {
  clp.set_perturbation(program->model, PERTURB_ALWAYS);
  clp.initial_primal(program->model);
  clp.set_perturbation(program->model, PERTURB_STALLED);
  linear_status status = status_of(program);
  if (status == LINEAR_OPTIMAL || status == LINEAR_LIMIT) return status;
  clp.primal(program->model, 0);
  return status_of(program);
}

/// Solves from the last optimal basis.
static linear_status solve_warm(linear_program *program, int has_new_bounds) {
  if (has_new_bounds) clp.dual(program->model, 0);
  else clp.primal(program->model, 0);
  linear_status status = status_of(program);
  if (status != LINEAR_UNBOUNDED && status != LINEAR_FAILED) return status;
  clp.primal(program->model, 0);
  return status_of(program);
}

/// Returns whether no bounds cross: CLP does not check this.
static int has_room(const linear_program *program) {
  for (int column = 0; column < program->columns; column++) {
    if (program->lower[column] > program->upper[column]) return 0;
  }
  for (int row = 0; row < program->rows; row++) {
    if (program->row_lower[row] > program->row_upper[row]) return 0;
  }
  return 1;
}

/// Passes the changes since the last solution to CLP.
///
/// - Returns: True if bounds changed.
static int update(linear_program *program, int is_maximized) {
  Clp_Simplex *model = program->model;
  int has_new_bounds = program->has_new_bounds;
  if (has_new_bounds) {
    clp.set_column_lower(model, program->lower);
    clp.set_column_upper(model, program->upper);
    clp.set_row_lower(model, program->row_lower);
    clp.set_row_upper(model, program->row_upper);
  }
  if (program->has_new_weights) clp.set_weights(model, program->weights);
  program->has_new_bounds = 0;
  program->has_new_weights = 0;
  clp.set_direction(model, is_maximized ? -1 : 1);
  return has_new_bounds;
}

linear_status linear_solve(linear_program *program, int is_maximized, double seconds) {
  if (!has_room(program)) return LINEAR_INFEASIBLE;
  int has_new_bounds = update(program, is_maximized);
  clp.set_seconds(program->model, seconds > 0 ? seconds : -1);
  int was_solved = program->was_solved;
  program->was_solved = 1;
  linear_status status = program->has_basis ? solve_warm(program, has_new_bounds) : solve_presolved(program);
  // After an earlier solution CLP may report a feasible program as infeasible: only a cold start is trusted.
  int is_doubtful = status == LINEAR_FAILED || (status == LINEAR_INFEASIBLE && was_solved);
  if (is_doubtful && begin_anew(program)) status = solve_presolved(program);
  if (status == LINEAR_FAILED && begin_anew(program)) {
    clp.primal(program->model, 0);
    status = status_of(program);
  }
  program->has_basis = status == LINEAR_OPTIMAL;
  return status;
}

linear_status linear_solve_by_barrier(linear_program *program, int is_maximized) {
  if (!has_room(program)) return LINEAR_INFEASIBLE;
  if (program->rows == 0 || program->columns == 0) return linear_solve(program, is_maximized, 0);
  update(program, is_maximized);
  clp.set_seconds(program->model, -1);
  program->was_solved = 1;
  // With CLP's default, geometric means, the interior point method may end so far from a vertex that the crossover
  // takes several times as long as the method itself.
  clp.set_scaling(program->model, SCALE_TO_LARGEST);
  clp.barrier(program->model);
  clp.set_scaling(program->model, SCALE_AS_CHOSEN);
  if (status_of(program) == LINEAR_OPTIMAL) clp.dual(program->model, 0);
  program->has_basis = status_of(program) == LINEAR_OPTIMAL;
  if (program->has_basis) return LINEAR_OPTIMAL;
  return begin_anew(program) ? linear_solve(program, is_maximized, 0) : LINEAR_FAILED;
}

void linear_keep_basis(linear_program *program) {
  if (!program->has_basis) return;
  size_t count = (size_t)program->rows + (size_t)program->columns;
  const unsigned char *basis = clp.basis(program->model);
  if (!program->kept) program->kept = malloc(count ? count : 1);
  if (program->kept && basis) memcpy(program->kept, basis, count);
}

void linear_return_to_basis(linear_program *program) {
  if (!program->kept) return;
  clp.set_basis(program->model, program->kept);
  program->has_basis = 1;
}

double linear_objective(const linear_program *program) { return clp.objective(program->model); }

const double *linear_reduced_weights(const linear_program *program) { return clp.reduced_weights(program->model); }

const double *linear_solution(const linear_program *program) { return clp.solution(program->model); }

int linear_steps(const linear_program *program) { return clp.steps(program->model); }

void linear_free(linear_program *program) {
  if (!program) return;
  if (program->model) clp.destroy(program->model);
  free(program->lower);
  free(program->upper);
  free(program->weights);
  free(program->row_lower);
  free(program->row_upper);
  free(program->kept);
  free(program);
}
