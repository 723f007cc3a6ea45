#include "callocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

// The C library's own ones, under the names it exports for this purpose.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Atomic long alive;
static _Atomic long most;
static _Atomic long start;

static void *grown(void *block) {
  if (!block) return block;
  long size = (long)malloc_usable_size(block);
  long now = atomic_fetch_add_explicit(&alive, size, memory_order_relaxed) + size;
  if (now > atomic_load_explicit(&most, memory_order_relaxed))
    atomic_store_explicit(&most, now, memory_order_relaxed);
  return block;
}

static void shrunk(size_t size) { atomic_fetch_sub_explicit(&alive, (long)size, memory_order_relaxed); }

void *malloc(size_t size) { return grown(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return grown(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  size_t before = block ? malloc_usable_size(block) : 0;
  void *other = __libc_realloc(block, size);
  // What cannot be made larger stays as it is.
  if (other || size == 0) shrunk(before);
  return grown(other);
}

void free(void *block) {
  if (block) shrunk(malloc_usable_size(block));
  __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return grown(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *place = block;
  return 0;
}

void callocations_begin(void) {
  start = alive;
  most = alive;
}

size_t callocations_growth(void) { return (size_t)(most - start); }
