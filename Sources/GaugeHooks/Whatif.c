// Virtual speed-ups: what an operation would gain if a function were faster, found by slowing all other threads down
// while one is in it. After "Coz: Finding Code that Counts with Causal Profiling" (Curtsinger and Berger, SOSP 2015)
// and its implementation, version 3.4.1: a thread that is found in the function has saved a part of that time, by which
// all others are delayed, once each; whoever was waiting for a thread that has had its delays has had them, too.
//
// Unlike there the timers need no permission and are as fine in threads that live for less than a millisecond, callers
// of a function that sleeps are sped up, too, and what a thread still owes is forgiven for as long as it waits for
// another one.
#define _GNU_SOURCE
#include "Whatif.h"
#include "Waits.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
  /// Nanoseconds between two looks at a thread that runs.
  period = 500000,
  most_experiments = 1 << 16,
  head_words = 4,
  experiment_words = 8,
};

/// One experiment. Times are in nanoseconds; ExperimentRecord+Words.swift describes the words.
struct experiment {
  uint64_t words[experiment_words];
};

static struct {
  int is_asked;
  /// Whether stacks are kept instead.
  int is_survey;
  /// Why threads have no timers; 0 where they have.
  _Atomic int error;
  /// Set while an experiment runs, last of all.
  _Atomic int is_on;
  /// Experiments that have begun.
  _Atomic uint64_t number;
  /// Thousandths of the function's time that are saved.
  uint64_t speed_up;
  /// What a thread must have been delayed by, from the beginning of the process on, and at that of the experiment.
  _Atomic uint64_t delays;
  uint64_t first_delays;
  uint64_t start;
  /// Threads that neither wait nor sleep, and the processors that there are for them.
  _Atomic int awake;
  int processors;
  /// Time that threads were seen to use, that of the function, its sleep, and how often it was seen.
  _Atomic uint64_t used, inside, asleep, hits;
  struct experiment *experiments;
  size_t count;
} whatif;

/// The thread that calls. The handler uses it, which never comes while it is busy.
static __thread struct {
  int is_clocked;
  volatile int is_busy;
  /// Whether the next look was due in a sleep, and stands for no time of the thread's.
  int skips;
  /// Whether the handler runs.
  int looks;
  timer_t timer;
  uint64_t id;
  uintptr_t stack_end;
  /// By how much the system may round up its sleeps, in nanoseconds.
  int slack;
  /// The experiment that it takes part in.
  uint64_t number;
  /// What it was delayed by, and what it has slept beyond that.
  uint64_t delays;
  uint64_t beyond;
  struct {
    int cause;
    int may_be_ended;
    /// Whether the timer was stopped for it, and what it had left; or whether only its signal is blocked for it.
    int is_stopped;
    uint64_t left;
    int is_blocked;
    uint64_t number;
    uint64_t start;
    uint64_t owed;
    struct hooks_place place;
  } wait;
} me __attribute__((tls_model("initial-exec")));

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct timespec timespec_of(uint64_t time) {
  return (struct timespec){(time_t)(time / 1000000000), (long)(time % 1000000000)};
}

// MARK: The timer of a thread

static void start_timer(uint64_t first) {
  struct itimerspec next = {timespec_of(period), timespec_of(first)};
  timer_settime(me.timer, 0, &next, NULL);
}

/// Stops the timer. Returns what it had left.
static uint64_t stop_timer(void) {
  struct itimerspec none = {{0, 0}, {0, 0}}, before = none;
  timer_settime(me.timer, 0, &none, &before);
  uint64_t left = (uint64_t)before.it_value.tv_sec * 1000000000 + (uint64_t)before.it_value.tv_nsec;
  return left ? left : period;
}

static sigset_t signal_of_timers(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  return set;
}

static void count_awake(int change) {
  // No more than counted.
  atomic_fetch_add_explicit(&whatif.awake, change, memory_order_relaxed);
}

