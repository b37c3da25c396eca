// The recorder's thread, and what has it start and stop: calls of the program, or a signal. Whoever asks waits for this
// thread alone, and this thread for nobody: it takes no lock that other code has, and allocates nothing.
#define _GNU_SOURCE
#include "CRecorder.h"

#include <string.h>

#include "Internal.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Sampling.h"

enum request { nothing, to_start, to_stop, to_dump };

enum {
  second = 1000000000,
  /// Nanoseconds between two looks where none is asked for: new threads are found by them.
  look_without_waits = second / 10,
  /// A look that has taken some CPU time is followed by so many times that without one, or by the longest rest.
  rest_after_look = 1000,
};

#define longest_rest (5ull * second)

/// What the counting hooks say, where they are there; see GaugeHooks.h.
struct heap_counts { uint64_t allocations, frees, bytes; };

static struct {
  /// The process whose thread there is; 0 for none.
  _Atomic pid_t process;
  pthread_mutex_t callers;
  /// Rings for the thread: it has been asked for something, or a signal has come.
  _Atomic uint32_t bell;
  _Atomic uint32_t answered;
  _Atomic uint32_t signals;
  _Atomic int records;
  /// What is asked for, and with what.
  _Atomic int request;
  char asked[1024];
  struct recorder_configuration wanted;
  struct recorder_answer answer;
  // What the thread alone uses.
  char path[1024];
  uint32_t signals_met;
  struct recorder_configuration recorded;
  uint64_t start, process_start, own_start, next_look, next_pulse;
  struct recorder_answer result;
  int has_result;
  uint32_t number;
  // What a signal does, by whoever has armed it.
  _Atomic int armed;
  /// Whether a failure has been told since then.
  _Atomic int has_told;
  struct sigaction former;
  char folder[900];
  struct recorder_configuration armed_configuration;
  void (*read_heap)(struct heap_counts *);
  int (*heap_prepare)(struct probe_root, uint64_t *(*)(uint64_t *, const uint64_t *, uintptr_t, size_t, uintptr_t));
  size_t (*heap_record)(int);
  int (*heap_write)(const char *, int);
  /// 1 where stacks of the heap are recorded, 2 where they have been: that is once in a process.
  int heap_state;
  uint64_t processors;
} recorder;

// MARK: Ringing

static void futex_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *time) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, time, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void ring(void) {
  // sequentially consistent: the thread reads what was asked for after it has read this
  atomic_fetch_add(&recorder.bell, 1);
  futex_wake(&recorder.bell);
}

static void handle_signal(int number) {
  (void)number;
  int error = errno;
  atomic_fetch_add(&recorder.signals, 1);
  ring();
  errno = error;
}

// MARK: What the thread does

static void pulse(void) {
  struct capture_counts samples = recorder_capture_counts();
  struct threads_counts threads = recorder_threads_counts();
  struct heap_counts heap = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  if (recorder.read_heap) recorder.read_heap(&heap);
  recorder_output_begin(record_pulse, recorder_output_moment());
  recorder_output_put(recorder_process_time() - recorder.process_start);
  recorder_output_put(recorder_own_time() - recorder.own_start);
  recorder_output_put(threads.threads);
  recorder_output_put(samples.periods);
  recorder_output_put(samples.lost);
  recorder_output_put(samples.unreadable);
  recorder_output_put(threads.left_out);
  recorder_output_put(threads.looks);
  recorder_output_put(threads.waits);
  recorder_output_put((uint64_t)recorder_threads_sample_error());
  recorder_output_put((uint64_t)recorder_threads_wait_error());
  recorder_output_put(heap.allocations);
  recorder_output_put(heap.frees);
  recorder_output_put(heap.bytes);
  recorder_output_put(recorder_threads_last_look());
  recorder_output_put(recorder_threads_longest_gap());
  recorder_output_put(recorder_capture_handler_lost());
  recorder_output_end();
}

