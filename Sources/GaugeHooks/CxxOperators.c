// C++ `new` and `delete` by way of the counted malloc and free. libjemalloc brings operators of its own, which go
// straight to its core: without these, the C++ part of the Swift runtime would not be counted once jemalloc stands
// behind the hooks.
#define _GNU_SOURCE
#include "Internal.h"

// The mangled names are those of the Itanium C++ ABI with a 64-bit size_t (`m`).
#if GAUGE_HOOKS_ACTIVE && defined(__LP64__)

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

#define MANGLED(name) __asm__(name)

/// Out of memory: the next library's operator knows how to call the new-handler and throw.
static __attribute__((noinline, cold)) void *out_of_memory(const char *name, size_t size) {
  void *(*next)(size_t);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (!next) abort();
  return next(size);
}

static __attribute__((noinline, cold)) void *out_of_memory_aligned(const char *name, size_t size, size_t alignment) {
  void *(*next)(size_t, size_t);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (!next) abort();
  return next(size, alignment);
}

void *new_one(size_t size) MANGLED("_Znwm");
void *new_one(size_t size) {
  void *block = hooks_allocate(size);
  return block ? block : out_of_memory("_Znwm", size);
}

void *new_array(size_t size) MANGLED("_Znam");
void *new_array(size_t size) {
  void *block = hooks_allocate(size);
  return block ? block : out_of_memory("_Znam", size);
}

void *new_one_nothrow(size_t size, const void *tag) MANGLED("_ZnwmRKSt9nothrow_t");
void *new_one_nothrow(size_t size, const void *tag) { return hooks_allocate(size); }

void *new_array_nothrow(size_t size, const void *tag) MANGLED("_ZnamRKSt9nothrow_t");
void *new_array_nothrow(size_t size, const void *tag) { return hooks_allocate(size); }

void *new_one_aligned(size_t size, size_t alignment) MANGLED("_ZnwmSt11align_val_t");
void *new_one_aligned(size_t size, size_t alignment) {
  void *block = hooks_allocate_aligned(alignment, size);
  return block ? block : out_of_memory_aligned("_ZnwmSt11align_val_t", size, alignment);
}

void *new_array_aligned(size_t size, size_t alignment) MANGLED("_ZnamSt11align_val_t");
void *new_array_aligned(size_t size, size_t alignment) {
  void *block = hooks_allocate_aligned(alignment, size);
  return block ? block : out_of_memory_aligned("_ZnamSt11align_val_t", size, alignment);
}

void *new_one_aligned_nothrow(size_t size, size_t alignment, const void *tag)
    MANGLED("_ZnwmSt11align_val_tRKSt9nothrow_t");
void *new_one_aligned_nothrow(size_t size, size_t alignment, const void *tag) {
  return hooks_allocate_aligned(alignment, size);
}

void *new_array_aligned_nothrow(size_t size, size_t alignment, const void *tag)
    MANGLED("_ZnamSt11align_val_tRKSt9nothrow_t");
void *new_array_aligned_nothrow(size_t size, size_t alignment, const void *tag) {
  return hooks_allocate_aligned(alignment, size);
}

void delete_one(void *block) MANGLED("_ZdlPv");
void delete_one(void *block) { hooks_free(block); }
void delete_array(void *block) MANGLED("_ZdaPv");
void delete_array(void *block) { hooks_free(block); }
void delete_one_sized(void *block, size_t size) MANGLED("_ZdlPvm");
void delete_one_sized(void *block, size_t size) { hooks_free(block); }
void delete_array_sized(void *block, size_t size) MANGLED("_ZdaPvm");
void delete_array_sized(void *block, size_t size) { hooks_free(block); }
void delete_one_nothrow(void *block, const void *tag) MANGLED("_ZdlPvRKSt9nothrow_t");
void delete_one_nothrow(void *block, const void *tag) { hooks_free(block); }
void delete_array_nothrow(void *block, const void *tag) MANGLED("_ZdaPvRKSt9nothrow_t");
void delete_array_nothrow(void *block, const void *tag) { hooks_free(block); }
void delete_one_aligned(void *block, size_t alignment) MANGLED("_ZdlPvSt11align_val_t");
void delete_one_aligned(void *block, size_t alignment) { hooks_free(block); }
void delete_array_aligned(void *block, size_t alignment) MANGLED("_ZdaPvSt11align_val_t");
void delete_array_aligned(void *block, size_t alignment) { hooks_free(block); }
void delete_one_sized_aligned(void *block, size_t size, size_t alignment) MANGLED("_ZdlPvmSt11align_val_t");
void delete_one_sized_aligned(void *block, size_t size, size_t alignment) { hooks_free(block); }
void delete_array_sized_aligned(void *block, size_t size, size_t alignment) MANGLED("_ZdaPvmSt11align_val_t");
void delete_array_sized_aligned(void *block, size_t size, size_t alignment) { hooks_free(block); }
void delete_one_aligned_nothrow(void *block, size_t alignment, const void *tag)
    MANGLED("_ZdlPvSt11align_val_tRKSt9nothrow_t");
void delete_one_aligned_nothrow(void *block, size_t alignment, const void *tag) { hooks_free(block); }
void delete_array_aligned_nothrow(void *block, size_t alignment, const void *tag)
    MANGLED("_ZdaPvSt11align_val_tRKSt9nothrow_t");
void delete_array_aligned_nothrow(void *block, size_t alignment, const void *tag) { hooks_free(block); }

#endif
