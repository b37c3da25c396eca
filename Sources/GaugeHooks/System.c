// What the recorders ask of the system: memory that is no allocation, files, the names of threads.
#define _GNU_SOURCE
#include "Internal.h"

#if GAUGE_HOOKS_ACTIVE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *hooks_map(size_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int hooks_open_surely(const char *path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

ssize_t hooks_read_surely(int file, void *to, size_t size) { return syscall(SYS_pread64, file, to, size, 0L); }

void hooks_close_surely(int file) { syscall(SYS_close, file); }

int hooks_open_about_thread(uint64_t id, const char *file) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%llu/%s", (unsigned long long)id, file);
  return hooks_open_surely(path);
}

void hooks_read_name(uint64_t id, char name[16]) {
  int file = hooks_open_about_thread(id, "comm");
  ssize_t count = hooks_read_surely(file, name, 16);
  if (count > 0) name[count - 1] = 0;
  hooks_close_surely(file);
}

void hooks_put(struct hooks_output *output, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0 && !output->error) {
    ssize_t written = write(output->file, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      output->error = errno;
    } else {
      next += written;
      count -= (size_t)written;
    }
  }
}

#endif
