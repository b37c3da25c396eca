// Sampling: the kernel sends a signal to a thread whenever it has used some CPU time, and the handler copies the
// thread's registers and the end of its stack into memory that was mapped before. Nothing is unwound here: functions of
// the C library keep no frame pointers, and tables of unwinding can't be read within a signal handler.
#define _GNU_SOURCE
#include "Sampling.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "CProbes.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
  header_words = 16,
  /// Bytes of a stack that are kept: what lies further out is lost.
  most_stack = 24 * 1024,
  /// Asynchronous frames of one sample, and their callers.
  most_chains = 4,
  most_links = (probe_most_chain_words - 1) / most_chains - 2,
  registers = probe_registers,
  below_stack = probe_below_stack,
  machine = probe_machine,
  most_record = 8 + registers + most_stack / 8 + probe_most_chain_words,
  /// Words of a piece of memory that one thread fills.
  piece = 64 * 1024,
  most_pieces = 512,
  most_threads = 1024,
};

struct thread {
  pid_t identifier;
  int event;
  timer_t timer;
  int has_timer;
  unsigned seen;
};

static struct {
  uint64_t *words;
  _Atomic size_t pieces;
  _Atomic size_t samples;
  _Atomic size_t lost;
  _Atomic size_t unreadable;
  _Atomic int active;
  _Atomic int inside;
  _Atomic int stopping;
  uint64_t period;
  enum probe_sampling_clock clock;
  struct probe_root root;
  struct thread threads[most_threads];
  size_t count;
  size_t unsampled;
  uint64_t clock_total;
  unsigned round;
  pid_t watcher;
  pthread_t watching;
} sampling;

/// Where this thread writes. Read in the handler: a variable of the executable itself, which is never allocated lazily.
static __thread struct {
  uint64_t *next;
  uint64_t *end;
  pid_t thread;
} room;

// MARK: In the handler

size_t probe_copy_memory(void *to, uintptr_t from, size_t size) {
  struct iovec here = {to, size};
  struct iovec there = {(void *)from, size};
  ssize_t copied = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return copied < 0 ? 0 : (size_t)copied;
}

void probe_copy_registers(uint64_t *to, const void *interrupted) {
  const ucontext_t *context = interrupted;
#if defined(__x86_64__)
  // In the order of the numbers that DWARF gives them; the last is the code address.
  static const int order[registers] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int number = 0; number < registers; number++) to[number] = (uint64_t)context->uc_mcontext.gregs[order[number]];
#else
  for (int number = 0; number < 31; number++) to[number] = context->uc_mcontext.regs[number];
  to[31] = context->uc_mcontext.sp;
  to[32] = context->uc_mcontext.pc;
#endif
}

enum { frame_register = probe_frame_register, stack_register = probe_stack_register };

/// What every asynchronous function begins its context with.
struct asynchronous_context {
  uintptr_t parent;
  uintptr_t resume_parent;
};

/// Contexts of asynchronous functions lead into code; what else looks like them seldom does.
/// None lies below the executable.
extern char __executable_start __attribute__((weak));

uint64_t *probe_follow_contexts(uint64_t *to, const uint64_t *stack, uintptr_t base, size_t words, uintptr_t frame) {
  // A frame of an asynchronous function has the address of its context right below the saved frame pointer.
  uintptr_t text = (uintptr_t)&__executable_start;
  uint64_t *count = to++;
  *count = 0;
  while (*count < most_chains && frame >= base + 8 && frame + 16 <= base + words * 8 && frame % 8 == 0) {
    uintptr_t context = stack[(frame - 8 - base) / 8];
    if (context % 16 == 0 && context >= 4096 && (context < base || context >= base + words * 8)) {
      uint64_t *start = to;
      uint64_t links = 0;
      struct asynchronous_context link;
      while (links < most_links && context % 8 == 0 && context >= 4096 &&
             probe_copy_memory(&link, context, sizeof link) == sizeof link && link.resume_parent >= text &&
                link.resume_parent >> 47 == 0) {
        start[2 + links++] = link.resume_parent;
        context = link.parent;
      }
      if (links > 0) {
        start[0] = frame;
        start[1] = links;
        to += 2 + links;
        ++*count;
      }
    }
    uintptr_t next = stack[(frame - base) / 8];
    if (next <= frame) break;
    frame = next;
  }
  return to;
}

