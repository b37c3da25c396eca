// Everything that happens within an operation, in order: allocations, reference counting and waits, each with its
// moment, its thread and its stack. A mark stands before the operation and behind it.
#define _GNU_SOURCE
#include "GaugeHooks.h"
#include "Internal.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  /// Events that are kept; of those beyond, only how many they are is.
  most_events = 1 << 18,
  /// Marks, two of each operation, have room of their own: of how many operations there may be,
  /// LaunchRequest.swift tells.
  most_marks = 2 * 1000,
  most_entries = most_events + most_marks,
  most_threads = 1024,
  head_words = 4,
  thread_words = 3,
  event_words = 8,
};

struct event {
  uint64_t time;
  uint64_t thread;
  enum hooks_event kind;
  uint64_t address;
  uint64_t size;
  uint64_t type;
  size_t stack;
};

static struct {
  struct event *events;
  /// Events and marks that there was room for.
  _Atomic size_t count;
  /// Events that have happened.
  _Atomic size_t happened;
} timeline;

/// Of the thread that calls; 0 until it is asked for.
static __thread uint64_t own_id __attribute__((tls_model("initial-exec")));

__thread const void *hooks_object_type __attribute__((tls_model("initial-exec")));
__thread int hooks_reallocates __attribute__((tls_model("initial-exec")));

int hooks_prepare_timeline(void) {
  timeline.events = hooks_map(most_entries * sizeof(struct event));
  if (!timeline.events) return ENOMEM;
#if defined(MADV_POPULATE_WRITE)
  // So that the first events touch no page for the first time; where the kernel can't do it they do.
  madvise(timeline.events, 1 << 20, MADV_POPULATE_WRITE);
#endif
  // What is asked for once in a thread takes longer than an event.
  struct hooks_place place;
  hooks_locate(&place);
  return 0;
}

/// Adds an event. Its place in the order is taken last: what comes before a call is told before it, and what comes
/// behind it behind it, so that no block's end stands behind the beginning of the next one at its address.
static void put(struct event event, const struct hooks_place *place) {
  int error = errno;
  int is_mark = event.kind == event_begins_operation || event.kind == event_ends_operation;
  // Only the number counts, as below.
  if (!is_mark && atomic_fetch_add_explicit(&timeline.happened, 1, memory_order_relaxed) >= most_events) return;
  if (!own_id) own_id = (uint64_t)syscall(SYS_gettid);
  event.thread = own_id;
  if (place) event.stack = hooks_keep_stack(place, own_id, event.type);
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  event.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  // Only the number counts: who reads the events has waited for the threads that made them.
  size_t index = atomic_fetch_add_explicit(&timeline.count, 1, memory_order_relaxed);
  if (timeline.events && index < most_entries) timeline.events[index] = event;
  errno = error;
}

void hooks_mark(enum hooks_event kind) { put((struct event){.kind = kind}, NULL); }

size_t hooks_count_events(void) { return atomic_load_explicit(&timeline.count, memory_order_relaxed); }

__attribute__((noinline)) void hooks_put_event(
    enum hooks_event kind, const void *address, uint64_t size, uint64_t type) {
  struct hooks_place place;
  hooks_locate(&place);
  put((struct event){.kind = kind, .address = (uint64_t)address, .size = size, .type = type}, &place);
}

void hooks_put_wait(
    enum hooks_event kind, const void *object, uint64_t cause, int by_itself, const struct hooks_place *place) {
  put((struct event){.kind = kind, .address = (uint64_t)object, .size = (uint64_t)by_itself, .type = cause}, place);
}

// MARK: The file

static size_t kept(void) {
  size_t count = atomic_load_explicit(&timeline.count, memory_order_relaxed);
  return count < most_entries ? count : most_entries;
}

/// The threads that the events are of, each once; of very many only the first.
static size_t list_threads(uint64_t *threads) {
  size_t count = 0;
  for (size_t index = 0; index < kept() && count < most_threads; index++) {
    size_t known = count;
    while (known > 0 && threads[known - 1] != timeline.events[index].thread) known--;
    if (known == 0) threads[count++] = timeline.events[index].thread;
  }
  return count;
}

size_t hooks_size_of_timeline(void) {
  static uint64_t threads[most_threads];
  return 8 * (head_words + list_threads(threads) * thread_words + kept() * event_words);
}

static void put_thread(struct hooks_output *output, uint64_t id) {
  uint64_t words[thread_words] = {id, 0, 0};
  // One that has ended has no name any more.
  hooks_read_name(id, (char *)&words[1]);
  hooks_put(output, words, sizeof words);
}

void hooks_put_timeline(struct hooks_output *output) {
  static uint64_t threads[most_threads];
  size_t count = kept(), thread_count = list_threads(threads);
  size_t happened = atomic_load_explicit(&timeline.happened, memory_order_relaxed);
  // TimelineRecord+Words.swift describes the words.
  uint64_t head[head_words] = {happened > most_events ? happened - most_events : 0, thread_count, count, 0};
  hooks_put(output, head, sizeof head);
  for (size_t index = 0; index < thread_count; index++) put_thread(output, threads[index]);
  for (size_t index = 0; index < count; index++) {
    const struct event *event = &timeline.events[index];
    uint64_t words[event_words] = {event->time, event->thread, event->kind, event->address, event->size, event->type,
        hooks_stack_number(event->stack), 0};
    hooks_put(output, words, sizeof words);
  }
}

#elif GAUGE_HOOKS_ACTIVE

// Nothing is recorded on this kind of processor.
__thread const void *hooks_object_type;
__thread int hooks_reallocates;

#endif
