// Sampling the CPU time of this process by call stack: each thread is interrupted as it uses CPU time, and its
// registers and the end of its stack are kept. Who reads the samples unwinds them.
#ifndef GAUGE_SAMPLING_H
#define GAUGE_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

/// What interrupts the threads. The numbers are part of the file format.
enum probe_sampling_clock {
  /// Kernel's events of each thread's CPU time, those within system calls included.
  probe_sampling_events = 1,
  /// The same without what is within the kernel: that is what an unprivileged user may have.
  probe_sampling_user_events = 2,
  /// Timers of each thread's CPU time, as coarse as the system's tick.
  probe_sampling_timers = 3,
};

/// Where the stacks of what is measured begin: a frame of a thread, by its frame pointer, and where in the code it was.
struct probe_root {
  uint64_t frame;
  uint64_t code;
  uint64_t thread;
};

/// The frame of the function that has called the caller of this one, in this thread.
struct probe_root probe_callers_caller(void);

/// A processor's registers in the order of the numbers that DWARF gives them, the code address last: how many, which of
/// them hold the frame pointer and the stack pointer, bytes below the latter that are in use, and the processor's
/// number in ELF.
enum {
#if defined(__aarch64__)
  probe_registers = 33,
  probe_frame_register = 29,
  probe_stack_register = 31,
  probe_below_stack = 0,
  probe_machine = 183,
#else
  probe_registers = 17,
  probe_frame_register = 6,
  probe_stack_register = 7,
  probe_below_stack = 128,
  probe_machine = 62,
#endif
};

/// Copies the registers that a handler of signals was given, as its third argument.
/// Linux on the two processors above alone.
void probe_copy_registers(uint64_t *to, const void *interrupted);

/// Copies memory of this process that may not be there. Returns the bytes that were. Safe in a handler of signals.
size_t probe_copy_memory(void *to, uintptr_t from, size_t size);

/// Words that the function below writes at most.
enum { probe_most_chain_words = 137 };

/// Writes who awaits the asynchronous functions of a stack: their number, and for each its frame pointer, the number of
/// callers, and where in the code each of those goes on. Which frames are of such functions is not known here, so that
/// each is kept that has what looks like a context. Safe in a handler of signals. Returns the end of what it wrote.
///
/// `stack` has the memory of the stack from `base` on, `frame` is the innermost frame pointer.
uint64_t *probe_follow_contexts(uint64_t *to, const uint64_t *stack, uintptr_t base, size_t words, uintptr_t frame);

/// Samples the threads of the process, those that start later included (they are looked for every ten milliseconds). To
/// be called once in a process, unless it fails.
///
/// A root that is all zeros is none. `finest` is the first clock to try, coarser ones are tried behind it. Returns the
/// clock, or the negative error number of the last one.
int probe_start_sampling(unsigned rate, struct probe_root root, enum probe_sampling_clock finest);

/// Takes no more samples. Returns their number.
size_t probe_stop_sampling(void);

/// Writes what was sampled to a file, once stopped; `SampleFile.swift` says how. Returns 0, or the error number.
int probe_write_samples(const char *path);

/// Whether the preloaded library is there and can record the stacks of calls.
int probe_can_record_calls(void);

/// Whether that library has followed the waits of this process from its start.
int probe_can_record_waits(void);

/// Whether that library can make experiments with virtual speed-ups: 0, -1 where it wasn't asked to, -2 where
/// the program has a profiler of its own, or the error number for which threads have no timers.
int probe_can_experiment(void);

/// Begins and ends an experiment, in which a function is faster by so many thousandths; only where it can be made.
void probe_begin_experiment(unsigned speed_up);
void probe_end_experiment(size_t operations);

/// Calls whose stacks the preloaded library records. The numbers are those of `gauge_hooks_recorded`.
enum probe_calls {
  probe_calls_of_heap = 1,
  probe_calls_of_references = 2,
  probe_calls_that_wait = 3,
  /// No calls: experiments with virtual speed-ups, and samples where stacks are asked for.
  probe_experiments = 4,
  /// Event by event; those that are added to it.
  probe_timeline = 8,
  probe_timeline_of_heap = 16,
  probe_timeline_of_references = 32,
  probe_timeline_of_waits = 64,
};

/// Makes room for the stacks of calls. To be called once in a process. Returns 0, or the error number.
int probe_prepare_recording_calls(enum probe_calls calls, struct probe_root root);

/// Records them from now on, and records no more. Nothing else is done in them, so that they can stand between two
/// readings of the counters. The second returns how many calls were recorded.
void probe_start_recording_calls(void);
size_t probe_stop_recording_calls(void);

/// Writes what was recorded to a file, in the format of `probe_write_samples`, once stopped.
/// Returns 0, or the error number.
int probe_write_calls(const char *path);

#endif
