// The system's counters: resources by getrusage, memory and waits by the files of proc, events by perf_event_open, the
// heap's state by jemalloc's mallctl.
#define _GNU_SOURCE
#include "CProbes.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif
#if __has_include(<dirent.h>)
#include <dirent.h>
#endif
#if defined(__APPLE__)
#include <mach/mach.h>
#endif
#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

static void *symbol(const char *name) {
#if __has_include(<dlfcn.h>)
  return dlsym(RTLD_DEFAULT, name);
#else
  return NULL;
#endif
}

// MARK: References

static void (*read_references)(struct probe_reference_counts *);

const char *probe_count_references(void) {
  const char *(*begin)(void);
  *(void **)&begin = symbol("gauge_hooks_count_references");
  *(void **)&read_references = symbol("gauge_hooks_references");
  if (!begin || !read_references) return "the reference counters are not preloaded (gauge run does it)";
  return begin();
}

void probe_read_references(struct probe_reference_counts *totals) { read_references(totals); }

// MARK: Resources

static uint64_t nanoseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

int probe_read_usage(struct probe_usage *usage) {
  struct rusage record;
  struct timespec cpu;
  if (getrusage(RUSAGE_SELF, &record) != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) != 0) return errno;
  usage->cpu_nanoseconds = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
  usage->user_nanoseconds = nanoseconds(record.ru_utime);
  usage->system_nanoseconds = nanoseconds(record.ru_stime);
  usage->minor_faults = (uint64_t)record.ru_minflt;
  usage->major_faults = (uint64_t)record.ru_majflt;
  usage->voluntary_switches = (uint64_t)record.ru_nvcsw;
  usage->involuntary_switches = (uint64_t)record.ru_nivcsw;
  return 0;
}

// MARK: Memory, and waiting for a processor

#if defined(__linux__)

/// Reads the number behind a name in the text of a file of the system; 0 where it isn't there.
static int number_behind(const char *text, const char *name, uint64_t *number) {
  const char *place = strstr(text, name);
  if (!place) return 0;
  *number = strtoull(place + strlen(name), NULL, 10);
  return 1;
}

int probe_read_memory(struct probe_memory *memory) {
  char text[4096];
  size_t count;
  int error = probe_read_beginning("/proc/self/status", text, sizeof text - 1, &count);
  if (error) return error;
  text[count] = 0;
  uint64_t resident, peak;
  if (!number_behind(text, "\nVmHWM:", &peak) || !number_behind(text, "\nVmRSS:", &resident)) return ENODATA;
  // Told in KiB.
  memory->resident_bytes = resident * 1024;
  memory->peak_bytes = peak * 1024;
  return 0;
}

int probe_forget_peak_memory(void) {
  // proc(5): 5 resets the peak to what is resident.
  int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = probe_write_all(descriptor, "5", 1);
  close(descriptor);
  return error;
}

/// Adds what a thread's file tells.
static int add_ready_wait(const char *path, uint64_t *nanoseconds) {
  char text[128];
  size_t count;
  int error = probe_read_beginning(path, text, sizeof text - 1, &count);
  if (error) return error;
  text[count] = 0;
  char *end;
  uint64_t ran = strtoull(text, &end, 10);
  uint64_t waited = strtoull(end, &end, 10);
  // A thread that asks has run: zeros are those of a kernel that keeps no account.
  if (ran == 0 && waited == 0) return ENODATA;
  *nanoseconds += waited;
  return 0;
}

int probe_read_ready_wait(enum probe_waiters waiters, uint64_t *nanoseconds) {
  *nanoseconds = 0;
  if (waiters == probe_this_thread) return add_ready_wait("/proc/thread-self/schedstat", nanoseconds);
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return errno;
  int error = 0;
  int has_account = 0;
  struct dirent *entry;
  while (!error && (entry = readdir(tasks))) {
    if (entry->d_name[0] == '.') continue;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", atoi(entry->d_name));
    error = add_ready_wait(path, nanoseconds);
    if (!error) has_account = 1;
    // A thread that has ended meanwhile waits for nothing, and one that has never run has zeros.
    if (error == ENOENT || error == ESRCH || error == ENODATA) error = 0;
  }
  closedir(tasks);
  return error || has_account ? error : ENODATA;
}

#elif defined(__APPLE__)