/// Sleeps. Returns how long that was. Looks that were due meanwhile are none.
static uint64_t sleep_for(uint64_t time) {
  const uint64_t start = nanoseconds(CLOCK_MONOTONIC);
  const struct timespec until = timespec_of(start + time);
  uint64_t now = start;
  if (me.wait.cause == wait_none) count_awake(-1);
  // A short sleep would be rounded up to the usual fifty microseconds; the program's own still are.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  // Not by the functions that are interposed.
  while (now < start + time) {
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    now = nanoseconds(CLOCK_MONOTONIC);
  }
  if (me.slack > 0) prctl(PR_SET_TIMERSLACK, (unsigned long)me.slack, 0UL, 0UL, 0UL);
  if (me.wait.cause == wait_none) count_awake(1);
  sigset_t pending;
  me.skips = me.looks && sigpending(&pending) == 0 && sigismember(&pending, SIGPROF) == 1;
  return now - start;
}

// MARK: Delays

/// Whether an experiment runs, in which the thread takes part from its beginning on.
static int takes_part(void) {
  // Pairs with the store that begins it: what was set before is seen.
  if (!atomic_load_explicit(&whatif.is_on, memory_order_acquire)) return 0;
  uint64_t number = atomic_load_explicit(&whatif.number, memory_order_relaxed);
  if (me.number != number) {
    me.number = number;
    me.delays = whatif.first_delays;
    me.beyond = 0;
  }
  return 1;
}

/// Has all others be delayed by what this thread has saved, or this one by what it owes.
static void level(void) {
  // A number that only grows, and says nothing of other memory.
  uint64_t all = atomic_load_explicit(&whatif.delays, memory_order_relaxed);
  while (me.delays > all) {
    if (atomic_compare_exchange_weak_explicit(
            &whatif.delays, &all, me.delays, memory_order_relaxed, memory_order_relaxed)) {
      return;
    }
  }
  uint64_t owed = all - me.delays;
  me.delays = all;
  if (me.beyond >= owed) {
    me.beyond -= owed;
    return;
  }
  owed -= me.beyond;
  me.beyond = sleep_for(owed) - owed;
}

uint64_t whatif_settle(void) {
  if (!me.is_clocked || me.is_busy || !takes_part()) return 0;
  int error = errno;
  me.is_busy = 1;
  level();
  me.is_busy = 0;
  errno = error;
  return me.delays;
}

/// Takes time for the function's own: the part that is saved of it delays all others.
static void save(uint64_t time) { me.delays += time * whatif.speed_up / 1000; }

static void add(_Atomic uint64_t *sum, uint64_t amount) {
  // Read when the experiment is over, and no more than counted.
  atomic_fetch_add_explicit(sum, amount, memory_order_relaxed);
}

static void survey(const struct hooks_place *place, size_t weight, uint64_t time, int cause) {
  hooks_weigh_stack(hooks_keep_stack(place, me.id, (uint64_t)cause), weight, time);
}

// MARK: A look at a thread that runs

/// What a look stands for: the time of the thread since the last one, ready without a processor or not, as other
/// processes may take some. But of what the process's own threads take from each other each only has its part.
static uint64_t time_of(const siginfo_t *information) {
  // Looks that were due while the thread had no processor are one.
  uint64_t time = period * (1 + (uint64_t)(information->si_overrun > 0 ? information->si_overrun : 0));
  int awake = atomic_load_explicit(&whatif.awake, memory_order_relaxed);
  return awake > whatif.processors ? time * (uint64_t)whatif.processors / (uint64_t)awake : time;
}

