// The programs of scripts/checks/check-coz: what a function is worth, by itself and beside other threads.
#include "Experiments.h"

#ifdef WITH_COZ
#define OPERATION_ENDS COZ_PROGRESS
#else
#define OPERATION_ENDS
#endif

/// About a microsecond for one.
#define WORK(amount) \
  for (int turn = 0; turn < (amount) * 300; turn++) own = (own ^ own >> 29) * 0x9e3779b97f4a7c15 + 1;

#if defined(ALONE)
enum { first = 3000, others = 1000, threads = 1, batch = 40 };
#elif defined(CRITICAL)
enum { first = 3000, others = 2000, threads = 2, batch = 40 };
#elif defined(SLACK)
enum { first = 1500, others = 3000, threads = 2, batch = 40 };
#elif defined(LOCKED)
enum { first = 1500, others = 500, threads = 2, batch = 40 };
#else
#error "name one of the programs"
#endif

// What of its work is done: all, or half where the gain is measured.
#ifndef PART
#define PART 1
#endif

/// What is sped up: all of it is on one line, as coz speeds up lines.
__attribute__((noinline)) void wanted(void) {
  uint64_t own = state;
  WORK(first / PART)  // the line
  state = own;
}

__attribute__((noinline)) void behind(void) {
  uint64_t own = state;
  WORK(others)
  state = own;
}

#if defined(ALONE)

static void run(void) {
  for (int turn = 0; turn < batch; turn++) {
    wanted();
    behind();
    OPERATION_ENDS;
  }
}

#else

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *take_part(void *number) {
  for (int turn = 0; turn < batch; turn++) {
#if defined(LOCKED)
    pthread_mutex_lock(&mutex);
    wanted();
    pthread_mutex_unlock(&mutex);
    behind();
    OPERATION_ENDS;
    (void)number;
#else
    if (number) {
      wanted();
    } else {
      behind();
    }
    pthread_barrier_wait(&barrier);
    if (number) OPERATION_ENDS;
#endif
  }
  return 0;
}

static void run(void) {
  pthread_t members[threads];
  pthread_barrier_init(&barrier, 0, threads);
  (void)mutex;
  for (long number = 0; number < threads; number++) pthread_create(&members[number], 0, take_part, (void *)number);
  for (int number = 0; number < threads; number++) pthread_join(members[number], 0);
  pthread_barrier_destroy(&barrier);
}

#endif
