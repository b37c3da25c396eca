// What the attacks need of the system, for Linux; elsewhere what is missing says so.
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CAttacks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

extern char **environ;

int64_t attack_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void attack_sleep(int64_t nanoseconds) {
  struct timespec left = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

attack_doing *attack_state(void) {
  static __thread attack_doing doing = {0};
  return &doing;
}

void attack_alarm(unsigned seconds) { alarm(seconds); }

#if defined(__linux__)

static cpu_set_t allowed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void look(void) { sched_getaffinity(0, sizeof allowed, &allowed); }

void attack_pin(int processor) {
  pthread_once(&once, look);
  cpu_set_t chosen = allowed;
  if (processor >= 0) {
    int left = processor % attack_processors();
    for (int index = 0; index < CPU_SETSIZE; index++) {
      if (!CPU_ISSET(index, &allowed) || left-- > 0) continue;
      CPU_ZERO(&chosen);
      CPU_SET(index, &chosen);
      break;
    }
  }
  sched_setaffinity(0, sizeof chosen, &chosen);
}

int attack_processors(void) {
  pthread_once(&once, look);
  return CPU_COUNT(&allowed);
}

int attack_become_idle(void) {
  struct sched_param none = {0};
  return sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

int attack_become_urgent(void) {
  struct sched_param urgent = {.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO, &urgent) == 0;
}

int attack_forbid_membarrier(void) {
#if defined(SYS_membarrier) && defined(SYS_seccomp)
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
#else
  return 0;
#endif
}

#else

void attack_pin(int processor) { (void)processor; }
int attack_processors(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
int attack_become_idle(void) { return 0; }
int attack_become_urgent(void) { return 0; }
int attack_forbid_membarrier(void) { return 0; }

#endif

int64_t attack_resident(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  FILE *file = fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  fclose(file);
  return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

int attack_fork(void) { return fork(); }

void attack_end_thread(void) { pthread_exit(NULL); }

void attack_exit(int code) {
  fflush(NULL);
  _exit(code);
}

struct start {
  pthread_t thread;
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start *start = argument;
  start->body(start->context);
  return NULL;
}

void *attack_start(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) abort();
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  if (pthread_create(&start->thread, &attributes, run, start) != 0) abort();
  pthread_attr_destroy(&attributes);
  return start;
}

void attack_join(void *thread) {
  struct start *start = thread;
  pthread_join(start->thread, NULL);
  free(start);
}

int attack_spawn(const char *const *arguments, attack_child *child) {
  int output[2], errors[2];
  if (pipe(output) != 0) return 0;
  if (pipe(errors) != 0) return 0;
  for (int end = 0; end < 2; end++) {
    fcntl(output[end], F_SETFD, FD_CLOEXEC);
    fcntl(errors[end], F_SETFD, FD_CLOEXEC);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
  pid_t pid = 0;
  int failed = posix_spawn(&pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  close(errors[1]);
  *child = (attack_child){pid, output[0], errors[0]};
  return !failed;
}

int attack_read(int file, char *bytes, int capacity, int milliseconds) {
  struct pollfd wanted = {file, POLLIN, 0};
  if (poll(&wanted, 1, milliseconds) <= 0) return -1;
  ssize_t count = read(file, bytes, (size_t)capacity);
  return count < 0 ? 0 : (int)count;
}

int attack_reap(int pid, int kills) {
  int status = 0;
  if (kills) kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
