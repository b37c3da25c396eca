// The functions of the C library that may block, interposed: where waits are followed each asks first whether it would
// block, tells of the wait, and is forwarded. Elsewhere each is forwarded at once.
// Long file: a function for each of the C library that may block.
#define _GNU_SOURCE
#include "Waits.h"
#include "Whatif.h"

#if GAUGE_HOOKS_ACTIVE && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The next function of a name, as a program that is linked today calls it.
static __attribute__((noinline, cold)) void *find(const char *name) {
  void *symbol = NULL;
#if defined(__x86_64__)
  // Condition variables have an older form, which dlsym may find first.
  if (__builtin_strncmp(name, "pthread_cond_", 13) == 0) symbol = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
  if (!symbol) symbol = dlsym(RTLD_NEXT, name);
  if (!symbol) abort();
  return symbol;
}

/// The next function of a name. Whoever comes second finds the same.
#define NEXT(name)                                                                                    \
  ({                                                                                                  \
    static void *known;                                                                               \
    void *symbol = __atomic_load_n(&known, __ATOMIC_RELAXED);                                         \
    if (!symbol) __atomic_store_n(&known, symbol = find(#name), __ATOMIC_RELAXED);                    \
    (__typeof__(&name))symbol;                                                                        \
  })

/// Evaluates a call that may block, which `result` stands for in the condition that its wait was ended by nobody.
#define WAIT(cause, object, call, by_itself)                 \
  ({                                                         \
    int is_followed = waits_begin(cause, object);            \
    __typeof__(call) result = (call);                        \
    if (is_followed) waits_end(by_itself);                   \
    result;                                                  \
  })

#define FOLLOWS __builtin_expect(hooks_follows_waits(), 0)

// MARK: Threads

struct beginning {
  void *(*routine)(void *);
  void *argument;
  struct thread *maker;
  uint64_t delays;
};

static void end_thread(void *ignored) {
  (void)ignored;
  waits_thread_ends();
}

/// The outermost function of a thread that is followed; the reader of stacks knows its name.
static __attribute__((noinline)) void *hooks_run_thread(void *argument) {
  struct beginning beginning = *(struct beginning *)argument;
  hooks_free_unseen(argument);
  void *result;
  waits_thread_begins(beginning.maker, beginning.delays);
  pthread_cleanup_push(end_thread, NULL);
  result = beginning.routine(beginning.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  struct beginning *beginning = FOLLOWS ? hooks_allocate_unseen(sizeof *beginning) : NULL;
  if (!beginning) return NEXT(pthread_create)(thread, attributes, routine, argument);
  *beginning = (struct beginning){routine, argument, waits_own_thread(), whatif_settle()};
  int error = NEXT(pthread_create)(thread, attributes, hooks_run_thread, beginning);
  if (error) hooks_free_unseen(beginning);
  return error;
}

int pthread_join(pthread_t thread, void **value) {
  if (!FOLLOWS) return NEXT(pthread_join)(thread, value);
  return WAIT(wait_join, (const void *)thread, NEXT(pthread_join)(thread, value), 0);
}

/// The join with a limit, whose wait is ended by nobody if that is reached.
int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_timedjoin_np)(thread, value, until);
  return WAIT(
      wait_join, (const void *)thread, NEXT(pthread_timedjoin_np)(thread, value, until), result == ETIMEDOUT);
}

// MARK: Locks

/// Takes a semaphore that can be had without a wait, and leaves `errno` as it is. It is no place where a thread may be
/// cancelled, as the calls that may wait are.
static int takes(sem_t *semaphore) {
  int error = errno;
  int is_taken = NEXT(sem_trywait)(semaphore) == 0;
  errno = error;
  return is_taken;
}

/// Where the C library has them, calls whose limit is of a clock of one's choice.
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 31)
int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_clockjoin_np)(thread, value, clock, until);
  return WAIT(
      wait_join, (const void *)thread, NEXT(pthread_clockjoin_np)(thread, value, clock, until), result == ETIMEDOUT);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_mutex_clocklock)(mutex, clock, until);
  return WAIT(wait_mutex, mutex, NEXT(pthread_mutex_clocklock)(mutex, clock, until), result == ETIMEDOUT);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_clockrdlock)(lock, clock, until);
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_clockrdlock)(lock, clock, until), result == ETIMEDOUT);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_clockwrlock)(lock, clock, until);
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_clockwrlock)(lock, clock, until), result == ETIMEDOUT);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(sem_clockwait)(semaphore, clock, until);
  if (takes(semaphore)) return 0;
  return WAIT(wait_semaphore, semaphore, NEXT(sem_clockwait)(semaphore, clock, until), result != 0);
}
#endif

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!FOLLOWS) return NEXT(pthread_mutex_lock)(mutex);
  int error = NEXT(pthread_mutex_trylock)(mutex);
  if (error != EBUSY) return error;
  return WAIT(wait_mutex, mutex, NEXT(pthread_mutex_lock)(mutex), 0);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_mutex_timedlock)(mutex, until);
  return WAIT(wait_mutex, mutex, NEXT(pthread_mutex_timedlock)(mutex, until), result == ETIMEDOUT);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (FOLLOWS) waits_wake(mutex);
  return NEXT(pthread_mutex_unlock)(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_rdlock)(lock);
  int error = NEXT(pthread_rwlock_tryrdlock)(lock);
  if (error != EBUSY) return error;
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_rdlock)(lock), 0);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_wrlock)(lock);
  int error = NEXT(pthread_rwlock_trywrlock)(lock);
  if (error != EBUSY) return error;
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_wrlock)(lock), 0);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_timedrdlock)(lock, until);
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_timedrdlock)(lock, until), result == ETIMEDOUT);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_rwlock_timedwrlock)(lock, until);
  return WAIT(wait_rwlock, lock, NEXT(pthread_rwlock_timedwrlock)(lock, until), result == ETIMEDOUT);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (FOLLOWS) waits_wake(lock);
  return NEXT(pthread_rwlock_unlock)(lock);
}

