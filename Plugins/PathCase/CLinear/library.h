#ifndef WORKBENCH_LINEAR_LIBRARY_H
#define WORKBENCH_LINEAR_LIBRARY_H

#include <coin/Clp_C_Interface.h>

/// The functions of CLP, available once `linear_open` has returned NULL.
extern struct clp_functions {
  Clp_Simplex *(*create)(void);
  void (*destroy)(Clp_Simplex *);
  void (*set_log_level)(Clp_Simplex *, int);
  void (*load)(
    Clp_Simplex *, const int, const int, const CoinBigIndex *, const int *, const double *, const double *,
    const double *, const double *, const double *, const double *);
  void (*set_column_lower)(Clp_Simplex *, const double *);
  void (*set_column_upper)(Clp_Simplex *, const double *);
  void (*set_row_lower)(Clp_Simplex *, const double *);
  void (*set_row_upper)(Clp_Simplex *, const double *);
  void (*set_weights)(Clp_Simplex *, const double *);
  void (*set_direction)(Clp_Simplex *, double);
  void (*set_seconds)(Clp_Simplex *, double);
  void (*set_tolerance)(Clp_Simplex *, double);
  void (*set_perturbation)(Clp_Simplex *, int);
  void (*set_scaling)(Clp_Simplex *, int);
  int (*initial_primal)(Clp_Simplex *);
  int (*barrier)(Clp_Simplex *);
  int (*primal)(Clp_Simplex *, int);
  int (*dual)(Clp_Simplex *, int);
  int (*status)(Clp_Simplex *);
  unsigned char *(*basis)(Clp_Simplex *);
  void (*set_basis)(Clp_Simplex *, const unsigned char *);
  double (*objective)(Clp_Simplex *);
  double *(*solution)(Clp_Simplex *);
  double *(*reduced_weights)(Clp_Simplex *);
  int (*steps)(Clp_Simplex *);
} clp;

#endif
