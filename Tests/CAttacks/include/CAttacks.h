// What the attacks need of the system: where and how urgently a thread runs, what it may call, how it ends.
#ifndef WEIR_CATTACKS_H
#define WEIR_CATTACKS_H

#include <stdint.h>

/// The time in nanoseconds since some fixed moment.
int64_t attack_now(void);

/// Sleeps.
void attack_sleep(int64_t nanoseconds);

/// What a thread is doing, so that a sink can tell whether what it gets was caused by it.
typedef struct {
  /// The value that it is sending, 0 for none.
  int64_t current;
  /// How many values have been delivered on it since that send began.
  int64_t delivered;
  /// The number of the subscriber that it is subscribing or asking for values, 0 for none.
  int64_t asking;
} attack_doing;

/// What this thread is doing.
attack_doing *attack_state(void);

/// Ends the process with a signal after so many seconds.
void attack_alarm(unsigned seconds);

/// Keeps this thread on one processor, counted from 0 among those that the process may use; -1 for all of them.
void attack_pin(int processor);

/// How many processors the process may use.
int attack_processors(void);

/// Lets this thread run only when nobody else wants its processor. Returns 0 where that is not allowed.
int attack_become_idle(void);

/// Lets this thread run before all ordinary ones (SCHED_FIFO). Returns 0 where that is not allowed.
int attack_become_urgent(void);

/// Makes every later `membarrier` of this process fail. Returns 0 where that is not possible.
int attack_forbid_membarrier(void);

/// The memory in use, in bytes, once the allocator has given back what it can.
int64_t attack_resident(void);

/// `fork`, which Swift does not let one call.
int attack_fork(void);

/// Ends this thread, from wherever it is.
_Noreturn void attack_end_thread(void);

/// Writes out what was printed and ends the process, whatever other threads do.
_Noreturn void attack_exit(int code);

/// Starts a thread with 8 MB of stack. Returns what `attack_join` takes.
void *attack_start(void (*body)(void *), void *context);

/// Waits for a thread's end.
void attack_join(void *thread);

/// A program that runs beside this one.
typedef struct {
  int pid;
  int output;
  int errors;
} attack_child;

/// Starts this program once more. Returns 0 where that fails.
int attack_spawn(const char *const *arguments, attack_child *child);

/// Reads what there is in a child's output or errors, for at most so many milliseconds. Returns the number of bytes,
/// 0 at the end, -1 if nothing came in time.
int attack_read(int file, char *bytes, int capacity, int milliseconds);

/// Waits for a child's end, having stopped it first if `kills`. Returns its exit code, or minus the signal that ended
/// it.
int attack_reap(int pid, int kills);

#endif
