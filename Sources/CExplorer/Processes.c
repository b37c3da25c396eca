// Child processes of the explorer: a schedule that breaks a program may crash it, and must not take the explorer along.
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CExplorer.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint8_t *explorer_shared_memory(size_t size) {
  void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? 0 : memory;
}

void explorer_shared_memory_free(uint8_t *memory, size_t size) { munmap(memory, size); }

int explorer_fork(unsigned seconds, int *standard_error) {
  char path[] = "/tmp/explore.XXXXXX";
  *standard_error = mkstemp(path);
  if (*standard_error < 0) return -1;
  unlink(path);
  fflush(0);
  int child = fork();
  if (child != 0) return child;
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGALRM, SIGPROF};
  for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) signal(signals[index], SIG_DFL);
  // The thread that has called may be one of a pool, which block most.
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, 0);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  explorer_note_full_stacks();
  dup2(*standard_error, 2);
  struct itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, 0);
  // Who blocks takes no processor time.
  alarm(20 * seconds);
  return 0;
}

double explorer_processor_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static volatile uint64_t steps;
static unsigned most_blocked, most_computing;

void explorer_note_step(void) { steps = steps + 1; }

static double most_seconds = INFINITY;
static volatile int time_is_over;

void explorer_limit_time(double seconds) { most_seconds = explorer_processor_seconds() + seconds; }

int explorer_time_is_over(void) { return time_is_over; }

static void end_stuck(int number, const char *text, size_t length) {
  signal(number, SIG_DFL);
  if (write(2, text, length) >= 0) kill(getpid(), number);
}

// How often the process has gone to sleep.
static long count_sleeps(void) {
  struct rusage used;
  return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_nvcsw : 0;
}

// Comes every second. Who is ready to run but kept from it by others is not taken for blocked: it runs for a while
// behind each of these looks, and does not go to sleep by itself. Who sleeps for short times, over and over, is.
static void look(int number) {
  (void)number;
  static uint64_t seen;
  static double begun, last;
  static long sleeps;
  static unsigned blocked;
  static const char waiting[] =
      "\nfatal error: a run does not end: it waits outside of the machine, as for a semaphore, a task or a lock of "
      "another library\n";
  static const char computing[] =
      "\nfatal error: a run does not end: it computes without a step, as in a loop that waits for a plain field\n";
  int error = errno;
  double now = explorer_processor_seconds();
  long last_sleeps = sleeps;
  sleeps = count_sleeps();
  if (now >= most_seconds) time_is_over = 1;
  if (steps != seen) {
    seen = steps;
    begun = last = now;
    blocked = 0;
  } else {
    int waits = now - last < 1e-3 || (now - last < 0.5 && sleeps - last_sleeps >= 10);
    blocked = waits ? blocked + 1 : 0;
    last = now;
    if (blocked >= most_blocked) end_stuck(SIGALRM, waiting, sizeof waiting - 1);
    if (now - begun >= most_computing) end_stuck(SIGPROF, computing, sizeof computing - 1);
  }
  errno = error;
}

void explorer_watch(unsigned blocked, unsigned computing) {
  most_blocked = blocked;
  most_computing = computing;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = look;
  action.sa_flags = (int)(SA_RESTART | SA_ONSTACK);
  steps = steps + 1;
  sigaction(SIGALRM, &action, 0);
  struct itimerval second = {{1, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &second, 0);
}

extern _Bool _swift_disableExclusivityChecking __attribute__((weak));

void explorer_ignore_accesses(void) {
  if (&_swift_disableExclusivityChecking) _swift_disableExclusivityChecking = 1;
}

void explorer_exit(int code) { _exit(code); }

int explorer_wait(int child, int *code) {
  int status = 0;
  int ended;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  *code = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
}

size_t explorer_read_back(int file, char *text, size_t size) {
  off_t end = lseek(file, 0, SEEK_END);
  ssize_t count = pread(file, text, size, end > (off_t)size ? end - (off_t)size : 0);
  close(file);
  return count < 0 ? 0 : (size_t)count;
}

const char *explorer_signal_name(int number) { return strsignal(number); }

int explorer_signal_is_alarm(int number) { return number == SIGALRM || number == SIGPROF; }

int explorer_signal_is_wait(int number) { return number == SIGALRM; }

void explorer_print(const char *text) {
  fputs(text, stdout);
  fflush(stdout);
}

double explorer_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