static void fail(struct recorder_answer *answer, int status, int error) {
  answer->status = status, answer->error = error;
}

static void start_recording(
    const char *path, int is_new, const struct recorder_configuration *configuration, struct recorder_answer *answer) {
  *answer = (struct recorder_answer){.status = recorder_done};
  if (path != recorder.path) memcpy(recorder.path, path, sizeof recorder.path);
  memcpy(answer->path, path, sizeof answer->path);
  recorder.recorded = *configuration;
  uint64_t look = configuration->looks ? second / configuration->looks : 0;
  uint64_t sample = configuration->samples ? second / configuration->samples : 0;
  int error = recorder_output_open(path, is_new, sample, look, configuration->largest);
  if (error == recorder_is_no_file) return fail(answer, recorder_no_file, 0);
  if (error) return fail(answer, recorder_cannot_write, error);
  int status = recorder_refused;
  error = recorder_threads_start(configuration->samples > 0, configuration->looks > 0);
  if (error) {
    recorder_output_discard();
    return fail(answer, status, error);
  }
  status = recorder_capture_start(configuration->samples, &error);
  if (!status) {
    error = recorder_output_commit();
    status = error ? recorder_cannot_write : recorder_done;
  }
  if (status) {
    recorder_threads_stop();
    recorder_capture_stop();
    recorder_output_discard();
    return fail(answer, status, error);
  }
  recorder.start = recorder_now();
  recorder.process_start = recorder_process_time();
  recorder.own_start = recorder_own_time();
  recorder.next_look = recorder.next_pulse = recorder.start;
  recorder_output_map(0);
  if (configuration->heap_stacks && recorder.heap_record) {
    const struct probe_root none = {0, 0, 0};
    if (recorder.heap_state == 0 && recorder.heap_prepare(none, probe_follow_contexts) == 0) {
      recorder.heap_state = 1;
      recorder.heap_record(probe_calls_of_heap);
    }
  }
  recorder.has_result = 0;
  atomic_store(&recorder.records, 1);
  recorder_threads_look();
  pulse();
  recorder_output_flush();
}

/// Ends the recording; what it came to is the result.
static void finish_recording(int is_full) {
  struct recorder_answer *result = &recorder.result;
  if (recorder.heap_state == 1) recorder.heap_record(0);
  if (!is_full) recorder_threads_look();
  recorder_threads_stop();
  recorder_capture_stop();
  recorder_capture_drain();
  recorder_output_map(recorder_output_moment());
  pulse();
  recorder_output_begin(record_end, recorder_output_moment());
  recorder_output_put((uint64_t)is_full);
  recorder_output_end();
  struct capture_counts samples = recorder_capture_counts();
  struct threads_counts threads = recorder_threads_counts();
  *result = (struct recorder_answer){
      .status = recorder_done, .time = recorder_output_moment(),
      .process_time = recorder_process_time() - recorder.process_start,
      .own_time = recorder_own_time() - recorder.own_start, .handler_time = samples.handling,
      .sample_period = recorder.recorded.samples ? second / recorder.recorded.samples : 0,
      .periods = samples.periods, .lost = samples.lost, .looks = threads.looks, .waits = threads.waits,
      .left_out = threads.left_out, .was_full = is_full};
  memcpy(result->path, recorder.path, sizeof result->path);
  int error = recorder_output_close();
  if (error) fail(result, recorder_cannot_write, error);
  if (recorder.heap_state == 1) {
    recorder.heap_state = 2;
    char path[1100];
    snprintf(path, sizeof path, "%s.heap", recorder.path);
    error = recorder.heap_write(path, probe_calls_of_heap);
    if (error && !result->status) fail(result, recorder_cannot_write, error);
  }
  recorder.has_result = 1;
  atomic_store(&recorder.records, 0);
}

