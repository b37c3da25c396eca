// The waits of all threads: how long each was off the processor for which cause, on which stack, and who ended it. The
// interposed functions that may block tell of them; see Blocking.c.
#define _GNU_SOURCE
#include "GaugeHooks.h"
#include "Waits.h"
#include "Whatif.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  /// Waits that are kept one by one; of those beyond, only what they add up to is.
  most_waits = 1 << 18,
  /// A power of two.
  slots = 1 << 12,
  threads_per_slab = 256,
  thread_words = 9,
  wait_words = 10,
  head_words = 6,
};

/// What the system has accounted to a thread up to a moment, in nanoseconds, and how often it was given a processor.
struct account {
  uint64_t moment;
  uint64_t running;
  uint64_t ready;
  uint64_t turns;
};

struct wait {
  enum wait_cause cause;
  const void *object;
  uint64_t start;
  struct account account;
  struct hooks_place place;
  /// Of a join that is over, who has ended.
  struct thread *joined;
};

/// One thread. What others read of it is behind its lock.
struct thread {
  atomic_flag lock;
  struct thread *next;
  struct thread *maker;
  uint64_t id;
  /// Only compared: the thread may be gone.
  pthread_t handle;
  char name[16];
  /// Its schedstat, or below 0 where it is not open.
  int file;
  int is_recorded;
  int has_ended;
  uint64_t start;
  uint64_t end;
  struct account first;
  struct account last;
  uint64_t blocked;
  struct wait wait;
  /// Its place in the file, from 1 on.
  uint64_t number;
};

/// One wait that has ended.
struct record {
  struct thread *thread;
  enum wait_cause cause;
  const void *object;
  uint64_t start;
  uint64_t end;
  uint64_t blocked;
  size_t stack;
  struct thread *waker;
  size_t waker_stack;
  /// When that was; the thread needs time to come back.
  uint64_t woken;
};

/// Who has last ended waits for the objects of one place in a table.
struct slot {
  _Atomic int waiting;
  atomic_flag lock;
  const void *object;
  uint64_t time;
  struct thread *waker;
  size_t stack;
};

static struct {
  atomic_flag lock;
  struct thread *threads;
  struct thread *fresh;
  size_t left;
  /// Threads that ended before anything was recorded.
  struct thread *unused;
  /// Set under the lock, and read by threads that begin or end a wait.
  _Atomic int is_on;
  int was_on;
  uint64_t start;
  uint64_t end;
  /// Why nothing is known of the time that threads were ready without a processor; 0 where it is.
  _Atomic int unaccounted;
  struct record *records;
  _Atomic size_t count;
  _Atomic int waiting_for_io;
  struct slot slots[slots];
} waits;

static _Atomic int follows;

static __thread struct thread *own __attribute__((tls_model("initial-exec")));

/// Set behind the end of a thread, when the last destructors run.
static __thread int is_over __attribute__((tls_model("initial-exec")));

int hooks_follows_waits(void) { return atomic_load_explicit(&follows, memory_order_relaxed); }
int gauge_hooks_follows_waits(void) { return hooks_follows_waits(); }

static void lock(atomic_flag *flag) {
  while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire)) sched_yield();
}

static void unlock(atomic_flag *flag) { atomic_flag_clear_explicit(flag, memory_order_release); }

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// MARK: Accounts

/// Reads what only a file tells: the time that a thread was ready without a processor, and its turns. Returns 0, or the
/// error number.
static int read_file(int file, struct account *account) {
  char text[96];
  unsigned long long ready = 0, turns = 0;
  ssize_t count = hooks_read_surely(file, text, sizeof text - 1);
  int error = count < 0 ? errno : 0;
  if (count >= 0) {
    text[count] = 0;
    if (sscanf(text, "%*u %llu %llu", &ready, &turns) != 2) error = EPROTO;
  }
  account->ready = ready;
  account->turns = turns;
  return error;
}