// MARK: Conditions and semaphores

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (!FOLLOWS) return NEXT(pthread_cond_wait)(condition, mutex);
  // It lets go of the mutex, which somebody may be waiting for.
  waits_wake(mutex);
  return WAIT(wait_condition, condition, NEXT(pthread_cond_wait)(condition, mutex), 0);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_cond_timedwait)(condition, mutex, until);
  waits_wake(mutex);
  return WAIT(
      wait_condition, condition, NEXT(pthread_cond_timedwait)(condition, mutex, until), result == ETIMEDOUT);
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(pthread_cond_clockwait)(condition, mutex, clock, until);
  waits_wake(mutex);
  return WAIT(
      wait_condition, condition, NEXT(pthread_cond_clockwait)(condition, mutex, clock, until), result == ETIMEDOUT);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  if (FOLLOWS) waits_wake(condition);
  return NEXT(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (FOLLOWS) waits_wake(condition);
  return NEXT(pthread_cond_broadcast)(condition);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  if (!FOLLOWS) return NEXT(pthread_barrier_wait)(barrier);
  // The last to arrive ends the waits of the others.
  waits_wake(barrier);
  return WAIT(wait_barrier, barrier, NEXT(pthread_barrier_wait)(barrier), 0);
}

int sem_wait(sem_t *semaphore) {
  if (!FOLLOWS) return NEXT(sem_wait)(semaphore);
  pthread_testcancel();
  if (takes(semaphore)) return 0;
  return WAIT(wait_semaphore, semaphore, NEXT(sem_wait)(semaphore), result != 0);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  if (!FOLLOWS) return NEXT(sem_timedwait)(semaphore, until);
  pthread_testcancel();
  if (takes(semaphore)) return 0;
  return WAIT(wait_semaphore, semaphore, NEXT(sem_timedwait)(semaphore, until), result != 0);
}

int sem_post(sem_t *semaphore) {
  if (FOLLOWS) waits_wake(semaphore);
  return NEXT(sem_post)(semaphore);
}

// MARK: Futexes

