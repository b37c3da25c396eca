// Forking a child per request, with nothing but the stack: what the parent did before must not differ between children.
#define _GNU_SOURCE
#include "Zygote.h"

#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CProbes.h"

/// Reads up to a line feed. Returns the length, or -1 where there is no line, or one that is too long.
static long read_line(int descriptor, char *line, size_t capacity) {
  size_t length = 0;
  char next;
  while (read(descriptor, &next, 1) == 1) {
    if (next == '\n') return (long)length;
    if (length == capacity) return -1;
    line[length++] = next;
  }
  return -1;
}

static void tell(int report, const char *text, int length) {
  if (length > 0) probe_write_all(report, text, (size_t)length);
}

long probe_fork_per_line(int requests, int report, char *line, size_t capacity) {
  char text[96];
  long length;
  while ((length = read_line(requests, line, capacity)) >= 0) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
      tell(report, text, snprintf(text, sizeof text, "launched\t%d\n", getpid()));
      return length;
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    tell(report, text, snprintf(text, sizeof text, "ended\t%d\t%d\n", child, status));
  }
  return -1;
}