/// Looks, drains and writes what is due. Returns the nanoseconds until there is more to do.
static uint64_t work(void) {
  uint64_t now = recorder_now();
  recorder_capture_drain();
  // Whoever has installed a handler of its own must get no signals of ours.
  if (!recorder_capture_has_handler()) recorder_threads_end_sampling();
  if (now >= recorder.next_look) {
    uint64_t before = recorder_own_time();
    recorder_threads_look();
    uint64_t cost = recorder_own_time() - before;
    uint64_t period = recorder.recorded.looks ? second / recorder.recorded.looks : look_without_waits;
    uint64_t rest = cost * rest_after_look < longest_rest ? cost * rest_after_look : longest_rest;
    recorder.next_look = now + (rest > period ? rest : period);
  }
  int error = 0;
  if (now >= recorder.next_pulse) {
    recorder_output_map_when_due();
    recorder_threads_put_totals();
    pulse();
    error = recorder_output_flush();
    recorder.next_pulse = now + second;
  }
  if (error || recorder_output_is_full()) finish_recording(1);
  uint64_t until = recorder.next_look < recorder.next_pulse ? recorder.next_look : recorder.next_pulse;
  now = recorder_now();
  uint64_t rest = until > now ? until - now : 0;
  // The places for samples must not run out meanwhile, with all processors busy.
  uint64_t busy = recorder.processors * (recorder.recorded.samples ? recorder.recorded.samples : 1);
  uint64_t longest = (uint64_t)capture_slots / 2 * second / busy;
  return rest < longest ? rest : longest;
}

/// Tells once why what a signal has asked for isn't there.
static void tell(const char *what, const char *path, int error) {
  if (!atomic_exchange(&recorder.has_told, 1)) recorder_tell_failure(what, path, error);
}

static void toggle(void) {
  // acquire: pairs with the release in recorder_arm, which has written the folder before
  if (!atomic_load_explicit(&recorder.armed, memory_order_acquire)) return;
  if (atomic_load(&recorder.records)) {
    finish_recording(0);
    if (recorder.result.status) tell("the recording is not complete", recorder.path, recorder.result.error);
    return;
  }
  struct recorder_answer answer = {.status = recorder_cannot_write, .error = EEXIST};
  for (int tries = 0; tries < 1000; tries++) {
    snprintf(recorder.path, sizeof recorder.path, "%s/%s-%d-%u.gauge", recorder.folder, program_invocation_short_name,
        (int)getpid(), ++recorder.number);
    start_recording(recorder.path, 1, &recorder.armed_configuration, &answer);
    if (answer.status != recorder_cannot_write || answer.error != EEXIST) break;
  }
  if (answer.status == recorder_signal_taken) tell("no recording: SIGPROF has another handler", recorder.path, EBUSY);
  else if (answer.status) tell("no recording", recorder.path, answer.error);
}

static void obey(void) {
  struct recorder_answer *answer = &recorder.answer;
  int is_on = atomic_load(&recorder.records);
  // acquire: pairs with the release in ask, which has written the rest before
  switch (atomic_load_explicit(&recorder.request, memory_order_acquire)) {
  case to_start:
    if (is_on) fail(answer, recorder_is_on, 0);
    else start_recording(recorder.asked, 0, &recorder.wanted, answer);
    break;
  case to_stop:
    if (is_on) finish_recording(0);
    if (recorder.has_result) *answer = recorder.result;
    else fail(answer, recorder_is_off, 0);
    recorder.has_result = 0;
    break;
  case to_dump:
    if (is_on) {
      recorder_capture_drain();
      recorder_threads_look();
      recorder_threads_put_totals();
      pulse();
      int error = recorder_output_flush();
      if (error) fail(answer, recorder_cannot_write, error);
      memcpy(answer->path, recorder.path, sizeof answer->path);
    } else {
      // What has ended by itself is told to who stops it.
      struct recorder_answer former = recorder.result;
      int had_result = recorder.has_result;
      start_recording(recorder.asked, 0, &recorder.wanted, answer);
      if (!answer->status) {
        finish_recording(0);
        *answer = recorder.result;
      }
      recorder.result = former;
      recorder.has_result = had_result;
    }
    break;
  case nothing: return;
  }
  atomic_store_explicit(&recorder.request, nothing, memory_order_relaxed);
  // release: pairs with the acquire in ask, which reads the answer
  atomic_fetch_add_explicit(&recorder.answered, 1, memory_order_release);
  futex_wake(&recorder.answered);
}

