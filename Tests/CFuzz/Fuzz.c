// Counts places in the code by the compiler's own calls (-sanitize-coverage=edge,trace-pc-guard), and watches what
// reads files.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CFuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_ASAN 1
#endif
#endif

enum { most_places = 1 << 20, ticks_per_second = 20 };

static const uint8_t *volatile current;
static volatile long current_count;
static volatile unsigned long current_number;
static const char *volatile found_path;
static volatile long most_ticks = ticks_per_second;

// --- Places in the code

static uint32_t places;
static uint8_t hits[most_places];
// By place, which of eight frequencies there have been.
static uint8_t seen[most_places];
static uint32_t touched[most_places];
static uint32_t touched_count;
static long seen_places;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (start == stop || *start) return;
  for (uint32_t *place = start; place < stop; place++) *place = places + 1 < most_places ? ++places : 0;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  const uint32_t place = *guard;
  if (!current || !place) return;
  if (hits[place] == 0) touched[touched_count++] = place;
  if (hits[place] < 255) hits[place]++;
}

static uint8_t frequency(uint8_t count) {
  if (count < 4) return (uint8_t)(1 << (count - 1));
  if (count < 8) return 8;
  if (count < 16) return 16;
  if (count < 32) return 32;
  return count < 128 ? 64 : 128;
}

void fuzz_begin(const uint8_t *bytes, long count) {
  current_count = count;
  current_number++;
  current = bytes;
}

long fuzz_end(void) {
  current = NULL;
  long fresh = 0;
  for (uint32_t index = 0; index < touched_count; index++) {
    const uint32_t place = touched[index];
    const uint8_t bit = frequency(hits[place]);
    if (!(seen[place] & bit)) {
      if (!seen[place]) seen_places++;
      seen[place] |= bit;
      fresh++;
    }
    hits[place] = 0;
  }
  touched_count = 0;
  return fresh;
}

long fuzz_places(void) { return seen_places; }

// --- The watch

static void say(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
}

static void write_down(const char *why) {
  const uint8_t *bytes = current;
  const char *path = found_path;
  if (!bytes || !path) return;
  current = NULL;
  const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  long done = 0;
  while (file >= 0 && done < current_count) {
    const ssize_t piece = write(file, bytes + done, (size_t)(current_count - done));
    if (piece <= 0) break;
    done += piece;
  }
  say("fuzz: ");
  say(why);
  say(file >= 0 ? "; the file is " : "; the file could not be written: ");
  say(path);
  say("\n");
}

void fuzz_give_up(const char *why) {
  write_down(why);
  _exit(1);
}

static void on_signal(int number) {
  switch (number) {
    case SIGILL: case SIGTRAP: fuzz_give_up("it trapped");
    case SIGABRT: fuzz_give_up("it was given up");
    case SIGFPE: fuzz_give_up("it divided by zero");
    default: fuzz_give_up("it reached for memory that is not there, or called too deep");
  }
}

static void on_tick(int number) {
  (void)number;
  static volatile unsigned long last;
  static volatile long ticks;
  if (!current || current_number != last) {
    last = current_number;
    ticks = 0;
  } else if (++ticks > most_ticks) {
    fuzz_give_up("it took too long");
  }
}

#if FUZZ_ASAN
void __sanitizer_set_death_callback(void (*callback)(void));
static void on_report(void) { write_down("the sanitizer ended it"); }

const char *__asan_default_options(void) {
  return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:"
         "quarantine_size_mb=8:hard_rss_limit_mb=3072:max_allocation_size_mb=1024:detect_stack_use_after_return=0";
}
#endif

void fuzz_watch(const char *path, double seconds) {
  static int is_set;
  found_path = path;
  most_ticks = (long)(seconds * ticks_per_second);
  if (is_set) return;
  is_set = 1;
#if FUZZ_ASAN
  __sanitizer_set_death_callback(on_report);
#else
  // Memory without bounds ends it by a trap, and not this machine.
  const struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
  static uint8_t stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = on_signal;
  const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
  for (unsigned index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  action.sa_handler = on_tick;
  sigaction(SIGPROF, &action, NULL);
  // CPU time: what else the machine does is nobody's fault.
  const struct itimerval tick = {{0, 1000000 / ticks_per_second}, {0, 1000000 / ticks_per_second}};
  setitimer(ITIMER_PROF, &tick, NULL);
}

void fuzz_rest(void) { current = NULL; }

long fuzz_peak(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

double fuzz_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
