// The calling thread's set of processors; only Linux has one that a program may narrow.
#define _GNU_SOURCE
#include "Processors.h"

#include <errno.h>

#if defined(__linux__)

#include <sched.h>

int probe_allowed_processors(int *processors, int capacity) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -errno;
  int count = 0;
  for (int processor = 0; processor < CPU_SETSIZE && count < capacity; processor++) {
    if (CPU_ISSET(processor, &allowed)) processors[count++] = processor;
  }
  return count;
}

int probe_move_to_processor(int processor) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return errno;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  // The thread is there when this returns, and stays when it may go elsewhere again, until the system has a reason.
  if (sched_setaffinity(0, sizeof one, &one) != 0) return errno;
  return sched_setaffinity(0, sizeof allowed, &allowed) == 0 ? 0 : errno;
}

#else

int probe_allowed_processors(int *processors, int capacity) { return -ENOSYS; }
int probe_move_to_processor(int processor) { return ENOSYS; }

#endif
