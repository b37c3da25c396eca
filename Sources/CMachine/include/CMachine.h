// What Swift cannot say about the machine: a spin hint, a compiler barrier, the thread pointer, the cycle counter.
#ifndef WEIR_CMACHINE_H
#define WEIR_CMACHINE_H

#include "LocalSockets.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

/// Tells the core that this is a spin loop: x86 `pause`, Arm `isb` (longer than `yield`,
/// as Rust's standard library does).
static inline void machine_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}

/// Forbids the compiler, not the core,
/// to move memory accesses and reference counting across this point. No instruction.
static inline void machine_compiler_barrier(void) { __asm__ volatile("" ::: "memory"); }

/// A compiler barrier that the number passes through: it has been reckoned before what comes after, even where the
/// compiler takes what it is reckoned from for constant memory. No instruction.
static inline uintptr_t machine_reckoned(uintptr_t number) {
  __asm__ volatile("" : "+r"(number) : : "memory");
  return number;
}

/// A word that no other live thread has: the thread pointer, or the address of a thread-local where there is none to
/// read. Never zero, and its low four bits are clear.
static inline uintptr_t machine_thread_identity(void) {
#if defined(__x86_64__) && defined(__linux__)
  uintptr_t pointer;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
#elif defined(__aarch64__) && defined(__linux__)
  uintptr_t pointer;
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
#else
  static __thread uint64_t anchor __attribute__((aligned(16)));
  return (uintptr_t)&anchor;
#endif
}

// Of Swift's concurrency library, as its ABI has them (swift/Runtime/Concurrency.h).
extern void *swift_task_getCurrent(void) __attribute__((swiftcall));
extern _Bool swift_task_isCancelled(void *task) __attribute__((swiftcall));

/// The running task's address, a word that no other live task or thread has; zero where the calling code runs in none.
static inline uintptr_t machine_task_identity(void) { return (uintptr_t)swift_task_getCurrent(); }

/// Whether there is a running task, and it is cancelled: `Task.isCancelled` without a retain and a release of the task.
static inline int machine_task_is_cancelled(void) {
  void *task = swift_task_getCurrent();
  return task && swift_task_isCancelled(task);
}

/// True where `machine_cycles` reads a counter; elsewhere it returns 0 and callers use the system clock.
static inline int machine_has_cycle_counter(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

/// The time-stamp counter, fenced on both sides: no earlier instruction ends after it, no later one starts before it
/// (Intel SDM volume 2, RDTSC; divan's `tsc/x86.rs` argues the same pair).
static inline uint64_t machine_cycles(void) {
#if defined(__x86_64__)
  _mm_lfence();
  uint64_t cycles = __rdtsc();
  _mm_lfence();
  return cycles;
#elif defined(__aarch64__)
  uint64_t cycles;
  __asm__ volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(cycles)::"memory");
  return cycles;
#else
  return 0;
#endif
}

/// Makes the object behind `pointer` look read and written by code the optimiser can't see. No instruction.
static inline void machine_opaque(void *pointer) { __asm__ volatile("" : : "r"(pointer) : "memory"); }

/// Makes `word` look used by code the optimiser can't see. No instruction.
static inline void machine_consume(uintptr_t word) { __asm__ volatile("" : : "r"(word) : "memory"); }

/// Stops in the debugger; without one, ends the program, unless a handler of the signal `SIGTRAP` lets it go on.
void machine_break(void);

/// A number never handed out before in this process. It is odd, so that it differs from every object's address.
uint64_t machine_next_identity(void);

/// Pages of the system, which go back to it when they are freed, unlike blocks of malloc; NULL if there are none.
void *machine_pages_make(size_t size);
void machine_pages_free(void *pages, size_t size);

/// Replaces a number that each thread has of its own, 0 at first. Returns the former one.
int machine_exchange_mark(int mark);
/// The calling thread's number.
int machine_mark(void);

