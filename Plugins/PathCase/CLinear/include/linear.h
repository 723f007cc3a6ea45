#ifndef WORKBENCH_LINEAR_H
#define WORKBENCH_LINEAR_H

// The functions of COIN-OR CLP that PathCase uses; the library is loaded on first use.
//
// Programs have the form: optimize weights · x subject to rowLower <= A x <= rowUpper and lower <= x <= upper.

#include <stddef.h>

/// A linear program with the basis of its last solution. Not thread-safe.
typedef struct linear_program linear_program;

typedef struct {
  int rows;
  int columns;
  /// The offset of each column in `indices` and `values`, followed by the end of the last: columns + 1 numbers.
  const int *starts;
  /// The row of each value, from 0.
  const int *indices;
  const double *values;
  /// One bound per column; infinite for none.
  const double *lower;
  const double *upper;
  const double *weights;
  /// One bound per row; infinite for none.
  const double *row_lower;
  const double *row_upper;
} linear_setup;

typedef enum {
  LINEAR_OPTIMAL,
  LINEAR_INFEASIBLE,
  LINEAR_UNBOUNDED,
  /// The limit of steps or time was exceeded.
  LINEAR_LIMIT,
  /// Rounding errors prevented a result.
  LINEAR_FAILED,
} linear_status;

/// Loads CLP, once.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *linear_open(void);

/// Creates a program; NULL without memory, without CLP, or for an inconsistent setup.
linear_program *linear_create(linear_setup setup);

/// Sets the bounds of a column.
void linear_set_bounds(linear_program *program, int column, double lower, double upper);

/// Sets the weight of a column.
void linear_set_weight(linear_program *program, int column, double weight);

/// Sets the bounds of a row.
void linear_set_row(linear_program *program, int row, double lower, double upper);

/// Solves the program, starting from the last basis if it was solved before.
///
/// A program is reported as infeasible only after a cold start.
linear_status linear_solve(linear_program *program, int is_maximized, double seconds);

/// Solves the program by the interior point method, then moves to a vertex; intended for a single large program.
linear_status linear_solve_by_barrier(linear_program *program, int is_maximized);

/// Stores the basis of the last solution, if there was one.
void linear_keep_basis(linear_program *program);

/// Starts the next solution from the stored basis, if there is one.
void linear_return_to_basis(linear_program *program);

/// Returns the weighted sum of the values in the last solution.
double linear_objective(const linear_program *program);

/// Returns the values of the columns in the last solution, valid until the program is changed.
const double *linear_solution(const linear_program *program);

/// Returns the growth of the objective with each column beyond its bound, in the last solution; valid until the
/// program is changed.
const double *linear_reduced_weights(const linear_program *program);

/// Returns the number of steps in the last solution.
int linear_steps(const linear_program *program);

void linear_free(linear_program *program);

#endif
