// A sandbox for tests in a child process: system calls that the kernel refuses from some moment on.
#ifndef WEIR_CSANDBOX_H
#define WEIR_CSANDBOX_H

/// Makes membarrier(2) fail with EPERM in all threads of this process, for good, as seccomp filters of sandboxes do.
/// Returns 0, or the error that says why that can't be done here.
int sandbox_forbid_membarrier(void);

/// Makes membarrier(2), munmap(2) and mprotect(2) fail likewise.
int sandbox_forbid_all_barriers(void);

/// Why the above can't be done here, as an error number; 0 if it can. Tried in a child process.
int sandbox_obstacle(void);

/// Whether this process has registered for private expedited barriers of membarrier(2): 1 or 0; -1 if the kernel can't
/// tell.
int sandbox_membarrier_is_registered(void);

/// Forks, and returns what the body returns in the child (as far as a byte holds it), or -1. The child does nothing
/// else.
int sandbox_in_fork(int (*body)(void));

#endif
