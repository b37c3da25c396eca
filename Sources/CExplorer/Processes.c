// Child processes of the explorer: a schedule that breaks a program may crash it, and must not take the explorer along.
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CExplorer.h"

#include <errno.h>
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
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(*standard_error, 2);
  struct itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, 0);
  // Who blocks takes no processor time.
  alarm(20 * seconds);
  return 0;
}

void explorer_limit_wait(unsigned seconds) { alarm(seconds); }

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
  ssize_t count = pread(file, text, size, 0);
  close(file);
  return count < 0 ? 0 : (size_t)count;
}

const char *explorer_signal_name(int number) { return strsignal(number); }

int explorer_signal_is_alarm(int number) { return number == SIGALRM || number == SIGPROF; }

void explorer_print(const char *text) {
  fputs(text, stdout);
  fflush(stdout);
}

double explorer_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
