// Exact counters of heap calls, for preloading: `LD_PRELOAD=libGaugeHooks.so[:libjemalloc.so.2]`. Every call is counted
// in a node of its thread and forwarded to the next allocator in search order.
#define _GNU_SOURCE
#include "GaugeHooks.h"
#include "Internal.h"

#if GAUGE_HOOKS_ACTIVE

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: Counting

/// Counters of one thread. Only that thread writes them, so plain loads and stores suffice; they are atomic (relaxed)
/// so that a snapshot in another thread reads whole words. One cache line each, so that threads do not slow each other.
struct node {
  _Alignas(64) _Atomic uint64_t allocations;
  _Atomic uint64_t frees;
  _Atomic uint64_t bytes;
  _Atomic uint64_t retains;
  _Atomic uint64_t releases;
  _Atomic uint64_t objects;
};

enum { nodes_per_slab = 1023 };

/// Nodes are handed out by `used` and never taken back: the totals of ended threads stay where they are, at 64 bytes
/// per thread, and no destructor has to run after a thread's last free.
struct slab {
  _Alignas(64) _Atomic size_t used;
  struct slab *next;
  struct node nodes[nodes_per_slab];
};

static struct slab first_slab;
static _Atomic(struct slab *) slabs = &first_slab;

/// Initial-exec: one instruction to reach, and never allocated lazily, which would call malloc from within malloc.
static __thread struct node *own_node __attribute__((tls_model("initial-exec")));

static _Noreturn void die(const char *message) {
  ssize_t ignored = write(2, message, strlen(message));
  (void)ignored;
  abort();
}

static __attribute__((noinline, cold)) struct node *register_thread(void) {
  for (;;) {
    // acquires the slab published by a compare-exchange below
    struct slab *slab = atomic_load_explicit(&slabs, memory_order_acquire);
    size_t index = atomic_fetch_add_explicit(&slab->used, 1, memory_order_relaxed);
    if (index < nodes_per_slab) return own_node = &slab->nodes[index];
    struct slab *fresh = mmap(NULL, sizeof(struct slab), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) die("GaugeHooks: no memory for the counters of one more thread\n");
    fresh->next = slab;
    if (!atomic_compare_exchange_strong_explicit(
            &slabs, &slab, fresh, memory_order_release, memory_order_relaxed)) {
      munmap(fresh, sizeof(struct slab));
    }
  }
}

static inline void add(_Atomic uint64_t *counter, uint64_t amount) {
  atomic_store_explicit(
      counter, atomic_load_explicit(counter, memory_order_relaxed) + amount, memory_order_relaxed);
}

/// Bytes of live blocks as the allocator rounds them up, those left out that were there before this library, and the
/// most that there were since the last mark. Of all threads together, as one may free what another has allocated.
static _Atomic int64_t live;
static _Atomic int64_t most_live;
static _Atomic int64_t live_at_mark;

