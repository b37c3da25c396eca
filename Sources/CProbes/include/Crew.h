// Threads that start together: for operations of several threads at once.
#ifndef GAUGE_CREW_H
#define GAUGE_CREW_H

#include <stddef.h>

/// A barrier for a fixed number of threads, and a flag that asks them to stop.
struct probe_gate;
struct probe_gate *probe_gate_create(size_t parties);
void probe_gate_destroy(struct probe_gate *gate);

/// Waits until every party has come. Spins, as a sleeping thread wakes late; lets other threads run where it takes
/// long. What a party wrote before is seen by all of them behind it.
void probe_gate_pass(struct probe_gate *gate);

/// Sets the flag, takes it back, and reads it.
void probe_gate_stop(struct probe_gate *gate);
void probe_gate_resume(struct probe_gate *gate);
int probe_gate_is_stopped(struct probe_gate *gate);

/// Runs `member` in `count` new threads, with 0 to `count` - 1, and `lead` in this one, and waits for all to return.
/// Returns 0, or the error number where a thread can't be started; then neither function has run.
int probe_run_crew(size_t count, void (*member)(void *context, size_t number), void (*lead)(void *context),
                   void *context);

/// Sleeps, signals notwithstanding.
void probe_sleep_nanoseconds(unsigned long long nanoseconds);

#endif