static void *run(void *unused) {
  (void)unused;
  prctl(PR_SET_NAME, "gauge-recorder");
  for (;;) {
    uint32_t bell = atomic_load(&recorder.bell);
    obey();
    while (recorder.signals_met != atomic_load(&recorder.signals)) {
      recorder.signals_met++;
      toggle();
    }
    if (!atomic_load(&recorder.records)) {
      futex_wait(&recorder.bell, bell, NULL);
      continue;
    }
    uint64_t rest = work();
    const struct timespec time = {(time_t)(rest / second), (long)(rest % second)};
    if (rest > 0) futex_wait(&recorder.bell, bell, &time);
  }
  return NULL;
}

// MARK: Who asks

/// Ends what is under way before the process does.
static void finish_at_exit(void) {
  struct recorder_answer ignored;
  if (recorder_records()) recorder_stop(&ignored);
}

/// Makes the thread, once in a process: one that was forked has none. Returns 0, or the error number.
static int make_thread(void) {
  static int is_registered;
  if (recorder.process == getpid()) return 0;
  if (recorder.process != 0) {
    // What was the parent's is of no use here: its threads are gone, and its file is its own.
    recorder_output_forget();
    recorder_capture_forget();
    recorder_threads_forget();
    memset(&recorder, 0, sizeof recorder);
  }
  pthread_mutex_init(&recorder.callers, NULL);
  // These may wait for whoever loads a library; the recorder's thread doesn't.
  *(void **)&recorder.read_heap = dlsym(RTLD_DEFAULT, "gauge_hooks_snapshot");
  *(void **)&recorder.heap_prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
  *(void **)&recorder.heap_record = dlsym(RTLD_DEFAULT, "gauge_hooks_record");
  *(void **)&recorder.heap_write = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  recorder.processors = processors > 0 ? (uint64_t)processors : 1;
  if (!recorder.heap_prepare || !recorder.heap_write) recorder.heap_record = NULL;
  sigset_t all, former;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  // The thread gets no signal: it inherits that.
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, run, NULL);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_attr_destroy(&attributes);
  if (error) return error;
  recorder.process = getpid();
  if (!is_registered) is_registered = atexit(finish_at_exit) == 0;
  return 0;
}

/// Guards the making of the thread: a mutex that can't be left locked in a process that was forked.
static _Atomic pid_t making;

static int ensure_thread(void) {
  const struct timespec moment = {0, 100000};
  pid_t own = getpid(), maker = atomic_load(&making);
  // acquire: pairs with the release below
  while (maker == own || !atomic_compare_exchange_weak_explicit(
                             &making, &maker, own, memory_order_acquire, memory_order_relaxed)) {
    if (maker == own) nanosleep(&moment, NULL);
    maker = atomic_load(&making);
  }
  int error = make_thread();
  atomic_store_explicit(&making, 0, memory_order_release);
  return error;
}

