// What Swift can't say nicely about the system: the preloaded counters, clocks, descriptors, threads. Needs libc alone.
#ifndef GAUGE_CPROBES_H
#define GAUGE_CPROBES_H

#include <stddef.h>
#include <stdint.h>

#include "Callgrind.h"
#include "Counters.h"
#include "Crew.h"
#include "Processors.h"
#include "Sampling.h"
#include "Zygote.h"

/// Running totals of the process's heap calls; see `GaugeHooks.h` for what counts.
struct probe_heap_counts {
  uint64_t allocations;
  uint64_t frees;
  uint64_t bytes;
};

/// The function that stores the totals, or NULL where the counting library is not preloaded.
typedef void (*probe_heap_snapshot)(struct probe_heap_counts *totals);
probe_heap_snapshot probe_find_heap_snapshot(void);

/// The functions that mark and read the peak of the heap, or NULLs where the counting library is not preloaded.
struct probe_heap_peak {
  void (*mark)(void);
  uint64_t (*read)(void);
};
struct probe_heap_peak probe_find_heap_peak(void);

/// Whether the program was built with a sanitizer, which changes what everything costs.
int probe_is_sanitized(void);

/// Writes all of `bytes`, whatever a single write takes. Returns 0, or the error number.
int probe_write_all(int descriptor, const void *bytes, size_t count);

/// Reads a file from its beginning, `capacity` bytes at most, and stores their number. Returns 0, or the error number.
int probe_read_beginning(const char *path, void *bytes, size_t capacity, size_t *count);

/// Writes out what is printed line by line, also where standard output is a pipe or a file.
void probe_buffer_output_by_line(void);

/// Starts one thread that sleeps for the rest of the process. Returns 0, or the error number.
int probe_start_idle_thread(void);

/// Starts one thread that ends at once, and waits until it has. Returns 0, or the error number.
int probe_run_empty_thread(void);

/// Turns through a loop of one load and one store that wait for none of their neighbours, within 4 KiB.
void probe_load_and_store(size_t turns);

/// Follows a chain through 4 MiB, a line of the cache a step and each step after the one before. Goes on where it
/// ended; for one thread at a time.
void probe_chase(size_t turns);

/// Makes the system kill this process when the thread that started it ends, where the system can (Linux).
void probe_die_with_parent(void);

/// Whether `descriptor` is the writing end of a pipe or socket that nobody reads any more.
int probe_has_no_reader(int descriptor);

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t probe_monotonic_nanoseconds(void);

/// True where `machine_cycles` advances at one rate whatever the core's frequency and sleep states.
int probe_cycle_counter_is_invariant(void);

/// Path of the running executable, or an empty string where the system does not tell. Returns its length.
size_t probe_executable_path(char *path, size_t capacity);

/// A flag that one thread waits for, once.
struct probe_latch;
struct probe_latch *probe_latch_create(void);
void probe_latch_open(struct probe_latch *latch);
/// Waits until the latch is open, then destroys it.
void probe_latch_wait_and_destroy(struct probe_latch *latch);

#endif
