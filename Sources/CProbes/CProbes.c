// Thin wrappers over libc; every header that a system may lack stands behind `__has_include`.
#define _GNU_SOURCE
#include "CProbes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif
#if __has_include(<mach-o/dyld.h>)
#include <mach-o/dyld.h>
#endif
#if __has_include(<sys/prctl.h>)
#include <sys/prctl.h>
#endif
#if defined(__x86_64__) && __has_include(<cpuid.h>)
#include <cpuid.h>
#endif

probe_heap_snapshot probe_find_heap_snapshot(void) {
  probe_heap_snapshot snapshot = NULL;
#if __has_include(<dlfcn.h>)
  *(void **)&snapshot = dlsym(RTLD_DEFAULT, "gauge_hooks_snapshot");
#endif
  return snapshot;
}

struct probe_heap_peak probe_find_heap_peak(void) {
  struct probe_heap_peak peak = {NULL, NULL};
#if __has_include(<dlfcn.h>)
  *(void **)&peak.mark = dlsym(RTLD_DEFAULT, "gauge_hooks_mark_peak");
  *(void **)&peak.read = dlsym(RTLD_DEFAULT, "gauge_hooks_peak");
#endif
  return peak;
}

int probe_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  return 1;
#endif
#endif
  return 0;
}

int probe_write_all(int descriptor, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = write(descriptor, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    next += written;
    count -= (size_t)written;
  }
  return 0;
}

int probe_read_beginning(const char *path, void *bytes, size_t capacity, size_t *count) {
  char *next = bytes;
  int error = 0;
  *count = 0;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  while (*count < capacity) {
    ssize_t taken = read(descriptor, next + *count, capacity - *count);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) error = errno;
    if (taken <= 0) break;
    *count += (size_t)taken;
  }
  close(descriptor);
  return error;
}

static void *probe_sleep_forever(void *unused) {
  for (;;) pause();
  return unused;
}

void probe_buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int probe_start_idle_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, probe_sleep_forever, NULL);
  if (error == 0) pthread_detach(thread);
  return error;
}

static void *end_at_once(void *unused) { return unused; }

int probe_run_empty_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, end_at_once, NULL);
  return error ? error : pthread_join(thread, NULL);
}

void probe_load_and_store(size_t turns) {
  // A load is half the buffer away from its store: written long before, and not 4 KiB off,
  // which cores mistake for the same address.
  enum { words = 512 };
  volatile uint64_t buffer[words] = {0};
  for (size_t turn = 0; turn < turns; turn++) buffer[turn % words] = buffer[(turn + words / 2) % words];
}

// Four times what a core of today has for itself, a line for each step: written once,
// as pages that never were are all one.
enum { chased_lines = 1 << 16 };
static struct {
  _Alignas(64) uint32_t next;
} chased[chased_lines];

void probe_chase(size_t turns) {
  // A linear congruential generator whose period is the whole buffer (Hull and Dobell 1962).
  if (chased[0].next == 0) {
    for (uint32_t line = 0; line < chased_lines; line++) chased[line].next = (line * 20077 + 12345) % chased_lines;
  }
  static uint32_t line;
  uint32_t current = line;
  for (size_t turn = 0; turn < turns; turn++) current = *(volatile uint32_t *)&chased[current].next;
  line = current;
}

void probe_die_with_parent(void) {
#if defined(PR_SET_PDEATHSIG)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int probe_has_no_reader(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLOUT};
  return poll(&entry, 1, 0) == 1 && (entry.revents & POLLERR) != 0;
}

uint64_t probe_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int probe_cycle_counter_is_invariant(void) {
#if defined(__x86_64__) && __has_include(<cpuid.h>)
  // Advanced power management, EDX bit 8: invariant TSC (Intel SDM 18.17.1; AMD APM volume 3, CPUID Fn8000_0007).
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return 1;  // The generic timer runs at the fixed rate in CNTFRQ_EL0 (Arm ARM, chapter D12).
#else
  return 0;
#endif
}

size_t probe_executable_path(char *path, size_t capacity) {
#if defined(__linux__)
  ssize_t length = readlink("/proc/self/exe", path, capacity - 1);
  if (length < 0) length = 0;
  path[length] = 0;
  return (size_t)length;
#elif __has_include(<mach-o/dyld.h>)
  uint32_t size = (uint32_t)capacity;
  if (_NSGetExecutablePath(path, &size) != 0) path[0] = 0;
  size_t length = 0;
  while (path[length]) length++;
  return length;
#else
  path[0] = 0;
  return 0;
#endif
}

struct probe_latch {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int open;
};

struct probe_latch *probe_latch_create(void) {
  struct probe_latch *latch = malloc(sizeof *latch);
  if (!latch) abort();
  pthread_mutex_init(&latch->mutex, NULL);
  pthread_cond_init(&latch->condition, NULL);
  latch->open = 0;
  return latch;
}

void probe_latch_open(struct probe_latch *latch) {
  // The signal is sent under the lock: the waiter may destroy the latch as soon as it sees the flag.
  pthread_mutex_lock(&latch->mutex);
  latch->open = 1;
  pthread_cond_signal(&latch->condition);
  pthread_mutex_unlock(&latch->mutex);
}

void probe_latch_wait_and_destroy(struct probe_latch *latch) {
  pthread_mutex_lock(&latch->mutex);
  while (!latch->open) pthread_cond_wait(&latch->condition, &latch->mutex);
  pthread_mutex_unlock(&latch->mutex);
  pthread_cond_destroy(&latch->condition);
  pthread_mutex_destroy(&latch->mutex);
  free(latch);
}
