#ifndef WORKBENCH_VAULT_LIBRARY_H
#define WORKBENCH_VAULT_LIBRARY_H

#include <sodium.h>

/// The functions of libsodium, there once `vault_open` gave NULL.
extern struct sodium_functions {
  int (*initialize)(void);
  void *(*allocate)(size_t);
  void (*free)(void *);
  int (*lock)(void *const, const size_t);
  int (*unlock)(void *const, const size_t);
  int (*compare)(const void *const, const void *const, size_t);
  void (*random)(void *const, const size_t);
  int (*stretch)(
    unsigned char *const, unsigned long long, const char *const, unsigned long long, const unsigned char *,
    unsigned long long, size_t, int);
  int (*derive)(unsigned char *, size_t, uint64_t, const char[8], const unsigned char[32]);
  int (*hash)(
    unsigned char *, size_t, const unsigned char *, unsigned long long, const unsigned char *, size_t);
  int (*seal)(
    unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *,
    unsigned long long, const unsigned char *, const unsigned char *, const unsigned char *);
  int (*unseal)(
    unsigned char *, unsigned long long *, unsigned char *, const unsigned char *, unsigned long long,
    const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);
  int (*begin_push)(crypto_secretstream_xchacha20poly1305_state *, unsigned char *, const unsigned char *);
  int (*push)(
    crypto_secretstream_xchacha20poly1305_state *, unsigned char *, unsigned long long *, const unsigned char *,
    unsigned long long, const unsigned char *, unsigned long long, unsigned char);
  int (*begin_pull)(crypto_secretstream_xchacha20poly1305_state *, const unsigned char *, const unsigned char *);
  int (*pull)(
    crypto_secretstream_xchacha20poly1305_state *, unsigned char *, unsigned long long *, unsigned char *,
    const unsigned char *, unsigned long long, const unsigned char *, unsigned long long);
  int (*pair)(unsigned char *, unsigned char *);
  int (*give)(unsigned char *, const unsigned char *, unsigned long long, const unsigned char *);
  int (*take)(
    unsigned char *, const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);
} sodium;

#endif