/// A system call whose arguments are those of a futex operation.
static long futex(const long *words) {
  long (*next)(long, ...) = NEXT(syscall);
  const void *object = (const void *)words[0];
  switch (words[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case 13:  // FUTEX_LOCK_PI2, which older headers don't name
      return WAIT(wait_futex, object,
          next(SYS_futex, words[0], words[1], words[2], words[3], words[4], words[5]), result != 0);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_WAKE_OP:
    case FUTEX_UNLOCK_PI: waits_wake(object); break;
    default: break;
  }
  return next(SYS_futex, words[0], words[1], words[2], words[3], words[4], words[5]);
}

long syscall(long number, ...) {
  // As many as a system call can have; what the caller did not give is not looked at.
  long words[6];
  va_list arguments;
  va_start(arguments, number);
  for (int index = 0; index < 6; index++) words[index] = va_arg(arguments, long);
  va_end(arguments);
  if (FOLLOWS && number == SYS_futex) return futex(words);
  return NEXT(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// MARK: Sleep

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!FOLLOWS) return NEXT(nanosleep)(time, left);
  return WAIT(wait_sleep, NULL, NEXT(nanosleep)(time, left), 1);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (!FOLLOWS) return NEXT(clock_nanosleep)(clock, flags, time, left);
  return WAIT(wait_sleep, NULL, NEXT(clock_nanosleep)(clock, flags, time, left), 1);
}

int usleep(useconds_t time) {
  if (!FOLLOWS) return NEXT(usleep)(time);
  return WAIT(wait_sleep, NULL, NEXT(usleep)(time), 1);
}

unsigned sleep(unsigned time) {
  if (!FOLLOWS) return NEXT(sleep)(time);
  return WAIT(wait_sleep, NULL, NEXT(sleep)(time), 1);
}

// MARK: Signals

/// A handler that jumps out of the call that its thread waits in ends that wait. It may do so while the thread looks up
/// a function, so these are known before.
#define ON_JUMP(name)                                                                              \
  static void (*next_##name)(struct __jmp_buf_tag *, int) __attribute__((noreturn));               \
  static __attribute__((constructor)) void find_##name(void) { next_##name = find(#name); }        \
  __attribute__((noreturn)) void name(struct __jmp_buf_tag *place, int value) {                    \
    if (FOLLOWS && waits_own_thread()) waits_end(1);                                               \
    next_##name(place, value);                                                                     \
  }

ON_JUMP(longjmp)
ON_JUMP(_longjmp)
ON_JUMP(siglongjmp)
__attribute__((noreturn)) void __longjmp_chk(struct __jmp_buf_tag *, int);
ON_JUMP(__longjmp_chk)

int pause(void) {
  if (!FOLLOWS) return NEXT(pause)();
  return WAIT(wait_signal, NULL, NEXT(pause)(), 1);
}

int sigwait(const sigset_t *signals, int *signal) {
  if (!FOLLOWS) return NEXT(sigwait)(signals, signal);
  return WAIT(wait_signal, NULL, NEXT(sigwait)(signals, signal), 1);
}

int sigwaitinfo(const sigset_t *signals, siginfo_t *information) {
  if (!FOLLOWS) return NEXT(sigwaitinfo)(signals, information);
  return WAIT(wait_signal, NULL, NEXT(sigwaitinfo)(signals, information), 1);
}

int sigtimedwait(const sigset_t *signals, siginfo_t *information, const struct timespec *time) {
  if (!FOLLOWS) return NEXT(sigtimedwait)(signals, information, time);
  return WAIT(wait_signal, NULL, NEXT(sigtimedwait)(signals, information, time), 1);
}

int sigsuspend(const sigset_t *signals) {
  if (!FOLLOWS) return NEXT(sigsuspend)(signals);
  return WAIT(wait_signal, NULL, NEXT(sigsuspend)(signals), 1);
}

// MARK: Input and output

/// Whether a call for a file would go on at once.
static int is_ready(int file, short events) {
  int error = errno;
  struct pollfd asked = {file, events, 0};
  int count = NEXT(poll)(&asked, 1, 0);
  errno = error;
  // What is wrong with the file the call itself says.
  return count != 0;
}

/// What the two ends of a pipe have in common, and no object in memory; NULL for what is no pipe.
static const void *pipe_of(int file) {
  int error = errno;
  struct stat about;
  const void *pipe =
      fstat(file, &about) == 0 && S_ISFIFO(about.st_mode) ? (const void *)(uintptr_t)(about.st_ino << 1 | 1) : NULL;
  errno = error;
  return pipe;
}

/// Tells those who wait at the other end of a pipe, before a call that moves bytes: behind it they may be back already.
static void wake_other_end(int file) {
  const void *pipe = waits_for_io() ? pipe_of(file) : NULL;
  if (pipe) waits_wake(pipe);
}

/// The bytes of several pieces of memory.
static size_t size_of(const struct iovec *pieces, size_t count) {
  size_t size = 0;
  for (size_t index = 0; index < count; index++) size += pieces[index].iov_len;
  return size;
}

/// A call on a file that blocks until it is ready, and, where it moves many bytes, while the other end makes room for
/// the rest: what is ready has room for `PIPE_BUF` at least.
#define ON_FILE(type, name, parameters, arguments, file, events, size)                       \
  type name parameters {                                                                     \
    if (!FOLLOWS) return NEXT(name) arguments;                                               \
    wake_other_end(file);                                                                    \
    if (is_ready(file, events) && (size) <= PIPE_BUF) return NEXT(name) arguments;           \
    return WAIT(wait_io, pipe_of(file), NEXT(name) arguments, result < 0);                   \
  }

/// What a call that receives needs to go on is there once the file is ready, unless it waits for all of it.
#define ALL(flags, size) ((flags) & MSG_WAITALL ? (size) : 0)

ON_FILE(ssize_t, read, (int file, void *to, size_t size), (file, to, size), file, POLLIN, 0)
ON_FILE(ssize_t, readv, (int file, const struct iovec *to, int count), (file, to, count), file, POLLIN, 0)
ON_FILE(ssize_t, write, (int file, const void *from, size_t size), (file, from, size), file, POLLOUT, size)
ON_FILE(ssize_t, writev, (int file, const struct iovec *from, int count), (file, from, count), file, POLLOUT,
    size_of(from, (size_t)count))
ON_FILE(ssize_t, recv, (int file, void *to, size_t size, int flags), (file, to, size, flags), file, POLLIN,
    ALL(flags, size))
ON_FILE(ssize_t, send, (int file, const void *from, size_t size, int flags), (file, from, size, flags), file, POLLOUT,
    size)
ON_FILE(ssize_t, recvmsg, (int file, struct msghdr *to, int flags), (file, to, flags), file, POLLIN,
    ALL(flags, size_of(to->msg_iov, to->msg_iovlen)))
ON_FILE(ssize_t, sendmsg, (int file, const struct msghdr *from, int flags), (file, from, flags), file, POLLOUT,
    size_of(from->msg_iov, from->msg_iovlen))
ON_FILE(ssize_t, recvfrom,
    (int file, void *to, size_t size, int flags, struct sockaddr *sender, socklen_t *length),
    (file, to, size, flags, sender, length), file, POLLIN, ALL(flags, size))
ON_FILE(ssize_t, sendto,
    (int file, const void *from, size_t size, int flags, const struct sockaddr *receiver, socklen_t length),
    (file, from, size, flags, receiver, length), file, POLLOUT, size)
ON_FILE(int, accept, (int file, struct sockaddr *sender, socklen_t *length), (file, sender, length), file, POLLIN, 0)
ON_FILE(int, accept4, (int file, struct sockaddr *sender, socklen_t *length, int flags), (file, sender, length, flags),
    file, POLLIN, 0)

int connect(int file, const struct sockaddr *receiver, socklen_t length) {
  if (!FOLLOWS) return NEXT(connect)(file, receiver, length);
  return WAIT(wait_io, NULL, NEXT(connect)(file, receiver, length), 1);
}

int flock(int file, int operation) {
  if (!FOLLOWS) return NEXT(flock)(file, operation);
  return WAIT(wait_io, NULL, NEXT(flock)(file, operation), 1);
}

/// A part of a file that is locked; all else that `fcntl` does goes on at once.
#define ON_RECORD_LOCK(name)                                                      \
  int name(int file, int command, ...) {                                          \
    va_list arguments;                                                            \
    va_start(arguments, command);                                                 \
    void *argument = va_arg(arguments, void *);                                   \
    va_end(arguments);                                                            \
    if (!FOLLOWS || (command != F_SETLKW && command != F_OFD_SETLKW))             \
      return NEXT(name)(file, command, argument);                                 \
    return WAIT(wait_io, NULL, NEXT(name)(file, command, argument), 1);           \
  }

ON_RECORD_LOCK(fcntl)
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 28)
ON_RECORD_LOCK(fcntl64)
#endif

int poll(struct pollfd *files, nfds_t count, int timeout) {
  if (!FOLLOWS || timeout == 0) return NEXT(poll)(files, count, timeout);
  int ready = NEXT(poll)(files, count, 0);
  if (ready != 0) return ready;
  // Without files it is a sleep.
  return WAIT(count == 0 ? wait_sleep : wait_io, count == 1 ? pipe_of(files[0].fd) : NULL,
      NEXT(poll)(files, count, timeout), result <= 0);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  if (!FOLLOWS) return NEXT(ppoll)(files, count, timeout, signals);
  return WAIT(count == 0 ? wait_sleep : wait_io, NULL, NEXT(ppoll)(files, count, timeout, signals), 1);
}

int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout) {
  if (!FOLLOWS) return NEXT(select)(count, in, out, other, timeout);
  return WAIT(count == 0 ? wait_sleep : wait_io, NULL, NEXT(select)(count, in, out, other, timeout), 1);
}