static inline void grow(size_t bytes) {
  int64_t now = atomic_fetch_add_explicit(&live, (int64_t)bytes, memory_order_relaxed) + (int64_t)bytes;
  int64_t most = atomic_load_explicit(&most_live, memory_order_relaxed);
  while (now > most &&
         !atomic_compare_exchange_weak_explicit(&most_live, &most, now, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static inline void shrink(size_t bytes) { atomic_fetch_sub_explicit(&live, (int64_t)bytes, memory_order_relaxed); }

void gauge_hooks_mark_peak(void) {
  int64_t now = atomic_load_explicit(&live, memory_order_relaxed);
  atomic_store_explicit(&live_at_mark, now, memory_order_relaxed);
  atomic_store_explicit(&most_live, now, memory_order_relaxed);
}

uint64_t gauge_hooks_peak(void) {
  return (uint64_t)(atomic_load_explicit(&most_live, memory_order_relaxed) -
                    atomic_load_explicit(&live_at_mark, memory_order_relaxed));
}

static inline struct node *counters(void) { return own_node ? own_node : register_thread(); }

static inline bool records(void) {
  return __builtin_expect(atomic_load_explicit(&hooks_recorded, memory_order_relaxed) != 0, 0);
}

static size_t (*next_usable_size)(void *);

static inline void count_allocation(void *block, size_t bytes) {
  grow(next_usable_size(block));
  if (records() && !hooks_record_allocation(block, bytes)) return;
  struct node *node = counters();
  add(&node->allocations, 1);
  add(&node->bytes, bytes);
}

/// Records a free, where somebody asks for it. Returns whether it counts.
static inline bool record_free(const void *block) { return !records() || hooks_record_free(block); }

/// - Parameters:
///   - usable: What the allocator had set aside for the block.
///   - counts: What recording it returned, which belongs before the free: behind it the address may be another block's.
static inline void count_free(size_t usable, bool counts) {
  shrink(usable);
  if (counts) add(&counters()->frees, 1);
}

/// What all threads have counted.
struct totals {
  uint64_t allocations, frees, bytes, retains, releases, objects;
};

static uint64_t value(_Atomic uint64_t *counter) { return atomic_load_explicit(counter, memory_order_relaxed); }

static struct totals sum(void) {
  struct totals totals = {0};
  for (struct slab *slab = atomic_load_explicit(&slabs, memory_order_acquire); slab; slab = slab->next) {
    size_t used = atomic_load_explicit(&slab->used, memory_order_relaxed);
    if (used > nodes_per_slab) used = nodes_per_slab;
    for (size_t index = 0; index < used; index++) {
      struct node *node = &slab->nodes[index];
      totals.allocations += value(&node->allocations);
      totals.frees += value(&node->frees);
      totals.bytes += value(&node->bytes);
      totals.retains += value(&node->retains);
      totals.releases += value(&node->releases);
      totals.objects += value(&node->objects);
    }
  }
  return totals;
}

void gauge_hooks_snapshot(struct gauge_hooks_counts *totals) {
  struct totals all = sum();
  *totals = (struct gauge_hooks_counts){all.allocations, all.frees, all.bytes};
}

void gauge_hooks_references(struct gauge_hooks_reference_counts *totals) {
  struct totals all = sum();
  *totals = (struct gauge_hooks_reference_counts){all.retains, all.releases, all.objects};
}

void hooks_count_retain(void) { add(&counters()->retains, 1); }
void hooks_count_release(void) { add(&counters()->releases, 1); }
void hooks_count_object(void) { add(&counters()->objects, 1); }

// MARK: Forwarding

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);
static void *(*next_memalign)(size_t, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);

/// dlsym may allocate before there is anything to forward to: those few blocks come from here, are never reused and not
/// counted. Each has its size in front, for realloc.
static _Alignas(16) unsigned char arena[64 * 1024];
static size_t arena_used;
enum { arena_header = 16 };

static bool in_arena(const void *pointer) {
  return (uintptr_t)pointer - (uintptr_t)arena < sizeof arena;
}

static void *arena_allocate(size_t size) {
  if (size > sizeof arena) return NULL;
  size_t needed = arena_header + ((size + 15) & ~(size_t)15);
  if (needed > sizeof arena - arena_used) die("GaugeHooks: the bootstrap arena is full\n");
  unsigned char *header = arena + arena_used;
  arena_used += needed;
  memcpy(header, &size, sizeof size);
  return header + arena_header;
}

static size_t arena_size(const void *pointer) {
  size_t size;
  memcpy(&size, (const unsigned char *)pointer - arena_header, sizeof size);
  return size;
}

static void *next_symbol(const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (!symbol) die("GaugeHooks: the next allocator lacks a function that must be forwarded\n");
  return symbol;
}

/// True when calls can be forwarded. The loader's first allocation comes long before a second thread, so the two flags
/// need no synchronisation; the constructor makes sure of it in a program that never allocates before `main`.
static bool resolved;
static bool resolving;

static __attribute__((noinline, cold)) bool resolve(void) {
  if (resolving) return false;
  resolving = true;
  *(void **)&next_calloc = next_symbol("calloc");
  *(void **)&next_realloc = next_symbol("realloc");
  *(void **)&next_memalign = next_symbol("memalign");
  *(void **)&next_posix_memalign = next_symbol("posix_memalign");
  *(void **)&next_aligned_alloc = next_symbol("aligned_alloc");
  *(void **)&next_usable_size = next_symbol("malloc_usable_size");
  *(void **)&next_free = next_symbol("free");
  *(void **)&next_malloc = next_symbol("malloc");
  resolved = true;
  return true;
}

static inline bool ready(void) { return __builtin_expect(resolved, 1) || resolve(); }

static __attribute__((constructor)) void resolve_at_start(void) { ready(); }

// MARK: Counting and forwarding

// The exported functions call these and not each other: a call by an exported name goes wherever the loader binds it.

void *hooks_allocate(size_t size) {
  if (!ready()) return arena_allocate(size);
  void *block = next_malloc(size);
  if (block) count_allocation(block, size);
  return block;
}

void hooks_free(void *block) {
  if (!block || in_arena(block)) return;
  // A block that is not the arena's was forwarded, or comes from the time before this library: either way it is the
  // next allocator's.
  if (!ready()) return;
  count_free(next_usable_size(block), record_free(block));
  next_free(block);
}

void *hooks_allocate_aligned(size_t alignment, size_t size) {
  if (!ready()) die("GaugeHooks: an aligned allocation before the allocator is found\n");
  void *block = next_memalign(alignment, size);
  if (block) count_allocation(block, size);
  return block;
}

static void *reallocate(void *block, size_t size) {
  if (!block) return hooks_allocate(size);
  if (in_arena(block)) {
    void *moved = hooks_allocate(size);
    size_t kept = arena_size(block) < size ? arena_size(block) : size;
    if (moved) memcpy(moved, block, kept);
    return moved;
  }
  if (!ready()) return NULL;
  size_t usable = next_usable_size(block);
  hooks_reallocates = 1;
  // A block that memory is too short for stays; among stacks it is recorded as if it were gone.
  bool counts = record_free(block);
  void *moved = next_realloc(block, size);
  if (moved || size == 0) count_free(usable, counts);
  if (moved) count_allocation(moved, size);
  else if (records()) hooks_record_no_reallocation(size);
  hooks_reallocates = 0;
  return moved;
}

void *hooks_allocate_unseen(size_t size) { return ready() ? next_malloc(size) : NULL; }
void hooks_free_unseen(void *block) { next_free(block); }

// MARK: The C interface

void *malloc(size_t size) { return hooks_allocate(size); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  if (!ready()) return arena_allocate(bytes);
  void *block = next_calloc(count, size);
  if (block) count_allocation(block, bytes);
  return block;
}

void free(void *block) { hooks_free(block); }

void *realloc(void *block, size_t size) { return reallocate(block, size); }

void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return reallocate(block, bytes);
}

void *memalign(size_t alignment, size_t size) { return hooks_allocate_aligned(alignment, size); }

void *aligned_alloc(size_t alignment, size_t size) {
  if (!ready()) die("GaugeHooks: an aligned allocation before the allocator is found\n");
  void *block = next_aligned_alloc(alignment, size);
  if (block) count_allocation(block, size);
  return block;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!ready()) die("GaugeHooks: an aligned allocation before the allocator is found\n");
  int error = next_posix_memalign(result, alignment, size);
  if (error == 0) count_allocation(*result, size);
  return error;
}

// Not forwarded by name: an allocator that lacks one of the two would hand the call to libc's,
// whose blocks it can't free.
void *valloc(size_t size) { return hooks_allocate_aligned((size_t)sysconf(_SC_PAGESIZE), size); }

void *pvalloc(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t rounded;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    errno = ENOMEM;
    return NULL;
  }
  return hooks_allocate_aligned(page, rounded & ~(page - 1));
}

size_t malloc_usable_size(void *block) {
  if (!block) return 0;
  if (in_arena(block)) return arena_size(block);
  return ready() ? next_usable_size(block) : 0;
}

#endif
