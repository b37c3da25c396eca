// seccomp filters, written out as the programs that the kernel runs for each system call.
#include "CSandbox.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static int install(struct sock_filter *filter, unsigned short length) {
  struct sock_fprog program = {length, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  // For all threads, which prctl(PR_SET_SECCOMP) doesn't do. A positive result is a thread that can't follow.
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result < 0 ? errno : result > 0 ? EBUSY : 0;
}

#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
// Leads to the refusal, `further` instructions on from the next.
#define REFUSE(call, further) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, further, 0)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int sandbox_forbid_membarrier(void) {
  struct sock_filter filter[] = {NUMBER, REFUSE(SYS_membarrier, 1), ALLOW, REFUSED};
  return install(filter, sizeof filter / sizeof *filter);
}

int sandbox_forbid_all_barriers(void) {
  struct sock_filter filter[] = {
      NUMBER, REFUSE(SYS_membarrier, 3), REFUSE(SYS_munmap, 2), REFUSE(SYS_mprotect, 1), ALLOW, REFUSED,
  };
  return install(filter, sizeof filter / sizeof *filter);
}

int sandbox_obstacle(void) { return sandbox_in_fork(sandbox_forbid_membarrier); }

// MEMBARRIER_CMD_GET_REGISTRATIONS, of Linux 6.3.
enum { get_registrations = 1 << 9, registered_private_expedited = 1 << 4 };

int sandbox_membarrier_is_registered(void) {
  long registered = syscall(SYS_membarrier, get_registrations, 0, 0);
  return registered < 0 ? -1 : (registered & registered_private_expedited) != 0;
}

#else

int sandbox_forbid_membarrier(void) { return ENOSYS; }

int sandbox_forbid_all_barriers(void) { return ENOSYS; }

int sandbox_obstacle(void) { return ENOSYS; }

int sandbox_membarrier_is_registered(void) { return -1; }

#endif

int sandbox_in_fork(int (*body)(void)) {
  pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