int probe_read_memory(struct probe_memory *memory) {
  struct mach_task_basic_info record;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&record, &count) != KERN_SUCCESS) return ENOSYS;
  memory->resident_bytes = record.resident_size;
  memory->peak_bytes = record.resident_size_max;
  return 0;
}

int probe_forget_peak_memory(void) { return ENOSYS; }
int probe_read_ready_wait(enum probe_waiters waiters, uint64_t *nanoseconds) { return ENOSYS; }

#else

int probe_read_memory(struct probe_memory *memory) { return ENOSYS; }
int probe_forget_peak_memory(void) { return ENOSYS; }
int probe_read_ready_wait(enum probe_waiters waiters, uint64_t *nanoseconds) { return ENOSYS; }

#endif

// MARK: Events

enum { most_events = 8, most_threads = 128 };

#if __has_include(<linux/perf_event.h>)

static struct {
  int descriptors[most_threads];
  int threads;
} events[most_events];
static int opened_events;

static struct perf_event_attr attributes(enum probe_event event) {
  struct perf_event_attr attributes = {.size = sizeof attributes, .type = PERF_TYPE_HARDWARE};
  switch (event) {
  case probe_instructions: attributes.config = PERF_COUNT_HW_INSTRUCTIONS; break;
  case probe_cycles: attributes.config = PERF_COUNT_HW_CPU_CYCLES; break;
  case probe_branch_misses: attributes.config = PERF_COUNT_HW_BRANCH_MISSES; break;
  case probe_cache_misses: attributes.config = PERF_COUNT_HW_CACHE_MISSES; break;
  case probe_task_clock:
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    break;
  }
  // Without the kernel: that is what an unprivileged user may count (perf_event_paranoid 2).
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

int probe_open_event(enum probe_event event) {
  if (opened_events == most_events) return -EMFILE;
  struct perf_event_attr wanted = attributes(event);
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -errno;
  int handle = opened_events;
  events[handle].threads = 0;
  int error = 0;
  struct dirent *entry;
  while (!error && (entry = readdir(tasks))) {
    if (entry->d_name[0] == '.') continue;
    if (events[handle].threads == most_threads) {
      error = E2BIG;
      break;
    }
    int descriptor = (int)syscall(SYS_perf_event_open, &wanted, atoi(entry->d_name), -1, -1, PERF_FLAG_FD_CLOEXEC);
    // A thread that has ended meanwhile is none to count.
    if (descriptor < 0 && errno != ESRCH) error = errno;
    if (descriptor >= 0) events[handle].descriptors[events[handle].threads++] = descriptor;
  }
  closedir(tasks);
  if (error) {
    for (int thread = 0; thread < events[handle].threads; thread++) close(events[handle].descriptors[thread]);
    return -error;
  }
  opened_events++;
  return handle;
}

int probe_read_event(int handle, uint64_t *total) {
  *total = 0;
  for (int thread = 0; thread < events[handle].threads; thread++) {
    uint64_t values[3] = {0, 0, 0};
    ssize_t count = read(events[handle].descriptors[thread], values, sizeof values);
    if (count != (ssize_t)sizeof values) return count < 0 ? errno : ENODATA;
    if (values[1] != 0 && values[2] == 0) return -1;
    if (values[2] < values[1]) {
      values[0] = (uint64_t)((double)values[0] * (double)values[1] / (double)values[2]);
    }
    *total += values[0];
  }
  return 0;
}

#else

int probe_open_event(enum probe_event event) { return -ENOSYS; }
int probe_read_event(int handle, uint64_t *total) { return ENOSYS; }

#endif

// MARK: The allocator

int probe_read_allocator(struct probe_allocator *state) {
  static int (*control)(const char *, void *, size_t *, void *, size_t);
  if (!control) *(void **)&control = symbol("mallctl");
  if (!control) return -1;
  // Statistics are those of the last epoch; a write begins a new one.
  uint64_t epoch = 1;
  size_t size = sizeof epoch;
  int error = control("epoch", &epoch, &size, &epoch, size);
  struct {
    const char *name;
    uint64_t *value;
  } const wanted[] = {{"stats.resident", &state->resident_bytes}, {"stats.active", &state->active_bytes},
      {"stats.allocated", &state->allocated_bytes}};
  for (size_t index = 0; !error && index < sizeof wanted / sizeof *wanted; index++) {
    size_t value;
    size = sizeof value;
    error = control(wanted[index].name, &value, &size, NULL, 0);
    *wanted[index].value = value;
  }
  return error;
}