int epoll_wait(int file, struct epoll_event *events, int most, int timeout) {
  if (!FOLLOWS || timeout == 0) return NEXT(epoll_wait)(file, events, most, timeout);
  int ready = NEXT(epoll_wait)(file, events, most, 0);
  if (ready != 0) return ready;
  return WAIT(wait_io, NULL, NEXT(epoll_wait)(file, events, most, timeout), 1);
}

int epoll_pwait(int file, struct epoll_event *events, int most, int timeout, const sigset_t *signals) {
  if (!FOLLOWS) return NEXT(epoll_pwait)(file, events, most, timeout, signals);
  return WAIT(wait_io, NULL, NEXT(epoll_pwait)(file, events, most, timeout, signals), 1);
}

int fsync(int file) {
  if (!FOLLOWS) return NEXT(fsync)(file);
  return WAIT(wait_io, NULL, NEXT(fsync)(file), 1);
}

int fdatasync(int file) {
  if (!FOLLOWS) return NEXT(fdatasync)(file);
  return WAIT(wait_io, NULL, NEXT(fdatasync)(file), 1);
}

/// Until the child has begun its program, or ended, whoever makes it waits.
#define ON_CHILD(name)                                                                                              \
  int name(pid_t *child, const char *path, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *about, \
      char *const arguments[], char *const environment[]) {                                                         \
    if (!FOLLOWS) return NEXT(name)(child, path, files, about, arguments, environment);                             \
    return WAIT(wait_process, NULL, NEXT(name)(child, path, files, about, arguments, environment), 1);              \
  }

ON_CHILD(posix_spawn)
ON_CHILD(posix_spawnp)

pid_t wait(int *status) {
  if (!FOLLOWS) return NEXT(wait)(status);
  return WAIT(wait_process, NULL, NEXT(wait)(status), 1);
}

int waitid(idtype_t kind, id_t child, siginfo_t *information, int options) {
  if (!FOLLOWS) return NEXT(waitid)(kind, child, information, options);
  return WAIT(wait_process, NULL, NEXT(waitid)(kind, child, information, options), 1);
}

pid_t waitpid(pid_t child, int *status, int options) {
  if (!FOLLOWS) return NEXT(waitpid)(child, status, options);
  return WAIT(wait_process, NULL, NEXT(waitpid)(child, status, options), 1);
}

#endif
