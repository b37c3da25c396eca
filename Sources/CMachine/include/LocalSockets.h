// Sockets of this machine, as files, and whose program is at the other end of them.
#ifndef WEIR_LOCAL_SOCKETS_H
#define WEIR_LOCAL_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

// Functions that return `int` or `long` return a negative number of the system's, -errno, where they fail.

/// Numbers of the system's errors.
extern const int machine_error_again, machine_error_exists, machine_error_in_use, machine_error_missing,
    machine_error_refused;

/// The number of the user that the process acts for.
long machine_user(void);
/// The number of the process.
long machine_process(void);

/// What is the matter with a folder.
enum machine_folder_flaw {
  machine_folder_is_safe = 0,
  machine_folder_is_missing,
  machine_folder_is_none,
  machine_folder_is_foreign,
  machine_folder_is_open,
};

/// What is the matter with a folder of the user or the system: others may not put files in the place of those in it, as
/// they may not write, or not take away what isn't theirs. A link is followed.
int machine_flaw_of_folder(const char *path);
/// Makes a folder for the user alone where there is nothing, and says what is the matter with it: it may be no link,
/// not another user's, and not open to others.
int machine_make_own_folder(const char *path);

/// How many bytes a path may have.
size_t machine_longest_socket_path(void);
/// A descriptor of a socket that waits for connections at a path, which the user alone may open. One that nobody
/// answers at is taken away first; anything else that is there stays (-EEXIST), as does one that is answered at
/// (-EADDRINUSE).
int machine_listen(const char *path);
/// A new connection, which doesn't wait.
int machine_accept(int listener);
/// The user whose program is at the other end.
long machine_peer_user(int connection);

/// Up to `size` bytes that have come; 0 at the end, -EAGAIN where there is nothing yet.
long machine_receive(int connection, void *bytes, size_t size);
/// How many of the bytes were taken, without a signal where nobody reads any more.
long machine_send(int connection, const void *bytes, size_t size);

/// A pipe that neither end waits on: what is read from, and what is written to.
int machine_make_pipe(int ends[2]);
/// Writes a byte to a pipe.
void machine_wake(int end);
void machine_close_descriptor(int descriptor);

/// One descriptor that is waited for.
typedef struct {
  int descriptor;
  /// Whether it is waited for until it can be written to, rather than read.
  int writing;
  /// Set by the wait: whether it can be now, or is broken.
  int ready;
} machine_awaited;
/// Waits until one of them can be read or written to. A negative time is for ever.
void machine_await(machine_awaited *list, size_t count, int milliseconds);

/// Has a file removed when this process ends, unless a signal ends it. Returns 0 if there is no room to note it.
int machine_remove_at_end(const char *path);
/// Removes it now, if this process noted it.
void machine_remove_noted(const char *path);

#endif
