// Threads that start together: a spinning barrier, and a crew that begins once all of it is there.
#define _GNU_SOURCE
#include "Crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__) || defined(__i386__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

// Each on a cache line of its own: the flag is read in the measured loop, and must not suffer from who arrives.
struct probe_gate {
  _Alignas(128) _Atomic size_t arrived;
  _Alignas(128) _Atomic size_t generation;
  _Alignas(128) _Atomic int stopped;
  size_t parties;
};

struct probe_gate *probe_gate_create(size_t parties) {
  struct probe_gate *gate = aligned_alloc(_Alignof(struct probe_gate), sizeof *gate);
  if (!gate) abort();
  atomic_init(&gate->arrived, 0);
  atomic_init(&gate->generation, 0);
  atomic_init(&gate->stopped, 0);
  gate->parties = parties;
  return gate;
}

void probe_gate_destroy(struct probe_gate *gate) { free(gate); }

void probe_gate_pass(struct probe_gate *gate) {
  size_t generation = atomic_load_explicit(&gate->generation, memory_order_relaxed);
  // acq_rel: the last party has seen what all the others wrote, and hands it on with the generation below
  if (atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel) + 1 == gate->parties) {
    atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&gate->generation, generation + 1, memory_order_release);
    return;
  }
  // acquire: pairs with the store of the last party
  for (unsigned spins = 0; atomic_load_explicit(&gate->generation, memory_order_acquire) == generation; spins++) {
    if (spins < 2000) PAUSE();
    else sched_yield();
  }
}

void probe_gate_stop(struct probe_gate *gate) { atomic_store_explicit(&gate->stopped, 1, memory_order_relaxed); }
void probe_gate_resume(struct probe_gate *gate) { atomic_store_explicit(&gate->stopped, 0, memory_order_relaxed); }
int probe_gate_is_stopped(struct probe_gate *gate) {
  return atomic_load_explicit(&gate->stopped, memory_order_relaxed);
}

struct crew {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int state;  // 0: wait, 1: begin, -1: give up
  void (*member)(void *, size_t);
  void *context;
};

struct recruit {
  struct crew *crew;
  size_t number;
  pthread_t thread;
};

static void *serve(void *argument) {
  struct recruit *recruit = argument;
  struct crew *crew = recruit->crew;
  pthread_mutex_lock(&crew->mutex);
  while (crew->state == 0) pthread_cond_wait(&crew->condition, &crew->mutex);
  int begins = crew->state == 1;
  pthread_mutex_unlock(&crew->mutex);
  if (begins) crew->member(crew->context, recruit->number);
  return NULL;
}

int probe_run_crew(size_t count, void (*member)(void *, size_t), void (*lead)(void *), void *context) {
  struct crew crew = {.state = 0, .member = member, .context = context};
  struct recruit *recruits = calloc(count, sizeof *recruits);
  if (!recruits) return ENOMEM;
  pthread_mutex_init(&crew.mutex, NULL);
  pthread_cond_init(&crew.condition, NULL);
  int error = 0;
  size_t started = 0;
  for (; started < count && !error; started++) {
    recruits[started].crew = &crew;
    recruits[started].number = started;
    error = pthread_create(&recruits[started].thread, NULL, serve, &recruits[started]);
  }
  if (error) started--;
  pthread_mutex_lock(&crew.mutex);
  crew.state = error ? -1 : 1;
  pthread_cond_broadcast(&crew.condition);
  pthread_mutex_unlock(&crew.mutex);
  if (!error) lead(context);
  for (size_t number = 0; number < started; number++) pthread_join(recruits[number].thread, NULL);
  pthread_cond_destroy(&crew.condition);
  pthread_mutex_destroy(&crew.mutex);
  free(recruits);
  return error;
}

void probe_sleep_nanoseconds(unsigned long long nanoseconds) {
  struct timespec rest = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
}
