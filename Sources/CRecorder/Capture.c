// Samples of CPU time: each thread has a timer of its own CPU time, whose signal it gets when it has used some. Only a
// thread that runs gets one, so that none that waits is interrupted. The handler copies registers and the end of the
// stack into one of a few places that were mapped before; the recorder's thread writes them from there.
#define _GNU_SOURCE
#include "Internal.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Sampling.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/// What a handler leaves.
struct slot {
  _Atomic int is_full;
  uint64_t time;
  uint64_t thread;
  uint64_t periods;
  uint64_t registers[probe_registers];
  uintptr_t base;
  size_t words;
  size_t chain_words;
  uint64_t chains[probe_most_chain_words];
  uint64_t stack[stack_words];
};

static struct {
  struct slot *slots;
  /// A bit for each slot that is taken.
  _Atomic uint64_t taken[capture_slots / 64];
  _Atomic int active;
  _Atomic int inside;
  _Atomic uint64_t periods;
  _Atomic uint64_t lost;
  _Atomic uint64_t unreadable;
  _Atomic uint64_t handling;
  uint64_t period;
  uint64_t start;
  uint64_t handler_lost;
  struct sigaction former;
} capture;

// MARK: In the handler

static struct slot *take_slot(void) {
  for (size_t part = 0; part < capture_slots / 64; part++) {
    uint64_t taken = atomic_load_explicit(&capture.taken[part], memory_order_relaxed);
    while (~taken) {
      int bit = __builtin_ctzll(~taken);
      // acquire: pairs with the release in recorder_capture_drain, which has read what was there
      if (atomic_compare_exchange_weak_explicit(
              &capture.taken[part], &taken, taken | UINT64_C(1) << bit, memory_order_acquire, memory_order_relaxed))
        return capture.slots + part * 64 + (size_t)bit;
    }
  }
  return NULL;
}

static void take(const void *context, uint64_t periods) {
  struct slot *slot = take_slot();
  if (!slot) {
    atomic_fetch_add_explicit(&capture.lost, periods, memory_order_relaxed);
    return;
  }
  slot->time = recorder_now() - capture.start;
  slot->thread = (uint64_t)syscall(SYS_gettid);
  slot->periods = periods;
  probe_copy_registers(slot->registers, context);
  slot->base = (slot->registers[probe_stack_register] - probe_below_stack) & ~(uintptr_t)7;
  slot->words = probe_copy_memory(slot->stack, slot->base, most_stack) / 8;
  if (slot->words == 0) atomic_fetch_add_explicit(&capture.unreadable, 1, memory_order_relaxed);
  const uint64_t *end =
      probe_follow_contexts(slot->chains, slot->stack, slot->base, slot->words, slot->registers[probe_frame_register]);
  slot->chain_words = (size_t)(end - slot->chains);
  atomic_fetch_add_explicit(&capture.periods, periods, memory_order_relaxed);
  // release: pairs with the acquire in recorder_capture_drain, which reads the slot
  atomic_store_explicit(&slot->is_full, 1, memory_order_release);
}

static void handle(int number, siginfo_t *information, void *context) {
  (void)number;
  int error = errno;
  // sequentially consistent, as is the store in recorder_capture_stop: either that one sees this thread inside, or this
  // one is not active
  atomic_fetch_add(&capture.inside, 1);
  if (atomic_load(&capture.active) && information->si_code == SI_TIMER) {
    uint64_t begin = recorder_now();
    take(context, 1 + (information->si_overrun > 0 ? (uint64_t)information->si_overrun : 0));
    atomic_fetch_add_explicit(&capture.handling, recorder_now() - begin, memory_order_relaxed);
  }
  atomic_fetch_sub(&capture.inside, 1);
  errno = error;
}

// MARK: The recorder's thread

int recorder_capture_start(uint32_t samples, int *error) {
  capture.period = samples ? 1000000000 / samples : 0;
  atomic_store(&capture.periods, 0);
  atomic_store(&capture.lost, 0);
  atomic_store(&capture.unreadable, 0);
  atomic_store(&capture.handling, 0);
  capture.handler_lost = 0;
  if (!samples) return recorder_done;
  if (!capture.slots) {
    void *memory = mmap(
        NULL, sizeof(struct slot) * capture_slots, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      *error = errno;
      return recorder_refused;
    }
    capture.slots = memory;
  }
  // Whose handler it is goes on with it.
  sigaction(SIGPROF, NULL, &capture.former);
  int is_own = (capture.former.sa_flags & SA_SIGINFO) && capture.former.sa_sigaction == handle;
  if (is_own) capture.former = (struct sigaction){.sa_handler = SIG_DFL};
  else if ((capture.former.sa_flags & SA_SIGINFO) ||
           (capture.former.sa_handler != SIG_DFL && capture.former.sa_handler != SIG_IGN)) {
    *error = SIGPROF;
    return recorder_signal_taken;
  }
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  action.sa_sigaction = handle;
  sigfillset(&action.sa_mask);
  sigaction(SIGPROF, &action, NULL);
  capture.start = recorder_now() - recorder_output_moment();
  atomic_store(&capture.active, 1);
  return recorder_done;
}