static void look(int signal, siginfo_t *information, void *interrupted) {
  (void)signal;
  // What comes while it is busy comes in a wait or a sleep.
  if (!me.is_clocked || me.is_busy) return;
  if (me.skips) {
    me.skips = 0;
    return;
  }
  int error = errno;
  me.is_busy = me.looks = 1;
  if (takes_part()) {
    uint64_t time = time_of(information);
    struct whatif_registers registers;
    whatif_read_registers(interrupted, &registers);
    add(&whatif.used, time);
    if (whatif.is_survey) {
      struct hooks_place place = {{registers.frame, registers.stack, registers.code}, me.stack_end};
      survey(&place, 0, time, 0);
    } else if (whatif_is_on_stack(&registers, me.stack_end)) {
      add(&whatif.inside, time);
      add(&whatif.hits, 1);
      save(time);
    }
    level();
  }
  me.is_busy = me.looks = 0;
  errno = error;
}

// MARK: Waits

void whatif_begins_waiting(int cause, const void *object, const struct hooks_place *place) {
  if (!me.is_clocked) return;
  me.is_busy = 1;
  count_awake(-1);
  // A blocked signal ends no call, and no look is due before it is delivered. To set a timer may take longer than a
  // wait, in a virtual machine; but calls of these kinds may have the signal for the time that they wait.
  me.wait.is_stopped = cause == wait_io || cause == wait_signal || cause == wait_process;
  if (me.wait.is_stopped) {
    me.wait.left = stop_timer();
  } else {
    sigset_t own = signal_of_timers(), before;
    me.wait.is_blocked = pthread_sigmask(SIG_BLOCK, &own, &before) == 0 && sigismember(&before, SIGPROF) == 0;
  }
  me.wait.cause = cause;
  me.wait.may_be_ended = object != NULL;
  me.wait.place = *place;
  me.wait.number = 0;
  if (takes_part()) {
    me.wait.number = me.number;
    me.wait.owed = atomic_load_explicit(&whatif.delays, memory_order_relaxed) - me.delays;
  }
  me.wait.start = nanoseconds(CLOCK_MONOTONIC);
}

void whatif_ends_waiting(int by_itself) {
  if (!me.is_clocked || me.wait.cause == wait_none) return;
  uint64_t time = nanoseconds(CLOCK_MONOTONIC) - me.wait.start;
  if (takes_part()) {
    int is_within = me.wait.number == me.number;
    if (!by_itself && me.wait.may_be_ended) {
      // Whoever has ended the wait has had all delays. What this thread owed before it would have waited through.
      uint64_t owed = is_within && me.wait.owed > time ? me.wait.owed - time : 0;
      me.delays = atomic_load_explicit(&whatif.delays, memory_order_relaxed) - owed;
    } else if (is_within) {
      // By how much the system may round up a time is no time of the function's.
      time -= me.slack > 0 && time > (uint64_t)me.slack ? (uint64_t)me.slack : 0;
      struct whatif_registers registers = {.code = me.wait.place.registers[2], .stack = me.wait.place.registers[1],
          .frame = me.wait.place.registers[0], .is_return = 1};
      if (whatif.is_survey) {
        survey(&me.wait.place, 1, time, me.wait.cause);
      } else if (whatif_is_on_stack(&registers, me.wait.place.end)) {
        add(&whatif.asleep, time);
        save(time);
      }
    }
    level();
  }
  if (me.wait.is_stopped) start_timer(me.wait.left);
  sigset_t own = signal_of_timers();
  if (!me.wait.is_stopped && me.wait.is_blocked) pthread_sigmask(SIG_UNBLOCK, &own, NULL);
  me.wait.cause = wait_none;
  count_awake(1);
  me.is_busy = 0;
}

// MARK: Threads

