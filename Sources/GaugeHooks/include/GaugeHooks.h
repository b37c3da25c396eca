// The one function that the preloaded allocation counters export; a launch finds it with dlsym, so nothing links it.
//
// What counts:
// - an allocation is a successful malloc, calloc, aligned_alloc, memalign, posix_memalign, valloc, pvalloc, or a realloc
//   or reallocarray from NULL; C++ `new` is counted like malloc;
// - a free is a free of a block (freeing NULL is none), or C++ `delete`;
// - a realloc of a live block counts as one allocation and one free, whether or not the block moves, so that the count
//   does not depend on the allocator's luck;
// - bytes are the bytes that were requested, not the size class that served them; alignment is not added.
#ifndef GAUGE_HOOKS_H
#define GAUGE_HOOKS_H

#include <stdint.h>

/// Running totals of the process since its start.
struct gauge_hooks_counts {
  uint64_t allocations;
  uint64_t frees;
  uint64_t bytes;
};

/// Stores the totals over all threads, ended ones included. Allocates nothing and makes no system call.
///
/// Exact for everything that happened before the call: in the calling thread, and in threads that the caller has
/// synchronised with. Absent (like all the hooks) where the library was built with a sanitizer or for another system.
void gauge_hooks_snapshot(struct gauge_hooks_counts *totals);

#endif
