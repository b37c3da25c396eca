// What those who ask for a recording say and are told: paths, the environment, the standard error for a signal that
// nobody waits for, and that there is no recorder for other systems.
#define _GNU_SOURCE
#include "CRecorder.h"

#include <stdlib.h>

#include "Internal.h"

#if defined(__linux__)
#include <sys/auxv.h>
#endif

const char *recorder_environment(const char *name) {
#if defined(__linux__)
  // Who has started a program with more rights than their own must not have it write files.
  if (getauxval(AT_SECURE)) return NULL;
#endif
  return getenv(name);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int recorder_absolute_path(const char *path, char *to, size_t room) {
  size_t length = 0;
  if (path[0] != '/') {
    if (!getcwd(to, room)) return errno == ERANGE ? ENAMETOOLONG : errno;
    length = strlen(to);
    if (length + 1 < room && to[length - 1] != '/') to[length++] = '/';
  }
  if (length + strlen(path) >= room) return ENAMETOOLONG;
  strcpy(to + length, path);
  return 0;
}

/// What an error is called: the C library's own words may be translated, for which it allocates.
static const char *name_of(int error) {
  switch (error) {
  case EACCES: return "permission denied";
  case EDQUOT: return "the quota is used up";
  case EEXIST: return "a file of each name is there";
  case EMFILE: return "too many open files";
  case ENAMETOOLONG: return "the path is too long";
  case ENOENT: return "no such folder";
  case ENOMEM: return "no memory";
  case ENOSPC: return "no space is left";
  case ENOTDIR: return "no folder";
  case EROFS: return "the file system can't be written";
  case recorder_is_no_file: return "no regular file";
  default: return NULL;
  }
}

void recorder_tell_failure(const char *what, const char *path, int error) {
  char text[1300], number[32];
  const char *name = name_of(error);
  snprintf(number, sizeof number, "error %d", error);
  int size = snprintf(text, sizeof text, "GaugeRecorder: %s: %s: %s\n", what, path, name ? name : number);
  struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
  // The recorder's thread waits for nobody.
  if (size <= 0 || poll(&file, 1, 0) != 1 || !(file.revents & POLLOUT)) return;
  ssize_t written = write(STDERR_FILENO, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
  (void)written;
}

#else

#include <string.h>

static void refuse(struct recorder_answer *answer) {
  memset(answer, 0, sizeof *answer);
  answer->status = recorder_unsupported;
}

void recorder_start(
    const char *path, const struct recorder_configuration *configuration, struct recorder_answer *answer) {
  (void)path, (void)configuration;
  refuse(answer);
}
void recorder_stop(struct recorder_answer *answer) { refuse(answer); }
void recorder_dump(const char *path, struct recorder_answer *answer) {
  (void)path;
  refuse(answer);
}
void recorder_arm(
    int signal, const char *folder, const struct recorder_configuration *configuration,
    struct recorder_answer *answer) {
  (void)signal, (void)folder, (void)configuration;
  refuse(answer);
}
void recorder_disarm(struct recorder_answer *answer) { refuse(answer); }
int recorder_records(void) { return 0; }

#endif
