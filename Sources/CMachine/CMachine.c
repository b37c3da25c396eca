// The parts of the machine shim that keep state: identities handed out in blocks per thread,
// pages, sleeping and waking.
#define _GNU_SOURCE
#include "CMachine.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

uint64_t machine_next_identity(void) {
  enum { block = 1024 };
  static _Atomic uint64_t nextBlock = 0;
  static __thread uint64_t next = 0, end = 0;
  if (next == end) {
    next = atomic_fetch_add_explicit(&nextBlock, block, memory_order_relaxed);
    end = next + block;
  }
  return next++ * 2 + 1;
}

void machine_break(void) {
  struct sigaction before, after;
  sigaction(SIGTRAP, NULL, &before);
  __builtin_debugtrap();
  // Swift's backtraces take their handler away and return, for the fault to come again. A trap doesn't. Any other
  // handler, and a debugger, may let the program go on.
  sigaction(SIGTRAP, NULL, &after);
  if (before.sa_handler != SIG_DFL && after.sa_handler == SIG_DFL) raise(SIGTRAP);
}

static _Thread_local int thread_mark;

int machine_mark(void) { return thread_mark; }

int machine_exchange_mark(int mark) {
  int former = thread_mark;
  thread_mark = mark;
  return former;
}

_Thread_local struct machine_thread_words machine_thread_words;

#ifdef WEIR_INSPECTION
#if __has_include(<execinfo.h>)
#include <execinfo.h>
int machine_return_addresses(void **addresses, int most) { return backtrace(addresses, most); }
#else
int machine_return_addresses(void **addresses, int most) { return 0; }
#endif

const char *machine_file_of_code(const void *address, uintptr_t *start) {
  Dl_info found;
  if (dladdr(address, &found) == 0 || found.dli_fname == NULL) return NULL;
  *start = (uintptr_t)found.dli_fbase;
  return found.dli_fname;
}

int machine_inspection_is_wanted(void) {
  const char *value = getenv("WEIR_INSPECT");
  return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

int machine_inspection_is_watched(void) {
  const char *value = getenv("WEIR_INSPECT");
  return value != NULL && strcmp(value, "watch") == 0;
}

const char *machine_inspection_place(void) {
  static const char word[] = "serve";
  const char *value = getenv("WEIR_INSPECT");
  if (value == NULL || strncmp(value, word, sizeof word - 1) != 0) return NULL;
  value += sizeof word - 1;
  return *value == '\0' ? value : *value == ':' ? value + 1 : NULL;
}

// In WeirExtras, which stands above what asks for it, and need not be in the program.
#if defined(__ELF__)
extern void weir_serve_inspection(void) __attribute__((weak));
#endif

int machine_serve_inspection(void) {
#if defined(__ELF__)
  void (*serve)(void) = weir_serve_inspection;
#else
  void (*serve)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "weir_serve_inspection");
#endif
  if (!serve) return 0;
  serve();
  return 1;
}
#endif

static _Atomic int forks = 0;

static void count_fork(void) { atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed); }

__attribute__((constructor)) static void begin_to_count_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

int machine_fork_count(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

static _Atomic long exceptions[machine_exception_count];

void machine_note_exception(enum machine_exception exception) {
  atomic_fetch_add_explicit(&exceptions[exception], 1, memory_order_relaxed);
}

long machine_exceptions(enum machine_exception exception) {
  return atomic_load_explicit(&exceptions[exception], memory_order_relaxed);
}

int machine_start_thread(void *(*body)(void *), void *argument, const char *name) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return 0;
  struct sched_param ordinary = {.sched_priority = 0};
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setschedparam(&attributes, &ordinary);
  // The program's handlers of signals don't expect this thread. What the thread itself raises,
  // and a profiler's timer, come.
  const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t others, former;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&others, own[i]);
  pthread_sigmask(SIG_BLOCK, &others, &former);
  pthread_t thread;
  int failed = pthread_create(&thread, &attributes, body, argument);
#if defined(__linux__)
  if (!failed) pthread_setname_np(thread, name);
#else
  (void)name;
#endif
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_attr_destroy(&attributes);
  return !failed;
}

int machine_allowed_processors(void) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

void machine_yield(void) { sched_yield(); }

void machine_nap(void) {
  struct timespec nap = {0, 50 * 1000};
  nanosleep(&nap, NULL);
}

void *machine_pages_make(size_t size) {
#if defined(WEIR_EXPLORER)
  return malloc(size);
#else
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
#endif
}

void machine_pages_free(void *pages, size_t size) {
#if defined(WEIR_EXPLORER)
  (void)size;
  free(pages);
#else
  munmap(pages, size);
#endif
}

int64_t machine_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void machine_complain(const char *line) {
  struct iovec parts[] = {{(void *)line, strlen(line)}, {(void *)"\n", 1}};
  // There is nobody to tell that telling has failed.
  if (writev(STDERR_FILENO, parts, 2) < 0) return;
}

struct machine_parker {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int signalled;
};

machine_parker *machine_parker_create(void) {
  machine_parker *parker = malloc(sizeof *parker);
  if (!parker) abort();
  pthread_mutex_init(&parker->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#if !defined(__APPLE__)
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  pthread_cond_init(&parker->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  parker->signalled = 0;
  return parker;
}

void machine_parker_wait(machine_parker *parker) {
  pthread_mutex_lock(&parker->mutex);
  while (!parker->signalled) pthread_cond_wait(&parker->condition, &parker->mutex);
  pthread_mutex_unlock(&parker->mutex);
}

void machine_parker_wait_for(machine_parker *parker, int64_t nanoseconds) {
#if defined(__APPLE__)
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
#else
  int64_t end;
  // A time further away than the clock can tell is as good as none.
  if (__builtin_add_overflow(machine_monotonic_nanoseconds(), nanoseconds, &end)) end = INT64_MAX;
  struct timespec limit = {end / 1000000000, end % 1000000000};
#endif
  int failed = 0;
  pthread_mutex_lock(&parker->mutex);
  while (!parker->signalled && !failed) {
#if defined(__APPLE__)
    failed = pthread_cond_timedwait_relative_np(&parker->condition, &parker->mutex, &limit);
#else
    failed = pthread_cond_timedwait(&parker->condition, &parker->mutex, &limit);
#endif
  }
  pthread_mutex_unlock(&parker->mutex);
}

void machine_parker_signal(machine_parker *parker) {
  pthread_mutex_lock(&parker->mutex);
  parker->signalled = 1;
  pthread_cond_signal(&parker->condition);
  pthread_mutex_unlock(&parker->mutex);
}

void machine_parker_reset(machine_parker *parker) {
  pthread_mutex_lock(&parker->mutex);
  parker->signalled = 0;
  pthread_mutex_unlock(&parker->mutex);
}

void machine_parker_destroy(machine_parker *parker) {
  pthread_cond_destroy(&parker->condition);
  pthread_mutex_destroy(&parker->mutex);
  free(parker);
}