/// What each thread has of its own: a pointer and a number of the same size, NULL and 0 at first.
extern _Thread_local struct machine_thread_words {
  void *pointer;
  intptr_t number;
} machine_thread_words;

/// Where the calling thread has them.
static inline void *machine_thread_place(void) { return &machine_thread_words; }

/// Whether the environment variable WEIR_INSPECT is there, and neither empty nor 0.
/// Only in builds with the trait Inspection.
int machine_inspection_is_wanted(void);
/// Where WEIR_INSPECT asks for the live streams to be served: what stands behind `serve:`, nothing for the usual place;
/// NULL if it doesn't ask. Only in builds with the trait Inspection.
const char *machine_inspection_place(void);
/// Whether WEIR_INSPECT is `watch`. Only in builds with the trait Inspection.
int machine_inspection_is_watched(void);
/// Where the functions return to that the calling thread is in, from this one outwards. Returns how many it has told,
/// at most `most`; 0 where the C library doesn't tell. Only in builds with the trait Inspection.
int machine_return_addresses(void **addresses, int most);
/// The path of the file that an address of code was loaded from, and where it was loaded; NULL if that isn't known.
/// Only in builds with the trait Inspection.
const char *machine_file_of_code(const void *address, uintptr_t *start);
/// Has WeirExtras serve or watch them. Returns 0 in programs without it. Only in builds with the trait Inspection.
int machine_serve_inspection(void);

/// A flag that one thread sleeps for and another one sets: a mutex and a condition variable.
typedef struct machine_parker machine_parker;
machine_parker *machine_parker_create(void);
void machine_parker_wait(machine_parker *parker);
void machine_parker_wait_for(machine_parker *parker, int64_t nanoseconds);
void machine_parker_signal(machine_parker *parker);
/// Forgets the signal.
void machine_parker_reset(machine_parker *parker);
void machine_parker_destroy(machine_parker *parker);

/// Lets another thread run: for a wait that spinning has not ended.
void machine_yield(void);

/// Sleeps for fifty microseconds or somewhat more, unless a signal comes: for a wait that letting others run has not
/// ended.
void machine_nap(void);

/// The time of a clock that never goes back, in nanoseconds.
int64_t machine_monotonic_nanoseconds(void);

/// Writes a line to the standard error output, by one call of the system.
void machine_complain(const char *line);

/// Makes every running thread of the process pass a full memory barrier (Linux `membarrier`, private expedited).
/// Returns 0 where the system can't from the beginning, or the environment variable WEIR_OWNED_GATES is 0; nothing was
/// ordered then. Once it has returned 1 it always does,
/// by slower means (HeavyBarrier.c) if a sandbox takes the call away.
int machine_heavy_barrier(void);

/// Like `machine_heavy_barrier`, but returns 0 rather than wait for milliseconds: for those who have another way.
int machine_quick_heavy_barrier(void);

/// How many forks lie between the process that was started and the caller's. The threads of the processes before are
/// gone but for those that called fork.
int machine_fork_count(void);

/// Why a signal was left to another thread where senders wait.
enum machine_exception {
  /// Nobody whom that thread was calling would have taken it; others may be told of it.
  machine_let_through,
  /// It only changes the state of an operator: the subscriber is told nothing of it now.
  machine_untold,
  /// The threads waited for each other in a circle.
  machine_circle,
  machine_exception_count,
};
void machine_note_exception(enum machine_exception exception);
/// How many there have been in this process.
long machine_exceptions(enum machine_exception exception);

/// Starts a thread of the ordinary scheduling policy, which takes no signals but its own and which nobody waits for.
/// Its name has at most 15 characters. Returns 0 if there is none to be had.
int machine_start_thread(void *(*body)(void *), void *argument, const char *name);

/// How many processors the calling thread may run on; at least 1.
int machine_allowed_processors(void);

/// `word` itself, but the optimiser can't know that. No instruction.
static inline uintptr_t machine_opaque_word(uintptr_t word) {
  __asm__ volatile("" : "+r"(word));
  return word;
}

#endif