static void ask(
    enum request request, const char *path, const struct recorder_configuration *configuration,
    struct recorder_answer *answer) {
  *answer = (struct recorder_answer){.status = recorder_done};
  // As of now: the program may change its folder later.
  char absolute[1024] = {0};
  int error = path ? recorder_absolute_path(path, absolute, sizeof absolute) : 0;
  if (error) return fail(answer, recorder_cannot_write, error);
  error = ensure_thread();
  if (error) return fail(answer, recorder_refused, error);
  pthread_mutex_lock(&recorder.callers);
  uint32_t answered = atomic_load_explicit(&recorder.answered, memory_order_acquire);
  recorder.answer = *answer;
  if (configuration) recorder.wanted = *configuration;
  if (path) memcpy(recorder.asked, absolute, sizeof recorder.asked);
  // release: pairs with the acquire in obey
  atomic_store_explicit(&recorder.request, (int)request, memory_order_release);
  ring();
  while (atomic_load_explicit(&recorder.answered, memory_order_acquire) == answered) {
    futex_wait(&recorder.answered, answered, NULL);
  }
  *answer = recorder.answer;
  pthread_mutex_unlock(&recorder.callers);
}

void recorder_start(
    const char *path, const struct recorder_configuration *configuration, struct recorder_answer *answer) {
  ask(to_start, path, configuration, answer);
}

void recorder_stop(struct recorder_answer *answer) {
  // Nothing is made for an answer that is known.
  if (recorder.process != getpid()) {
    *answer = (struct recorder_answer){.status = recorder_is_off};
    return;
  }
  ask(to_stop, NULL, NULL, answer);
}

void recorder_dump(const char *path, struct recorder_answer *answer) {
  const struct recorder_configuration one = {.samples = 0, .looks = 10, .largest = UINT64_MAX, .heap_stacks = 0};
  ask(to_dump, path, &one, answer);
}

void recorder_disarm(struct recorder_answer *answer) {
  *answer = (struct recorder_answer){.status = recorder_done};
  if (recorder.process != getpid()) return fail(answer, recorder_is_off, 0);
  pthread_mutex_lock(&recorder.callers);
  int signal = atomic_exchange(&recorder.armed, 0);
  struct sigaction now;
  if (!signal) fail(answer, recorder_is_off, 0);
  // Whoever has taken it meanwhile goes on with it.
  else if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == handle_signal)
    sigaction(signal, &recorder.former, NULL);
  pthread_mutex_unlock(&recorder.callers);
}

static void arm(
    int signal, const char *folder, const struct recorder_configuration *configuration,
    struct recorder_answer *answer) {
  if (atomic_load(&recorder.armed)) return fail(answer, recorder_is_on, atomic_load(&recorder.armed));
  struct sigaction former;
  if (sigaction(signal, NULL, &former) != 0) return fail(answer, recorder_refused, errno);
  int is_own = !(former.sa_flags & SA_SIGINFO) && former.sa_handler == handle_signal;
  if (!is_own && ((former.sa_flags & SA_SIGINFO) || (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)))
    return fail(answer, recorder_signal_taken, signal);
  if (access(folder, W_OK | X_OK) != 0) return fail(answer, recorder_cannot_write, errno);
  char absolute[sizeof recorder.folder];
  int error = recorder_absolute_path(folder, absolute, sizeof absolute);
  if (error) return fail(answer, recorder_cannot_write, error);
  memcpy(recorder.folder, absolute, sizeof recorder.folder);
  atomic_store(&recorder.has_told, 0);
  recorder.armed_configuration = *configuration;
  recorder.former = is_own ? (struct sigaction){.sa_handler = SIG_DFL} : former;
  // release: pairs with the acquire in toggle
  atomic_store_explicit(&recorder.armed, signal, memory_order_release);
  struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, NULL) == 0) return;
  fail(answer, recorder_refused, errno);
  atomic_store(&recorder.armed, 0);
}

void recorder_arm(
    int signal, const char *folder, const struct recorder_configuration *configuration,
    struct recorder_answer *answer) {
  *answer = (struct recorder_answer){.status = recorder_done};
  int error = ensure_thread();
  if (error) return fail(answer, recorder_refused, error);
  pthread_mutex_lock(&recorder.callers);
  arm(signal, folder, configuration, answer);
  pthread_mutex_unlock(&recorder.callers);
}

int recorder_records(void) { return recorder.process == getpid() && atomic_load(&recorder.records); }

#endif
