// Requests to callgrind, the valgrind tool that counts instructions. They compile to a few instructions without effect
// outside of it, and need valgrind's headers but none of its libraries.
#ifndef GAUGE_CALLGRIND_H
#define GAUGE_CALLGRIND_H

/// Whether valgrind's headers were there when this was compiled: without them no request is ever made.
int probe_can_ask_callgrind(void);

/// Whether the process runs under valgrind.
int probe_runs_under_valgrind(void);

/// Starts counting, from zero.
void probe_start_counting_instructions(void);

/// Writes the counts so far to a file, under a name, and stops counting.
void probe_stop_counting_instructions(const char *name);

#endif
