// What programs of C need to make experiments with libGaugeHooks.so, or with coz where WITH_COZ is defined. A program
// has the function `run`, which is what an experiment consists of, `wanted`, which is sped up, and `behind`, the next.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_COZ
#include <coz.h>
#endif

struct root {
  uint64_t frame, code, thread;
};
static struct root root;
static volatile uint64_t state = 1;

__attribute__((unused)) static long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void run(void);
void wanted(void);
void behind(void);

#ifdef WITH_COZ

/// Runs for as many seconds as the argument says.
int main(int count, char **arguments) {
  long end = now(CLOCK_MONOTONIC) + (count > 1 ? atol(arguments[1]) : 1) * 1000000000L;
  while (now(CLOCK_MONOTONIC) < end) run();
  return 0;
}

#else

/// Without arguments it tells where the function is, up to the one behind it; else it takes a file and the speed-up of
/// each experiment, in thousandths.
int main(int count, char **arguments) {
  int (*prepare)(struct root, void *);
  int (*can_experiment)(void);
  void (*begin)(unsigned);
  void (*end)(uint64_t);
  int (*write_to)(const char *, int);
  if (count == 1) {
    Dl_info file;
    dladdr((void *)wanted, &file);
    printf("%lx-%lx\n", (long)wanted - (long)file.dli_fbase, (long)behind - (long)file.dli_fbase);
    return 0;
  }
  *(void **)&prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
  *(void **)&can_experiment = dlsym(RTLD_DEFAULT, "gauge_hooks_can_experiment");
  *(void **)&begin = dlsym(RTLD_DEFAULT, "gauge_hooks_begin_experiment");
  *(void **)&end = dlsym(RTLD_DEFAULT, "gauge_hooks_end_experiment");
  *(void **)&write_to = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
  if (prepare(root, 0) != 0 || can_experiment() != 0) return 1;
  for (int number = 2; number < count; number++) {
    begin((unsigned)atoi(arguments[number]));
    run();
    end(1);
  }
  return write_to(arguments[1], 4);
}

#endif
