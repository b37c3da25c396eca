// Counters of the system about this process: its use of resources, the core's events,
// the allocator's state, system calls.
#ifndef GAUGE_COUNTERS_H
#define GAUGE_COUNTERS_H

#include <stdint.h>

/// Running totals of the process's hooks for reference counting; see `GaugeHooks.h` for what counts.
struct probe_reference_counts {
  uint64_t retains;
  uint64_t releases;
  uint64_t objects;
};

/// Starts to count references, where the counting library is preloaded. Returns NULL, or why nothing is counted.
const char *probe_count_references(void);
/// Stores the totals; only after the call above has succeeded.
void probe_read_references(struct probe_reference_counts *totals);

/// What the process has used since its start, all threads together.
struct probe_usage {
  uint64_t cpu_nanoseconds;
  uint64_t user_nanoseconds;
  uint64_t system_nanoseconds;
  uint64_t minor_faults;
  uint64_t major_faults;
  uint64_t voluntary_switches;
  uint64_t involuntary_switches;
};

/// Stores the usage. Returns 0, or the error number.
int probe_read_usage(struct probe_usage *usage);

/// Memory of this process that is resident: what the image has of its own. What getrusage tells is the highest mark
/// that the process ever reached, that of the program included which it was before `exec`.
struct probe_memory {
  uint64_t resident_bytes;
  uint64_t peak_bytes;
};

/// Stores them. Returns 0, or the error number.
int probe_read_memory(struct probe_memory *memory);

/// Lets the peak begin anew, from what is resident now. Returns 0, or the error number.
int probe_forget_peak_memory(void);

/// Nanoseconds that a thread stood ready to run without a processor: this thread,
/// or all threads of the process together.
enum probe_waiters { probe_this_thread, probe_all_threads };

/// Stores them, since the start of the threads. Returns 0, or the error number:
/// ENODATA where the system keeps no account.
int probe_read_ready_wait(enum probe_waiters waiters, uint64_t *nanoseconds);

/// Events of the cores while they run this process outside of the kernel. The software clock is for tests: every
/// machine has it.
enum probe_event { probe_instructions, probe_cycles, probe_branch_misses, probe_cache_misses, probe_task_clock };

/// Starts to count an event in every thread of the process, and those that they start. Returns a handle, or the
/// negative error number.
int probe_open_event(enum probe_event event);
/// Stores what an event's handle counts; extrapolated where the core had to share its counters among events. Returns 0,
/// or -1 where a thread ran and the event was never counted, or the error number.
int probe_read_event(int handle, uint64_t *total);

/// What jemalloc says of itself, where it serves the process's heap.
struct probe_allocator {
  uint64_t resident_bytes;
  uint64_t active_bytes;
  uint64_t allocated_bytes;
};

/// Stores the allocator's state. Returns 0, or -1 where there is no jemalloc, or its error number.
int probe_read_allocator(struct probe_allocator *state);

/// Counts the system calls of the process, by a second process that traces this one. Returns 0, or the error number.
int probe_trace_system_calls(void);
/// System calls since then, all threads together. Makes none.
uint64_t probe_system_calls(void);
/// Why that number no longer grows: 0, or the error number. Makes calls.
int probe_tracing_error(void);

#endif
