// Counting the system calls of this process: a child traces it with ptrace and keeps the count in shared memory.
//
// The count grows before a call begins, so that the process, which only reads it, finds all of its own calls counted.
// Needs no privileges, but that nobody else traces the process.
#define _GNU_SOURCE
#include "CProbes.h"

#include <errno.h>

#if defined(__linux__)

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

struct tally {
  _Atomic uint64_t calls;
  /// 0: not yet; 1: every thread is traced; negative: the error number.
  _Atomic int state;
};

static struct tally *tally;

/// Attaches to every thread of a process that does not change meanwhile but by this process's own doing.
static int attach(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) return errno;
  int error = 0;
  struct dirent *entry;
  while (!error && (entry = readdir(tasks))) {
    if (entry->d_name[0] == '.') continue;
    pid_t thread = atoi(entry->d_name);
    if (ptrace(PTRACE_SEIZE, thread, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE) != 0) error = errno;
    else if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0) error = errno;
  }
  closedir(tasks);
  return error;
}

/// Says why the tracer ends before the process does, and ends it: the process goes on without.
static _Noreturn void fail(int error) {
  atomic_store_explicit(&tally->state, -error, memory_order_release);
  _exit(1);
}

static void count_entry(pid_t thread) {
  struct ptrace_syscall_info information;
  long size = ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information);
  // A thread may have been killed; a kernel before 5.3 does not tell entries from exits.
  if (size < 0 && errno != ESRCH) fail(errno);
  if (size <= 0 || information.op != PTRACE_SYSCALL_INFO_ENTRY) return;
  atomic_fetch_add_explicit(&tally->calls, 1, memory_order_relaxed);
}

static _Noreturn void trace(pid_t process) {
  // What the launch has open is its own: its reader waits for the end of the report.
  for (int descriptor = 0; descriptor < 256; descriptor++) close(descriptor);
  signal(SIGINT, SIG_IGN);
  int error = attach(process);
  if (error) fail(error);
  int stopped = 0;
  for (;;) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR) continue;
    // No thread is left.
    if (thread < 0) _exit(0);
    if (!WIFSTOPPED(status)) continue;
    int kind = WSTOPSIG(status);
    int event = status >> 16;
    long handed = 0;
    if (kind == (SIGTRAP | 0x80)) count_entry(thread);
    else if (event == 0) handed = kind;
    if (ptrace(PTRACE_SYSCALL, thread, NULL, handed) != 0 && errno != ESRCH) fail(errno);
    // The first stop of the first thread: it makes no call that is not seen from here on.
    if (!stopped && event == PTRACE_EVENT_STOP) {
      stopped = 1;
      atomic_store_explicit(&tally->state, 1, memory_order_release);
    }
  }
}

int probe_trace_system_calls(void) {
  tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tally == MAP_FAILED) return errno;
#if defined(PR_SET_PTRACER)
  // Where a process may trace its own children only (Yama), it may allow others.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
  pid_t process = getpid();
  pid_t tracer = fork();
  if (tracer < 0) return errno;
  if (tracer == 0) trace(process);
  int state;
  while ((state = atomic_load_explicit(&tally->state, memory_order_acquire)) == 0) {
    // A tracer that has died leaves the state as it is.
    if (waitpid(tracer, NULL, WNOHANG) == tracer) {
      state = atomic_load_explicit(&tally->state, memory_order_acquire);
      return state < 0 ? -state : ECHILD;
    }
    usleep(100);
  }
  return state < 0 ? -state : 0;
}

uint64_t probe_system_calls(void) { return atomic_load_explicit(&tally->calls, memory_order_relaxed); }

int probe_tracing_error(void) {
  // Pairs with the release of the tracer that stores why it ends.
  int state = atomic_load_explicit(&tally->state, memory_order_acquire);
  if (state < 0) return -state;
  char text[4096];
  size_t count;
  int error = probe_read_beginning("/proc/self/status", text, sizeof text - 1, &count);
  if (error) return error;
  text[count] = 0;
  // Of a tracer that was killed the system forgets this before the process goes on.
  return strstr(text, "\nTracerPid:\t0\n") ? ECHILD : 0;
}

#else

int probe_trace_system_calls(void) { return ENOSYS; }
uint64_t probe_system_calls(void) { return 0; }
int probe_tracing_error(void) { return ENOSYS; }

#endif
