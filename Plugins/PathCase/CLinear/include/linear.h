#ifndef WORKBENCH_LINEAR_H
#define WORKBENCH_LINEAR_H

// What PathCase uses of COIN-OR CLP, which is opened at the first use.
//
// Programs of the form: the best weights · x with rowLower <= A x <= rowUpper and lower <= x <= upper.

#include <stddef.h>

/// A linear program with the basis it was solved with last. Not for use from several threads at once.
typedef struct linear_program linear_program;

typedef struct {
  int rows;
  int columns;
  /// Where each column begins in `indices` and `values`, and behind the last where they end: columns + 1 numbers.
  const int *starts;
  /// The rows of the numbers, from 0.
  const int *indices;
  const double *values;
  /// One for each column; infinity for none.
  const double *lower;
  const double *upper;
  const double *weights;
  /// One for each row; infinity for none.
  const double *row_lower;
  const double *row_upper;
} linear_setup;

typedef enum {
  LINEAR_OPTIMAL,
  LINEAR_INFEASIBLE,
  LINEAR_UNBOUNDED,
  /// It took too many steps or too long.
  LINEAR_LIMIT,
  /// Rounding errors kept it from an answer.
  LINEAR_FAILED,
} linear_status;

/// Opens CLP, once.
///
/// - Returns: NULL, or why it cannot be used.
const char *linear_open(void);

/// Makes a program; NULL without memory, without CLP, or for a setup whose numbers do not fit together.
linear_program *linear_create(linear_setup setup);

/// Sets the bounds of a column.
void linear_set_bounds(linear_program *program, int column, double lower, double upper);

/// Sets the weight of a column.
void linear_set_weight(linear_program *program, int column, double weight);

/// Sets the bounds of a row.
void linear_set_row(linear_program *program, int row, double lower, double upper);

/// Solves the program; from the last basis if it was solved before.
///
/// A program is called infeasible only after a cold start.
linear_status linear_solve(linear_program *program, int is_maximized, double seconds);

/// Solves the program by the interior point method, then goes to a vertex: for one large program alone.
linear_status linear_solve_by_barrier(linear_program *program, int is_maximized);

/// Keeps the basis of the last solution, if there was one.
void linear_keep_basis(linear_program *program);

/// Lets the next solving begin with the basis that was kept, if one was.
void linear_return_to_basis(linear_program *program);

/// The sum of weights and values in the last solution.
double linear_objective(const linear_program *program);

/// The values of the columns in the last solution, good until the program is changed.
const double *linear_solution(const linear_program *program);

/// By how much the objective grows with each column beyond its bound, in the last solution; good until the program is
/// changed.
const double *linear_reduced_weights(const linear_program *program);

/// How many steps the last solving took.
int linear_steps(const linear_program *program);

void linear_free(linear_program *program);

#endif
