// Sockets of this machine, as files: nobody else can open or replace them, and they go with the process.
#define _GNU_SOURCE
#include "LocalSockets.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

const int machine_error_again = EAGAIN, machine_error_exists = EEXIST, machine_error_in_use = EADDRINUSE,
          machine_error_missing = ENOENT, machine_error_refused = EACCES;

long machine_user(void) { return (long)geteuid(); }

long machine_process(void) { return (long)getpid(); }

int machine_flaw_of_folder(const char *path) {
  struct stat folder;
  if (stat(path, &folder)) return errno == ENOENT ? machine_folder_is_missing : -errno;
  if (!S_ISDIR(folder.st_mode)) return machine_folder_is_none;
  if (folder.st_uid != 0 && folder.st_uid != geteuid()) return machine_folder_is_foreign;
  // In a folder with this mark, as the one for temporary files, each user's files are its own to remove.
  int is_open = (folder.st_mode & (S_IWGRP | S_IWOTH)) && !(folder.st_mode & S_ISVTX);
  return is_open ? machine_folder_is_open : machine_folder_is_safe;
}

int machine_make_own_folder(const char *path) {
  if (mkdir(path, 0700) && errno != EEXIST) return -errno;
  struct stat folder;
  if (lstat(path, &folder)) return -errno;
  if (!S_ISDIR(folder.st_mode)) return machine_folder_is_none;
  if (folder.st_uid != geteuid()) return machine_folder_is_foreign;
  return folder.st_mode & (S_IWGRP | S_IWOTH) ? machine_folder_is_open : machine_folder_is_safe;
}

size_t machine_longest_socket_path(void) { return sizeof ((struct sockaddr_un *)0)->sun_path - 1; }

#if !defined(__linux__)
static int prepare(int descriptor) {
  if (descriptor < 0) return -errno;
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) || fcntl(descriptor, F_SETFL, O_NONBLOCK)) {
    int failure = -errno;
    close(descriptor);
    return failure;
  }
#if defined(SO_NOSIGPIPE)
  int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return descriptor;
}
#endif

static int make_socket(void) {
#if defined(__linux__)
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return made < 0 ? -errno : made;
#else
  return prepare(socket(AF_UNIX, SOCK_STREAM, 0));
#endif
}

/// Whether somebody accepts connections at an address.
static int is_answered(const struct sockaddr_un *address) {
  int trial = make_socket();
  if (trial < 0) return 1;
  // One whose line of waiting programs is full is answered at, too: that says EAGAIN.
  int is = connect(trial, (const struct sockaddr *)address, sizeof *address) == 0 || errno != ECONNREFUSED;
  close(trial);
  return is;
}

int machine_listen(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) > machine_longest_socket_path()) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  struct stat former;
  if (lstat(path, &former) == 0) {
    if (!S_ISSOCK(former.st_mode)) return -EEXIST;
    if (is_answered(&address)) return -EADDRINUSE;
    if (unlink(path) && errno != ENOENT) return -errno;
  }
  int listener = make_socket();
  if (listener < 0) return listener;
  // Linux gives the file the mode of the socket. Elsewhere the folder keeps others out, and who connects is looked at.
  fchmod(listener, 0600);
  if (bind(listener, (const struct sockaddr *)&address, sizeof address) || listen(listener, 16)) {
    int failure = -errno;
    close(listener);
    return failure;
  }
  chmod(path, 0600);
  return listener;
}

int machine_accept(int listener) {
#if defined(__linux__)
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return connection < 0 ? -errno : connection;
#else
  return prepare(accept(listener, NULL, NULL));
#endif
}

long machine_peer_user(int connection) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? -errno : (long)peer.uid;
#else
  uid_t user;
  gid_t group;
  return getpeereid(connection, &user, &group) ? -errno : (long)user;
#endif
}

long machine_receive(int connection, void *bytes, size_t size) {
  ssize_t count;
  do count = recv(connection, bytes, size, 0);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (long)count;
}

long machine_send(int connection, const void *bytes, size_t size) {
#if defined(MSG_NOSIGNAL)
  int flags = MSG_NOSIGNAL;
#else
  int flags = 0;
#endif
  ssize_t count;
  do count = send(connection, bytes, size, flags);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (long)count;
}

int machine_make_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) ? -errno : 0;
#else
  if (pipe(ends)) return -errno;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

void machine_wake(int end) {
  // A pipe that is full wakes its reader already; one without a reader needs no waking.
  if (write(end, "", 1) < 0) return;
}

void machine_close_descriptor(int descriptor) { close(descriptor); }

void machine_await(machine_awaited *list, size_t count, int milliseconds) {
  enum { most = 64 };
  struct pollfd awaited[most];
  if (count > most) count = most;
  for (size_t i = 0; i < count; i++) {
    awaited[i] = (struct pollfd){.fd = list[i].descriptor, .events = list[i].writing ? POLLOUT : POLLIN};
  }
  int found = poll(awaited, (nfds_t)count, milliseconds);
  for (size_t i = 0; i < count; i++) list[i].ready = found > 0 && awaited[i].revents != 0;
}

// Files that are removed when the process ends.

struct noted_file {
  struct noted_file *next;
  pid_t process;
  char path[];
};

static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;
static struct noted_file *noted = NULL;

static void remove_all_noted(void) {
  // Another thread that is at the list now has the process end without this.
  if (pthread_mutex_trylock(&noting)) return;
  for (struct noted_file *file = noted; file; file = file->next) {
    // A child by fork has the list of its parent, whose files these are.
    if (file->process == getpid()) unlink(file->path);
  }
  pthread_mutex_unlock(&noting);
}

int machine_remove_at_end(const char *path) {
  static int is_registered = 0;
  struct noted_file *file = malloc(sizeof *file + strlen(path) + 1);
  if (!file) return 0;
  file->process = getpid();
  strcpy(file->path, path);
  pthread_mutex_lock(&noting);
  file->next = noted;
  noted = file;
  if (!is_registered) is_registered = atexit(remove_all_noted) == 0;
  pthread_mutex_unlock(&noting);
  return 1;
}

void machine_remove_noted(const char *path) {
  pthread_mutex_lock(&noting);
  for (struct noted_file **place = &noted; *place; place = &(*place)->next) {
    struct noted_file *file = *place;
    if (strcmp(file->path, path)) continue;
    if (file->process == getpid()) unlink(path);
    *place = file->next;
    free(file);
    break;
  }
  pthread_mutex_unlock(&noting);
}
