// Requests to callgrind, which counts instructions while it runs a process; outside of it they do nothing.
#include "Callgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int probe_can_ask_callgrind(void) { return 1; }

int probe_runs_under_valgrind(void) { return RUNNING_ON_VALGRIND != 0; }

void probe_start_counting_instructions(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void probe_stop_counting_instructions(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}

#else

int probe_can_ask_callgrind(void) { return 0; }
int probe_runs_under_valgrind(void) { return 0; }
void probe_start_counting_instructions(void) {}
void probe_stop_counting_instructions(const char *name) { (void)name; }

#endif