/// Whether a signal has this handler now.
static int has_handler(void) {
  struct sigaction now;
  return sigaction(SIGPROF, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle;
}

int recorder_capture_has_handler(void) {
  if (!atomic_load(&capture.active) || has_handler()) return 1;
  if (!capture.handler_lost) capture.handler_lost = recorder_output_moment();
  return 0;
}

uint64_t recorder_capture_handler_lost(void) { return capture.handler_lost; }

void recorder_capture_stop(void) {
  if (!atomic_exchange(&capture.active, 0)) return;
  const struct timespec moment = {0, 100000};
  // A handler calls nobody and waits for nobody.
  while (atomic_load(&capture.inside)) nanosleep(&moment, NULL);
  // Whoever has taken it meanwhile goes on with it.
  if (!has_handler()) return;
  // A signal that is on its way is thrown away by this, in every thread; else it would end the process.
  struct sigaction none = {.sa_handler = SIG_IGN};
  sigaction(SIGPROF, &none, NULL);
  sigaction(SIGPROF, &capture.former, NULL);
}

// By the kernel's own calls: what the C library keeps of a timer it may allocate.

int recorder_capture_begin(pid_t thread, int *timer) {
  struct sigevent notice = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  notice.sigev_notify_thread_id = thread;
  // The clock of a thread's CPU time, as the kernel numbers it: the complement of the thread, then 4 for a thread's and
  // 2 for the scheduler's own count.
  clockid_t clock = (clockid_t)((~(unsigned)thread) << 3 | 6);
  if (syscall(SYS_timer_create, clock, &notice, timer) != 0) return errno;
  struct timespec period = {(time_t)(capture.period / 1000000000), (long)(capture.period % 1000000000)};
  struct itimerspec times = {period, period};
  if (syscall(SYS_timer_settime, *timer, 0, &times, NULL) != 0) {
    int error = errno;
    recorder_capture_end(*timer);
    return error;
  }
  return 0;
}

void recorder_capture_end(int timer) { syscall(SYS_timer_delete, timer); }

void recorder_capture_drain(void) {
  for (size_t part = 0; capture.slots && part < capture_slots / 64; part++) {
    uint64_t taken = atomic_load_explicit(&capture.taken[part], memory_order_relaxed);
    for (; taken; taken &= taken - 1) {
      int bit = __builtin_ctzll(taken);
      struct slot *slot = capture.slots + part * 64 + (size_t)bit;
      // acquire: pairs with the release in take
      if (!atomic_load_explicit(&slot->is_full, memory_order_acquire)) continue;
      // Code that was loaded since.
      recorder_output_want_code(slot->registers[probe_registers - 1]);
      recorder_output_begin(record_sample, slot->time);
      recorder_output_put(slot->thread);
      recorder_output_put(slot->periods);
      recorder_output_put_words(slot->registers, probe_registers);
      recorder_output_put_stack(slot->base, slot->stack, slot->words);
      recorder_output_put_words(slot->chains, slot->chain_words);
      recorder_output_end();
      atomic_store_explicit(&slot->is_full, 0, memory_order_relaxed);
      // release: pairs with the acquire in take_slot
      atomic_fetch_and_explicit(&capture.taken[part], ~(UINT64_C(1) << bit), memory_order_release);
    }
  }
}

void recorder_capture_forget(void) {
  // Of handlers that the parent's threads were in.
  for (size_t part = 0; part < capture_slots / 64; part++) atomic_store(&capture.taken[part], 0);
  for (size_t slot = 0; capture.slots && slot < capture_slots; slot++) atomic_store(&capture.slots[slot].is_full, 0);
  atomic_store(&capture.inside, 0);
  atomic_store(&capture.active, 0);
}

struct capture_counts recorder_capture_counts(void) {
  return (struct capture_counts){
      atomic_load(&capture.periods), atomic_load(&capture.lost), atomic_load(&capture.unreadable),
      atomic_load(&capture.handling)};
}

#endif