static int has_room(void) {
  if (room.next && room.end - room.next > most_record) return 1;
  size_t taken = atomic_fetch_add_explicit(&sampling.pieces, 1, memory_order_relaxed);
  if (taken >= most_pieces) return 0;
  room.next = sampling.words + taken * piece;
  room.end = room.next + piece;
  return 1;
}

static void take(const ucontext_t *context, uint64_t weight) {
  if (!has_room()) {
    atomic_fetch_add_explicit(&sampling.lost, 1, memory_order_relaxed);
    return;
  }
  if (!room.thread) room.thread = (pid_t)syscall(SYS_gettid);
  pid_t thread = room.thread;
  uint64_t *record = room.next;
  uint64_t *next = record + 1;
  *next++ = (uint64_t)thread;
  *next++ = 0;
  *next++ = 1;
  *next++ = weight;
  *next++ = registers;
  uint64_t *values = next;
  probe_copy_registers(values, context);
  next += registers;
  // What a function has just taken from the stack is below the stack pointer, and still there: no signal handler writes
  // to the last bytes of it (x86-64, 128). Tables of unwinding look for it there up to the function's last instruction.
  uintptr_t base = (values[stack_register] - below_stack) & ~(uintptr_t)7;
  uint64_t *stack = next + 2;
  size_t words;
  uintptr_t root = sampling.root.frame;
  int is_rooted = (uint64_t)thread == sampling.root.thread && root >= base && root - base < most_stack - 16;
  if (is_rooted) {
    // All of it is there, from the stack pointer to the frame of a function that has not returned.
    words = (root + 16 - base) / 8;
    memcpy(stack, (const void *)base, words * 8);
  } else {
    words = probe_copy_memory(stack, base, most_stack) / 8;
    if (words == 0) atomic_fetch_add_explicit(&sampling.unreadable, 1, memory_order_relaxed);
  }
  *next++ = base;
  *next++ = words;
  next += words;
  // Where the stack ends at its root nobody awaits.
  if (is_rooted) *next++ = 0;
  else next = probe_follow_contexts(next, stack, base, words, values[frame_register]);
  room.next = next;
  record[0] = (uint64_t)(next - record);
  atomic_fetch_add_explicit(&sampling.samples, 1, memory_order_relaxed);
}

static void handle(int number, siginfo_t *information, void *context) {
  (void)number;
  int error = errno;
  // sequentially consistent, as is the store in stopping:
  // either that one sees this thread inside, or this one is not active
  atomic_fetch_add(&sampling.inside, 1);
  if (atomic_load(&sampling.active)) {
    uint64_t periods = 1;
    if (information->si_code == SI_TIMER && information->si_overrun > 0) periods += (uint64_t)information->si_overrun;
    take(context, periods * sampling.period);
  }
  atomic_fetch_sub(&sampling.inside, 1);
  errno = error;
}

// MARK: Threads

static int open_event(pid_t thread, int with_kernel) {
  struct perf_event_attr wanted = {
      .size = sizeof wanted,
      .type = PERF_TYPE_SOFTWARE,
      .config = PERF_COUNT_SW_CPU_CLOCK,
      .sample_period = sampling.period};
  wanted.sample_type = PERF_SAMPLE_IP;
  wanted.wakeup_events = 1;
  wanted.disabled = 1;
  wanted.exclude_kernel = !with_kernel;
  wanted.exclude_hv = 1;
  int event = (int)syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (event < 0) return -errno;
  // The signal goes to the thread that has used the time.
  struct f_owner_ex owner = {F_OWNER_TID, thread};
  if (fcntl(event, F_SETFL, O_NONBLOCK | O_ASYNC) != 0 || fcntl(event, F_SETSIG, SIGPROF) != 0 ||
      fcntl(event, F_SETOWN_EX, &owner) != 0 || ioctl(event, PERF_EVENT_IOC_ENABLE, 0) != 0) {
    int error = errno;
    close(event);
    return -error;
  }
  return event;
}