/// Reads an account by a file, and by the clock of a thread's CPU time; its moment is 0 where there is no such thread.
static struct account read_account(int file, clockid_t clock, int *error) {
  enum { longest_reading = 50000, most_readings = 8 };
  struct account account;
  // The system may take the processor away where a call of it returns: parts of a slow reading are of two moments.
  for (int reading = 0; reading < most_readings; reading++) {
    uint64_t before = nanoseconds(CLOCK_MONOTONIC);
    *error = read_file(file, &account);
    struct timespec used;
    if (clock_gettime(clock, &used) != 0) return (struct account){0};
    account.running = (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
    account.moment = nanoseconds(CLOCK_MONOTONIC);
    if (account.moment - before <= longest_reading) break;
  }
  return account;
}

static struct account own_account(void) {
  int error;
  if (own->file < 0) own->file = hooks_open_about_thread(own->id, "schedstat");
  struct account account = read_account(own->file, CLOCK_THREAD_CPUTIME_ID, &error);
  if (error) waits.unaccounted = error;
  return account;
}

/// The account of a thread that may be another one.
static struct account account_of(const struct thread *thread) {
  int error;
  int file = thread->file < 0 ? hooks_open_about_thread(thread->id, "schedstat") : thread->file;
  // The kernel's number of the clock of a thread's CPU time.
  struct account account = read_account(file, (clockid_t)(~(unsigned)thread->id << 3 | 6), &error);
  if (file != thread->file && file >= 0) hooks_close_surely(file);
  return account;
}

// MARK: Threads

struct thread *waits_own_thread(void) { return own; }

void waits_thread_begins(struct thread *maker, uint64_t delays) {
  struct account account = {0};
  if (is_over) return;
  lock(&waits.lock);
  struct thread *thread = waits.unused;
  if (thread) {
    waits.unused = thread->next;
  } else {
    if (waits.left == 0) {
      waits.fresh = hooks_map(threads_per_slab * sizeof *thread);
      if (!waits.fresh) {
        // What can't be kept is not followed.
        unlock(&waits.lock);
        return;
      }
      waits.left = threads_per_slab;
    }
    thread = waits.fresh++;
    waits.left--;
  }
  *thread = (struct thread){.id = (uint64_t)gettid(), .handle = pthread_self(), .file = -1, .next = waits.threads,
      .maker = maker};
  own = thread;
  if (waits.is_on) {
    thread->is_recorded = 1;
    account = own_account();
    thread->start = account.moment;
  }
  thread->first = thread->last = account;
  thread->end = account.moment;
  waits.threads = thread;
  unlock(&waits.lock);
  whatif_thread_begins(delays);
}

void waits_thread_ends(void) {
  struct thread *thread = own;
  if (!thread) return;
  // It may have been cancelled in a wait.
  if (thread->wait.cause != wait_none) waits_end(1);
  whatif_thread_ends();
  lock(&waits.lock);
  if (waits.is_on && thread->is_recorded) {
    thread->last = own_account();
    thread->end = thread->last.moment;
    hooks_read_name(thread->id, thread->name);
  }
  own = NULL;
  is_over = 1;
  thread->has_ended = 1;
  if (thread->file >= 0) hooks_close_surely(thread->file);
  thread->file = -1;
  if (!waits.was_on) {
    struct thread **link = &waits.threads;
    while (*link != thread) link = &(*link)->next;
    *link = thread->next;
    thread->next = waits.unused;
    waits.unused = thread;
  }
  unlock(&waits.lock);
}

/// The thread that has ended last of those that had a handle: a thread that was made since may have it again.
static struct thread *ended_thread(pthread_t handle) {
  lock(&waits.lock);
  struct thread *thread = waits.threads;
  while (thread && !(thread->has_ended && pthread_equal(thread->handle, handle))) thread = thread->next;
  unlock(&waits.lock);
  return thread;
}

// MARK: Waking

static struct slot *slot_of(const void *object) {
  return &waits.slots[((uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

int waits_for_io(void) { return atomic_load_explicit(&waits.waiting_for_io, memory_order_relaxed) != 0; }

void waits_wake(const void *object) {
  whatif_settle();
  int recorded = atomic_load_explicit(&hooks_recorded, memory_order_relaxed);
  int is_event = recorded & gauge_hooks_timeline_waits;
  if (recorded != gauge_hooks_record_waits && !is_event) return;
  struct slot *slot = slot_of(object);
  // A thread that begins to wait after this has its wait ended by the next one: mostly it doesn't even have to block.
  if (atomic_load_explicit(&slot->waiting, memory_order_relaxed) == 0) return;
  int error = errno;
  if (!own) waits_thread_begins(NULL, 0);
  if (is_event) {
    hooks_put_event(event_wakes, object, 0, 0);
  } else if (own) {
    struct hooks_place place;
    hooks_locate(&place);
    size_t stack = hooks_keep_stack(&place, own->id, 0);
    lock(&slot->lock);
    slot->object = object;
    slot->waker = own;
    slot->stack = stack;
    slot->time = nanoseconds(CLOCK_MONOTONIC);
    unlock(&slot->lock);
  }
  errno = error;
}

/// Finds who has ended a wait of a thread's.
static struct thread *waker_of(const struct wait *wait, size_t *stack, uint64_t *woken) {
  struct thread *waker = NULL;
  if (wait->joined) return wait->joined;
  if (!wait->object) return NULL;
  struct slot *slot = slot_of(wait->object);
  lock(&slot->lock);
  if (slot->object == wait->object && slot->time >= wait->start) {
    waker = slot->waker;
    *stack = slot->stack;
    *woken = slot->time;
  }
  unlock(&slot->lock);
  return waker;
}

// MARK: Waits

/// Adds a wait to the record; the thread's lock is held, or it is the thread's own.
static void keep(struct thread *thread, struct account now, int by_itself) {
  const struct wait *wait = &thread->wait;
  uint64_t used = now.running - wait->account.running + now.ready - wait->account.ready;
  uint64_t end = now.moment;
  uint64_t span = end - wait->start;
  uint64_t blocked = span > used ? span - used : 0;
  size_t waker_stack = 0;
  uint64_t woken = 0;
  struct thread *waker = by_itself ? NULL : waker_of(wait, &waker_stack, &woken);
  size_t stack = hooks_keep_stack(&wait->place, thread->id, wait->cause);
  hooks_weigh_stack(stack, 0, blocked);
  hooks_weigh_stack(waker_stack, 1, blocked);
  thread->blocked += blocked;
  // As long as it isn't known to have ended.
  thread->last = now;
  thread->end = end;
  size_t index = atomic_fetch_add_explicit(&waits.count, 1, memory_order_relaxed);
  if (index >= most_waits) return;
  waits.records[index] = (struct record){thread, wait->cause, wait->object, wait->start, end, blocked, stack, waker,
      waker_stack, woken ? woken : end};
}

int waits_begin(enum wait_cause cause, const void *object) {
  if (!atomic_load_explicit(&follows, memory_order_relaxed)) return 0;
  int error = errno;
  if (!own) waits_thread_begins(NULL, 0);
  // A wait within a wait is part of it.
  if (!own || own->wait.cause != wait_none) {
    errno = error;
    return 0;
  }
  struct hooks_place place;
  hooks_locate(&place);
  if (object) atomic_fetch_add_explicit(&slot_of(object)->waiting, 1, memory_order_relaxed);
  if (cause == wait_io) atomic_fetch_add_explicit(&waits.waiting_for_io, 1, memory_order_relaxed);
  lock(&own->lock);
  own->wait = (struct wait){.cause = cause, .object = object, .place = place};
  if (waits.is_on) {
    own->wait.account = own_account();
    own->wait.start = own->wait.account.moment;
  }
  unlock(&own->lock);
  if (is_on_timeline()) hooks_put_wait(event_begins_waiting, object, cause, 0, &place);
  whatif_begins_waiting(cause, object, &place);
  errno = error;
  return 1;
}

void waits_end(int by_itself) {
  if (own->wait.cause == wait_none) return;
  int error = errno;
  if (is_on_timeline()) {
    hooks_put_wait(event_ends_waiting, own->wait.object, own->wait.cause, by_itself != 0, &own->wait.place);
  }
  if (own->wait.cause == wait_join) own->wait.joined = ended_thread((pthread_t)own->wait.object);
  // Whoever ends the recording may be looking at the stack of this wait: it stays as it is until the lock is had.
  lock(&own->lock);
  if (waits.is_on && own->is_recorded) {
    struct account account = own_account();
    // A thread that had no new turn was never off its processor.
    if (account.turns != own->wait.account.turns || waits.unaccounted) keep(own, account, by_itself);
  }
  const void *object = own->wait.object;
  if (own->wait.cause == wait_io) atomic_fetch_sub_explicit(&waits.waiting_for_io, 1, memory_order_relaxed);
  own->wait.cause = wait_none;
  unlock(&own->lock);
  if (object) atomic_fetch_sub_explicit(&slot_of(object)->waiting, 1, memory_order_relaxed);
  whatif_ends_waiting(by_itself);
  errno = error;
}

// MARK: Starting and stopping

void hooks_begin_waits(void) {
  if (!waits.records) waits.records = hooks_map(most_waits * sizeof(struct record));
  if (!waits.records) return;
  if (!own) waits_thread_begins(NULL, 0);
  lock(&waits.lock);
  waits.was_on = 1;
  waits.start = nanoseconds(CLOCK_MONOTONIC);
  // First of all: a thread that isn't looked at below sees it where it begins its next wait.
  waits.is_on = 1;
  for (struct thread *thread = waits.threads; thread; thread = thread->next) {
    if (thread->has_ended) continue;
    lock(&thread->lock);
    thread->first = thread->last = account_of(thread);
    // A thread that began before this library may end unseen.
    thread->has_ended = thread->first.moment == 0;
    thread->is_recorded = !thread->has_ended;
    thread->start = thread->end = thread->first.moment;
    // Of a wait that lasts already what comes counts.
    thread->wait.start = thread->start;
    thread->wait.account = thread->first;
    unlock(&thread->lock);
  }
  unlock(&waits.lock);
}

size_t hooks_end_waits(void) {
  lock(&waits.lock);
  waits.is_on = 0;
  for (struct thread *thread = waits.threads; thread; thread = thread->next) {
    if (!thread->is_recorded || thread->has_ended) continue;
    lock(&thread->lock);
    struct account last = account_of(thread);
    if (last.moment) {
      hooks_read_name(thread->id, thread->name);
      // One that has begun since the end, which is being noted thread by thread, has no start.
      if (thread->wait.cause != wait_none && thread->wait.start) keep(thread, last, 1);
      thread->last = last;
      thread->end = last.moment;
    }
    unlock(&thread->lock);
  }
  waits.end = nanoseconds(CLOCK_MONOTONIC);
  unlock(&waits.lock);
  return atomic_load_explicit(&waits.count, memory_order_relaxed);
}

/// A child of the process follows nothing: the threads that have the locks may not be in it.
static void leave_child_alone(void) { atomic_store(&follows, 0); }

static __attribute__((constructor)) void follow_if_asked(void) {
  const char *asked = getenv("GAUGE_HOOKS_WAITS");
  if (!asked || strcmp(asked, "1") != 0 || pthread_atfork(NULL, NULL, leave_child_alone) != 0) return;
  hooks_find_code();
  waits_thread_begins(NULL, 0);
  atomic_store(&follows, own != NULL);
}

// MARK: The file

size_t hooks_cause_name(uint64_t cause, const char **name) {
  static const char *const names[wait_causes] = {
      "", "mutex", "condition", "rwlock", "semaphore", "futex", "sleep", "I/O", "join", "barrier", "process",
      "signal"};
  *name = cause < wait_causes ? names[cause] : "";
  return strlen(*name);
}

static size_t kept(void) {
  size_t count = atomic_load_explicit(&waits.count, memory_order_relaxed);
  return count < most_waits ? count : most_waits;
}

static size_t recorded_threads(void) {
  size_t count = 0;
  for (struct thread *thread = waits.threads; thread; thread = thread->next) {
    if (thread->is_recorded) thread->number = ++count;
  }
  return count;
}

size_t hooks_size_of_waits(void) {
  return 8 * (head_words + recorded_threads() * thread_words + kept() * wait_words);
}

void hooks_put_waits(struct hooks_output *output) {
  size_t count = kept();
  // WaitRecord+Words.swift describes the words.
  uint64_t head[head_words] = {waits.start, waits.end, (uint64_t)waits.unaccounted,
      atomic_load_explicit(&waits.count, memory_order_relaxed) - count, recorded_threads(), count};
  hooks_put(output, head, sizeof head);
  for (struct thread *thread = waits.threads; thread; thread = thread->next) {
    if (!thread->is_recorded) continue;
    uint64_t words[thread_words] = {thread->id, thread->start, thread->end,
        thread->last.running - thread->first.running, thread->last.ready - thread->first.ready, thread->blocked};
    memcpy(&words[6], thread->name, sizeof thread->name);
    words[8] = thread->maker ? thread->maker->number : 0;
    hooks_put(output, words, sizeof words);
  }
  for (size_t index = 0; index < count; index++) {
    const struct record *record = &waits.records[index];
    uint64_t words[wait_words] = {record->thread->number, record->cause, (uint64_t)record->object, record->start,
        record->end, record->blocked, hooks_stack_number(record->stack),
        record->waker ? record->waker->number : 0, hooks_stack_number(record->waker_stack), record->woken};
    hooks_put(output, words, sizeof words);
  }
}

#endif