static void prepare(void) {
  const char *asked = getenv("GAUGE_HOOKS_WHATIF");
  if (!asked) return;
  whatif.is_survey = strcmp(asked, "survey") == 0;
  while (!whatif.is_survey && *asked) {
    char *end;
    uint64_t first = strtoull(asked, &end, 16);
    uint64_t behind = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
    if (behind <= first) break;
    whatif_want(first, behind);
    asked = *end ? end + 1 : end;
  }
  struct sigaction action = {.sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_RESTART};
  if (sigaction(SIGPROF, &action, NULL) != 0) whatif.error = errno;
  whatif.experiments = hooks_map(most_experiments * sizeof *whatif.experiments);
  if (!whatif.experiments) whatif.error = ENOMEM;
  whatif_find_functions();
  cpu_set_t processors;
  whatif.processors = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
  whatif.is_asked = 1;
}

void whatif_thread_begins(uint64_t delays) {
  static _Atomic int is_prepared;
  // The first thread of a process, which is alone.
  if (!atomic_exchange(&is_prepared, 1)) prepare();
  if (!whatif.is_asked || whatif.error || me.is_clocked) return;
  struct hooks_place place;
  hooks_locate(&place);
  me.stack_end = place.end;
  me.id = (uint64_t)gettid();
  me.slack = prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event.sigev_notify_thread_id = (pid_t)me.id;
  if (timer_create(CLOCK_MONOTONIC, &event, &me.timer) != 0) {
    whatif.error = errno;
    return;
  }
  if (takes_part() && delays > me.delays) me.delays = delays;
  // The first look comes at random within the first period, so that threads that end soon are seen as often as others.
  // By SplitMix64, of what differs between threads.
  uint64_t random = me.id * UINT64_C(0x9e3779b97f4a7c15) + nanoseconds(CLOCK_MONOTONIC);
  random = (random ^ random >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  random = (random ^ random >> 27) * UINT64_C(0x94d049bb133111eb);
  me.is_clocked = 1;
  count_awake(1);
  start_timer(1 + (random ^ random >> 31) % period);
}

void whatif_thread_ends(void) {
  if (!me.is_clocked) return;
  // Who waits for its end waits for the delays, too.
  whatif_settle();
  me.is_clocked = 0;
  count_awake(-1);
  timer_delete(me.timer);
}

// MARK: Experiments

int gauge_hooks_can_experiment(void) {
  if (!whatif.is_asked) return -1;
  struct sigaction action;
  // The program may have a profiler of its own.
  if (!whatif.error && (sigaction(SIGPROF, NULL, &action) != 0 || action.sa_sigaction != look)) return -2;
  return whatif.error;
}

void gauge_hooks_begin_experiment(unsigned speed_up) {
  // Libraries that were loaded since.
  whatif_find_functions();
  whatif.speed_up = speed_up;
  whatif.first_delays = atomic_load_explicit(&whatif.delays, memory_order_relaxed);
  whatif.used = whatif.inside = whatif.asleep = whatif.hits = 0;
  whatif.number++;
  // Pairs with the load by which threads take part.
  atomic_store_explicit(&whatif.is_on, 1, memory_order_release);
  takes_part();
  whatif.start = nanoseconds(CLOCK_MONOTONIC);
}

void gauge_hooks_end_experiment(uint64_t operations) {
  whatif_settle();
  uint64_t time = nanoseconds(CLOCK_MONOTONIC) - whatif.start;
  uint64_t delays = atomic_load_explicit(&whatif.delays, memory_order_relaxed) - whatif.first_delays;
  atomic_store_explicit(&whatif.is_on, 0, memory_order_relaxed);
  if (whatif.count == most_experiments) return;
  whatif.experiments[whatif.count++] = (struct experiment){
      {whatif.speed_up, operations, time, delays, whatif.used, whatif.inside, whatif.asleep, whatif.hits}};
}

size_t hooks_size_of_experiments(void) { return 8 * (head_words + whatif.count * experiment_words); }

void hooks_put_experiments(struct hooks_output *output) {
  uint64_t head[head_words] = {whatif.count, period, 0, 0};
  hooks_put(output, head, sizeof head);
  hooks_put(output, whatif.experiments, whatif.count * sizeof *whatif.experiments);
}

#endif