static int start_timer(struct thread *thread) {
  struct sigevent notice = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  notice.sigev_notify_thread_id = thread->identifier;
  // The clock of a thread's CPU time, as the kernel numbers it: the complement of the thread, then 4 for a thread's and
  // 2 for the scheduler's own count.
  clockid_t clock = (clockid_t)((~(unsigned)thread->identifier) << 3 | 6);
  if (timer_create(clock, &notice, &thread->timer) != 0) return errno;
  struct timespec period = {(time_t)(sampling.period / 1000000000), (long)(sampling.period % 1000000000)};
  struct itimerspec times = {period, period};
  if (timer_settime(thread->timer, 0, &times, NULL) != 0) {
    int error = errno;
    timer_delete(thread->timer);
    return error;
  }
  thread->has_timer = 1;
  return 0;
}

/// Begins to sample a thread. Returns 0, or the error number.
static int begin(pid_t identifier) {
  if (sampling.count == most_threads) {
    sampling.unsampled++;
    return 0;
  }
  struct thread thread = {.identifier = identifier, .event = -1, .seen = sampling.round};
  int error = 0;
  if (sampling.clock == probe_sampling_timers) {
    error = start_timer(&thread);
  } else {
    thread.event = open_event(identifier, sampling.clock == probe_sampling_events);
    if (thread.event < 0) error = -thread.event;
  }
  // It may have ended meanwhile.
  if (error == ESRCH || (error == EINVAL && sampling.clock == probe_sampling_timers && sampling.count > 0)) return 0;
  if (error) return error;
  sampling.threads[sampling.count++] = thread;
  return 0;
}

static void end(struct thread *thread) {
  if (thread->event >= 0) {
    ioctl(thread->event, PERF_EVENT_IOC_DISABLE, 0);
    uint64_t used = 0;
    if (read(thread->event, &used, sizeof used) == (ssize_t)sizeof used) sampling.clock_total += used;
    close(thread->event);
  }
  if (thread->has_timer) timer_delete(thread->timer);
}

/// Looks for threads: begins with new ones, ends with those that are gone. Returns 0, or the error number.
static int look_for_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return errno;
  sampling.round++;
  int error = 0;
  struct dirent *entry;
  while (!error && (entry = readdir(tasks))) {
    if (entry->d_name[0] == '.') continue;
    pid_t identifier = atoi(entry->d_name);
    if (identifier == sampling.watcher) continue;
    size_t index = 0;
    while (index < sampling.count && sampling.threads[index].identifier != identifier) index++;
    if (index < sampling.count) sampling.threads[index].seen = sampling.round;
    else error = begin(identifier);
  }
  closedir(tasks);
  for (size_t index = 0; index < sampling.count;) {
    if (sampling.threads[index].seen == sampling.round || error) {
      index++;
      continue;
    }
    end(&sampling.threads[index]);
    sampling.threads[index] = sampling.threads[--sampling.count];
  }
  return error;
}

static void end_all(void) {
  for (size_t index = 0; index < sampling.count; index++) end(&sampling.threads[index]);
  sampling.count = 0;
}

static void *watch(void *latch) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  sampling.watcher = (pid_t)syscall(SYS_gettid);
  probe_latch_open(latch);
  while (!atomic_load_explicit(&sampling.stopping, memory_order_relaxed)) {
    probe_sleep_nanoseconds(10000000);
    // Without descriptors, say, for one more thread.
    if (atomic_load_explicit(&sampling.active, memory_order_relaxed) && look_for_threads() != 0) sampling.unsampled++;
  }
  return NULL;
}

// MARK: Starting and stopping

__attribute__((noinline)) struct probe_root probe_callers_caller(void) {
  const uint64_t *own = __builtin_frame_address(0);
  const uint64_t *caller = (const uint64_t *)*own;
  return (struct probe_root){caller[0], caller[1], (uint64_t)syscall(SYS_gettid)};
}

static void watch_for_signal(void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  if (handler) action.sa_sigaction = handler;
  else action.sa_handler = SIG_IGN;
  sigfillset(&action.sa_mask);
  sigaction(SIGPROF, &action, NULL);
}

