// What the functions that may block tell of themselves to what follows waits.
#ifndef GAUGE_HOOKS_WAITS_H
#define GAUGE_HOOKS_WAITS_H

#include "GaugeHooks.h"
#include "Internal.h"

#include <stdatomic.h>

/// What a thread waits for. The numbers are part of the file format.
enum wait_cause {
  wait_none,
  wait_mutex,
  wait_condition,
  wait_rwlock,
  wait_semaphore,
  wait_futex,
  wait_sleep,
  wait_io,
  wait_join,
  wait_barrier,
  wait_process,
  wait_signal,
  wait_causes,
};

/// The thread that calls begins to wait. Returns whether anybody follows that; then `waits_end` must be called.
///
/// `object` is what others end the wait by, or null.
HIDDEN int waits_begin(enum wait_cause cause, const void *object);

/// The wait is over. `by_itself` says that nobody ended it, as a time ran out. Leaves `errno` as it is.
HIDDEN void waits_end(int by_itself);

/// The thread that calls is about to end waits for an object, if there are any.
HIDDEN void waits_wake(const void *object);

/// Whether waits are events of a timeline.
static inline int is_on_timeline(void) {
  return atomic_load_explicit(&hooks_recorded, memory_order_relaxed) & gauge_hooks_timeline_waits;
}

/// Whether any thread waits for an object of a kind that is costly to tell.
HIDDEN int waits_for_io(void);

struct thread;

/// What is known of the thread that calls; NULL for nothing.
HIDDEN struct thread *waits_own_thread(void);

/// The thread that calls begins, which another one has made (NULL for unknown) that has had so many delays, and ends.
HIDDEN void waits_thread_begins(struct thread *maker, uint64_t delays);
HIDDEN void waits_thread_ends(void);

#endif
