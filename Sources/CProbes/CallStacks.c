// The stacks of calls that the preloaded library records, where it is there.
#define _GNU_SOURCE
#include "Sampling.h"

#include <errno.h>

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif

static int (*prepare)(struct probe_root, uint64_t *(*)(uint64_t *, const uint64_t *, uintptr_t, size_t, uintptr_t));
static size_t (*record)(int);
static int (*write_to)(const char *, int);
static int (*follows_waits)(void);
static int (*can_experiment)(void);
static void (*begin_experiment)(unsigned);
static void (*end_experiment)(uint64_t);
static int recorded;

int probe_can_record_calls(void) {
#if __has_include(<dlfcn.h>)
  *(void **)&prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
  *(void **)&record = dlsym(RTLD_DEFAULT, "gauge_hooks_record");
  *(void **)&follows_waits = dlsym(RTLD_DEFAULT, "gauge_hooks_follows_waits");
  *(void **)&can_experiment = dlsym(RTLD_DEFAULT, "gauge_hooks_can_experiment");
  *(void **)&begin_experiment = dlsym(RTLD_DEFAULT, "gauge_hooks_begin_experiment");
  *(void **)&end_experiment = dlsym(RTLD_DEFAULT, "gauge_hooks_end_experiment");
  *(void **)&write_to = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
#endif
  return prepare && record && write_to;
}

int probe_can_record_waits(void) { return probe_can_record_calls() && follows_waits && follows_waits(); }

int probe_can_experiment(void) { return probe_can_record_calls() && can_experiment ? can_experiment() : -1; }

void probe_begin_experiment(unsigned speed_up) { begin_experiment(speed_up); }

void probe_end_experiment(size_t operations) { end_experiment(operations); }

int probe_prepare_recording_calls(enum probe_calls calls, struct probe_root root) {
  if (!probe_can_record_calls()) return ENOSYS;
  recorded = calls;
  return prepare(root, probe_follow_contexts);
}

void probe_start_recording_calls(void) { record(recorded); }

size_t probe_stop_recording_calls(void) { return record ? record(0) : 0; }

int probe_write_calls(const char *path) { return write_to ? write_to(path, recorded) : ENOSYS; }