int probe_start_sampling(unsigned rate, struct probe_root root, enum probe_sampling_clock finest) {
  if (atomic_load(&sampling.pieces) > 0) return -EBUSY;
  if (!sampling.words) {
    void *memory = mmap(NULL, (size_t)most_pieces * piece * 8, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    sampling.words = memory;
#if defined(MADV_POPULATE_WRITE)
    // So that the first seconds touch no page for the first time; where the kernel can't do it they do.
    madvise(memory, (size_t)16 * piece * 8, MADV_POPULATE_WRITE);
#endif
  }
  sampling.period = 1000000000 / rate;
  sampling.root = root;
  atomic_store(&sampling.stopping, 0);
  struct probe_latch *latch = probe_latch_create();
  int error = pthread_create(&sampling.watching, NULL, watch, latch);
  if (error) return -error;
  probe_latch_wait_and_destroy(latch);
  watch_for_signal(handle);
  error = EINVAL;
  for (int clock = (int)finest; clock <= (int)probe_sampling_timers; clock++) {
    sampling.clock = (enum probe_sampling_clock)clock;
    error = look_for_threads();
    if (!error) break;
    end_all();
  }
  if (error) {
    atomic_store(&sampling.stopping, 1);
    pthread_join(sampling.watching, NULL);
    watch_for_signal(NULL);
    return -error;
  }
  // What the start itself has cost is none of the benchmark's.
  sampling.clock_total = 0;
  int clock = (int)sampling.clock;
  atomic_store(&sampling.active, 1);
  return clock;
}

size_t probe_stop_sampling(void) {
  if (!atomic_exchange(&sampling.active, 0)) return 0;
  while (atomic_load(&sampling.inside)) probe_sleep_nanoseconds(10000);
  atomic_store(&sampling.stopping, 1);
  pthread_join(sampling.watching, NULL);
  end_all();
  watch_for_signal(NULL);
  return atomic_load(&sampling.samples);
}

// MARK: The file

static int write_padded(int file, const char *bytes, size_t count) {
  static const char zeros[8];
  int error = probe_write_all(file, bytes, count);
  return error ? error : probe_write_all(file, zeros, (8 - count % 8) % 8);
}

static char *read_map(size_t *size) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  size_t capacity = 1 << 20;
  char *text = malloc(capacity);
  ssize_t count;
  while (text && (count = read(file, text + *size, capacity - *size)) > 0) *size += (size_t)count;
  close(file);
  return text;
}

int probe_write_samples(const char *path) {
  size_t map_size = 0;
  char *map = read_map(&map_size);
  if (!map) return errno ? errno : ENOMEM;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    free(map);
    return errno;
  }
  size_t pieces = atomic_load(&sampling.pieces);
  if (pieces > most_pieces) pieces = most_pieces;
  // SampleFile.swift describes the words.
  uint64_t header[header_words] = {UINT64_C(0x504d415345475547), 1, machine, (uint64_t)sampling.clock, sampling.period,
      sampling.root.code, sampling.root.frame, sampling.root.thread, atomic_load(&sampling.lost),
      atomic_load(&sampling.unreadable), sampling.unsampled, sampling.clock_total, map_size, 0, pieces, piece};
  int error = probe_write_all(file, header, sizeof header);
  if (!error) error = write_padded(file, map, map_size);
  // Of each piece only what is full, with its length in front.
  for (size_t index = 0; index < pieces && !error; index++) {
    const uint64_t *words = sampling.words + index * piece;
    uint64_t used = 0;
    while (used < piece && words[used]) used += words[used];
    error = probe_write_all(file, &used, sizeof used);
    if (!error) error = probe_write_all(file, words, used * 8);
  }
  if (close(file) != 0 && !error) error = errno;
  free(map);
  return error;
}

#else

struct probe_root probe_callers_caller(void) { return (struct probe_root){0, 0, 0}; }
uint64_t *probe_follow_contexts(uint64_t *to, const uint64_t *stack, uintptr_t base, size_t words, uintptr_t frame) {
  (void)stack, (void)base, (void)words, (void)frame;
  *to = 0;
  return to + 1;
}
int probe_start_sampling(unsigned rate, struct probe_root root, enum probe_sampling_clock finest) {
  (void)rate, (void)root, (void)finest;
  return -ENOSYS;
}
size_t probe_stop_sampling(void) { return 0; }
int probe_write_samples(const char *path) {
  (void)path;
  return ENOSYS;
}

#endif
