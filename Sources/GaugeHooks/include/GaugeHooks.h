// What the preloaded counters export; a launch finds it with dlsym, so nothing links it.
//
// What counts:
// - an allocation is a successful malloc, calloc, aligned_alloc, memalign, posix_memalign, valloc, pvalloc, or a
//   realloc or reallocarray from NULL; C++ `new` is counted like malloc;
// - a free is a free of a block (freeing NULL is none), or C++ `delete`;
// - a realloc of a live block counts as one allocation and one free, whether or not the block moves, so that the count
//   does not depend on the allocator's luck;
// - bytes are the bytes that were requested, not the size class that served them; alignment is not added.
#ifndef GAUGE_HOOKS_H
#define GAUGE_HOOKS_H

#include <stddef.h>
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

/// Begins to look for the largest number of bytes in live blocks, those of all threads together.
///
/// Blocks count with what the allocator sets aside for them (`malloc_usable_size`), as nothing tells what was asked for
/// when a block is freed: the same requests have the same peak on the same allocator.
void gauge_hooks_mark_peak(void);

/// By how many bytes the live blocks have at most exceeded those at the mark.
/// Allocates nothing and makes no system call.
uint64_t gauge_hooks_peak(void);

/// Running totals of reference counting, once `gauge_hooks_count_references` has been called.
///
/// What counts is every call of a function of the Swift runtime, from wherever, those without effect included (of null,
/// or of an object that never dies): `swift_retain`, `swift_retain_n` and `swift_tryRetain`; `swift_release` and
/// `swift_release_n`; `swift_allocObject`. Not seen: the non-atomic forms,
/// and the retain within a weak or unowned load.
struct gauge_hooks_reference_counts {
  uint64_t retains;
  uint64_t releases;
  uint64_t objects;
};

/// Has the Swift runtime of this process count. To be called while it has one thread that runs Swift code.
///
/// Returns NULL, or in words why nothing is counted.
const char *gauge_hooks_count_references(void);

/// Stores the totals over all threads, as `gauge_hooks_snapshot` does.
void gauge_hooks_references(struct gauge_hooks_reference_counts *totals);

/// What is recorded with its call stack.
enum gauge_hooks_recorded {
  gauge_hooks_record_allocations = 1,
  gauge_hooks_record_references = 2,
  /// Calls of the C library that block, with how long and who ended the wait: only where `GAUGE_HOOKS_WAITS` stands in
  /// the environment that the process was started with.
  gauge_hooks_record_waits = 3,
  /// Experiments with virtual speed-ups; see `gauge_hooks_begin_experiment`. Only written, not recorded by itself.
  gauge_hooks_record_experiments = 4,
  /// Events one by one, with their moments and their order; those that are added to it.
  /// Waits need the same environment.
  gauge_hooks_record_timeline = 8,
  gauge_hooks_timeline_allocations = 16,
  gauge_hooks_timeline_references = 32,
  gauge_hooks_timeline_waits = 64,
};

/// Whether waits can be recorded.
int gauge_hooks_follows_waits(void);

/// A frame that the stacks of a thread are cut at, by its frame pointer,
/// and where in the code it was; all zeros for none.
struct gauge_hooks_root {
  uint64_t frame;
  uint64_t code;
  uint64_t thread;
};

/// Writes at most 137 words about the asynchronous functions of a stack; see `probe_follow_contexts`.
typedef uint64_t *(*gauge_hooks_follow)(uint64_t *to, const uint64_t *stack, uintptr_t base, size_t words,
                                        uintptr_t frame);

/// Makes room for the stacks of calls, once in a process. Returns 0, or the error number.
int gauge_hooks_prepare_recording(struct gauge_hooks_root root, gauge_hooks_follow follow);

/// From now on records the stack of every call of a kind that counts, or of none where `what` is 0. Returns how many
/// calls were recorded so far. Nothing else happens in it: what is between two such calls is what is between two
/// snapshots. On a timeline each stretch from such a call to the one that ends it has a mark before and behind it.
size_t gauge_hooks_record(int what);

/// Whether experiments can be made: only where `GAUGE_HOOKS_WAITS` is 1 and `GAUGE_HOOKS_WHATIF` stands in the
/// environment that the process was started with. That is `survey`, by which stacks are kept and nothing is sped up, or
/// the code of a function as `start-end`, several joined by commas, hexadecimal and as in the executable's file.
/// Returns 0, -1 where it wasn't asked for, -2 where the program has a profiler of its own, or the error number for
/// which threads have no timers.
int gauge_hooks_can_experiment(void);

/// Begins an experiment: from now on the function is faster by so many thousandths, as far as other threads can tell.
void gauge_hooks_begin_experiment(unsigned speed_up);

/// Ends it behind so many operations, in the same thread or in one that is synchronised with it.
void gauge_hooks_end_experiment(uint64_t operations);

/// Writes what was recorded to a file, once nothing more is. Returns 0, or the error number.
int gauge_hooks_write_recording(const char *path, int what);

#endif
