// The waits that the preloaded library follows, in a program of C whose threads are certain to block: whoever ends a
// wait looks first whether the other thread sleeps.

import Foundation
import Testing

@testable import Gauge

#if os(Linux)
  /// What compiles the program.
  private let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/opt/swift/usr/bin/clang"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Suite(.enabled(if: !Products.areSanitized && compiler != nil)) struct WaitHooksTests {
    /// A wait of the file.
    private struct Wait {
      var thread: UInt64
      var cause: UInt64
      var blocked: UInt64
      var waker: UInt64
      var wakerStack: UInt64
      var times: ClosedRange<UInt64>
    }

    /// Runs a program.
    ///
    /// - Parameter text: What it does between the begin of the recording and its end.
    /// - Returns: What it prints, the names of the causes, the threads' words, and the waits.
    private func recorded(_ text: String) throws -> (
      said: [String], causes: [UInt64: String], threads: [[UInt64]], waits: [Wait]
    ) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gauge-" + UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (source, program) = (folder.appendingPathComponent("a.c").path, folder.appendingPathComponent("a").path)
      let file = folder.appendingPathComponent("waits")
      try [Self.start, text, Self.end].joined(separator: "\n").write(toFile: source, atomically: true, encoding: .utf8)
      let complaints = try Products.output(
        of: try #require(compiler), ["-O0", "-o", program, source, "-ldl", "-lpthread"])
      #expect(complaints.isEmpty, "\(complaints)")
      let said = try Products.output(
        of: "/usr/bin/env", ["LD_PRELOAD=" + Products.hooks, "GAUGE_HOOKS_WAITS=1", program, file.path])
      let data = try Data(contentsOf: file)
      let words = stride(from: 0, to: data.count - data.count % 8, by: 8).map { offset in
        data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      #expect(words[3] == 5)
      let types = 16 + Int(words[12] + 7) / 8
      let names = String(decoding: data[types * 8..<types * 8 + Int(words[13])], as: UTF8.self)
      var causes: [UInt64: String] = [:]
      for line in names.split(separator: "\n") {
        let fields = line.split(separator: "\t")
        causes[UInt64(fields[0], radix: 16) ?? 0] = String(fields[1])
      }
      let head = types + Int(words[13] + 7) / 8
      let threads = (0..<Int(words[head + 4])).map { Array(words[head + 6 + $0 * 9..<head + 15 + $0 * 9]) }
      let first = head + 6 + threads.count * 9
      let recording = words[head]...words[head + 1]
      let waits = (0..<Int(words[head + 5])).map { number in
        let wait = Array(words[first + number * 10..<first + number * 10 + 10])
        return Wait(
          thread: wait[0], cause: wait[1], blocked: wait[5], waker: wait[7], wakerStack: wait[8],
          times: wait[3]...max(wait[3], wait[4]))
      }
      #expect(words[15] == UInt64(8 * (6 + 9 * threads.count + 10 * waits.count)))
      #expect(waits.allSatisfy { recording.contains($0.times.lowerBound) && recording.contains($0.times.upperBound) })
      return (said.split(separator: "\n").map(String.init), causes, threads, waits)
    }

    @Test func everyWaitHasItsCauseAndWhoEndedIt() throws {
      let (said, causes, threads, waits) = try recorded(Self.everyWait)
      #expect(said == ["as it was", "recorded"])
      func found(_ cause: String) -> [Wait] { waits.filter { causes[$0.cause] == cause } }
      // The thread that waits, and the one that ends the waits.
      let waiter = try #require(found("mutex").first)
      for cause in ["mutex", "rwlock", "condition", "semaphore", "barrier", "futex", "I/O"] {
        let own = found(cause).filter { $0.thread == waiter.thread }
        try #require(own.count == 1, "\(cause): \(own)")
        #expect(own[0].waker == waiter.waker, "\(cause)")
        #expect(own[0].wakerStack > 0 && own[0].blocked > 0, "\(cause)")
      }
      // That one sleeps between looking, and waits for the end of the other.
      let join = try #require(found("join").first)
      #expect(join.thread == waiter.waker && join.waker == waiter.thread)
      let sleeps = found("sleep").filter { $0.thread == waiter.thread }
      #expect(sleeps.map(\.waker) == [0, 0, 0])
      #expect(sleeps.allSatisfy { $0.blocked > 0 }, "\(sleeps)")
      // Each has its maker.
      try #require(threads.count == 2)
      #expect(threads[Int(waiter.thread) - 1][8] == waiter.waker)
      #expect(threads[Int(waiter.waker) - 1][8] == 0)
    }

    @Test func theWaitsOfAThreadAddUpToWhatIsToldOfIt() throws {
      let (_, _, threads, waits) = try recorded(Self.everyWait)
      for (index, words) in threads.enumerated() {
        let own = waits.filter { $0.thread == UInt64(index + 1) }.map(\.blocked)
        let sum = own.reduce(0, +)
        #expect(words[5] == sum)
        #expect(words[1] < words[2] && words[3] > 0)
      }
    }

    @Test func whatBlocksInTheMiddleOrWithALimitIsAWait() throws {
      let (said, causes, _, waits) = try recorded(Self.oddWaits)
      #expect(said == ["recorded"])
      func found(_ cause: String) -> [Wait] { waits.filter { causes[$0.cause] == cause } }
      let waiter = try #require(found("mutex").first)
      // More bytes than a pipe takes, several pieces of memory, and a file that is locked.
      let files = found("I/O").filter { $0.thread == waiter.thread && $0.blocked > 0 }
      #expect(files.map(\.waker) == [waiter.waker, waiter.waker, 0], "\(files)")
      // A limit by a clock of one's choice.
      #expect(waiter.waker > 0 && waiter.blocked > 0)
      let semaphores = found("semaphore").filter { $0.thread == waiter.thread }
      #expect(semaphores.map(\.waker) == [waiter.waker, 0], "\(semaphores)")
      let joins = found("join")
      #expect(joins.count == 1 && joins.first?.waker == waiter.thread, "\(joins)")
    }

    @Test func aThreadMayBeCancelledAtAnyTime() throws {
      let (said, causes, threads, waits) = try recorded(Self.cancelledWaits)
      #expect(said == ["recorded"])
      // One that sleeps has slept until then. Those that were cancelled at once are there, too.
      #expect(waits.contains { causes[$0.cause] == "condition" && $0.waker == 0 && $0.blocked > 0 }, "\(waits)")
      #expect(threads.count == 202)
    }

    @Test func `a wait that begins while the end is noted is not in the recording`() throws {
      let (said, causes, threads, waits) = try recorded(Self.briefWaits)
      #expect(said == ["recorded"])
      #expect(threads.count == 201 && waits.contains { causes[$0.cause] == "sleep" })
    }

    @Test func `semaphores are waited for as without the library`() throws {
      let (said, _, _, waits) = try recorded(Self.semaphores)
      #expect(said == ["0", "cancelled", "recorded"])
      #expect(waits.contains { $0.waker > 0 })
    }

    @Test func `a thread that jumps out of a wait has later ones, and parts of files are waited for`() throws {
      let (said, causes, _, waits) = try recorded(Self.jumps)
      #expect(said == ["recorded"])
      let blocked = waits.filter { $0.blocked > 0 }
      let jumper = try #require(blocked.first { causes[$0.cause] == "mutex" }).thread
      let files = blocked.filter { causes[$0.cause] == "I/O" && $0.waker == 0 }.map(\.thread)
      #expect(files.contains(jumper) && files.contains { $0 != jumper }, "\(waits)")
    }

    @Test func `who makes a child waits until that has begun its program`() throws {
      let (said, causes, threads, waits) = try recorded(Self.children)
      #expect(said == ["recorded"])
      let made = waits.filter { causes[$0.cause] == "process" }
      #expect(threads.count == 1 && made.count == 20 && made.allSatisfy { $0.waker == 0 }, "\(made)")
    }

    /// What each of the programs begins with.
    private static let start = #"""
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <fcntl.h>
      #include <linux/futex.h>
      #include <pthread.h>
      #include <semaphore.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/file.h>
      #include <sys/syscall.h>
      #include <sys/uio.h>
      #include <time.h>
      #include <unistd.h>
      struct root { uint64_t frame, code, thread; };
      static struct root root;
      static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
      static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
      static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
      static pthread_barrier_t barrier;
      static sem_t semaphore;
      static int word, ends[2];
      static volatile int signalled, waiter;
      /// The number of the wait that the thread begins next.
      static volatile int step;
      /// Comes back when a thread that is about to wait sleeps.
      static void await_sleep(int thread) {
        char path[64], text[256];
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
        for (;;) {
          FILE *file = fopen(path, "r");
          size_t count = fread(text, 1, sizeof text - 1, file);
          fclose(file);
          text[count] = 0;
          if (strstr(text, ") S ")) return;
          sched_yield();
        }
      }
      /// Comes back when the thread sleeps in a wait.
      static void await(int number) {
        while (step != number) sched_yield();
        await_sleep(waiter);
      }
      """#

    /// One thread waits for each thing there is, and main ends each wait when it sees the thread sleep.
    private static let everyWait = #"""
      static void *wait_for_everything(void *unused) {
        char byte;
        struct timespec millisecond = {0, 1000000};
        waiter = (int)syscall(SYS_gettid);
        step = 1;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        step = 2;
        pthread_rwlock_wrlock(&lock);
        pthread_rwlock_unlock(&lock);
        pthread_mutex_lock(&guard);
        step = 3;
        while (!signalled) pthread_cond_wait(&condition, &guard);
        pthread_mutex_unlock(&guard);
        step = 4;
        sem_wait(&semaphore);
        step = 5;
        pthread_barrier_wait(&barrier);
        step = 6;
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
        step = 7;
        errno = EDOM;
        if (read(ends[0], &byte, 1) == 1) puts(errno == EDOM ? "as it was" : "overwritten");
        fflush(stdout);
        nanosleep(&millisecond, 0);
        usleep(1000);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &millisecond, 0);
        step = 8;
        while (step != 9) sched_yield();
        await_sleep(getpid());
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        pthread_mutex_lock(&mutex);
        pthread_rwlock_rdlock(&lock);
        pthread_create(&thread, 0, wait_for_everything, 0);
        await(1);
        pthread_mutex_unlock(&mutex);
        await(2);
        pthread_rwlock_unlock(&lock);
        await(3);
        pthread_mutex_lock(&guard);
        signalled = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&guard);
        await(4);
        sem_post(&semaphore);
        await(5);
        pthread_barrier_wait(&barrier);
        await(6);
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
        await(7);
        if (write(ends[1], "a", 1) != 1) abort();
        while (step != 8) sched_yield();
        step = 9;
        pthread_join(thread, 0);
      }
      """#

    /// A thread waits in calls that look as if they could go on, and in those that have a limit.
    private static let oddWaits = #"""
      static int files[2], others[2];
      static void *wait_in_odd_ways(void *unused) {
        static char bytes[1 << 18];
        struct iovec piece = {bytes, 1};
        struct timespec until;
        waiter = (int)syscall(SYS_gettid);
        step = 1;
        if (write(ends[1], bytes, sizeof bytes) != sizeof bytes) abort();
        step = 2;
        if (readv(others[0], &piece, 1) != 1) abort();
        step = 3;
        if (flock(files[1], LOCK_EX) != 0) abort();
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += 1000;
        step = 4;
        if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) != 0) abort();
        step = 5;
        if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) != 0) abort();
        clock_gettime(CLOCK_MONOTONIC, &until);
        long end = until.tv_nsec + 200000000;
        until.tv_sec += end / 1000000000;
        until.tv_nsec = end % 1000000000;
        if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) == 0) abort();
        step = 6;
        while (step != 7) sched_yield();
        await_sleep(getpid());
        return 0;
      }
      static void run(void) {
        static char bytes[1 << 18];
        char path[] = "/tmp/gauge-XXXXXX";
        struct timespec until;
        pthread_t thread;
        files[0] = mkstemp(path);
        files[1] = open(path, O_RDWR);
        unlink(path);
        if (pipe(others) != 0) abort();
        if (flock(files[0], LOCK_EX) != 0) abort();
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, 0, wait_in_odd_ways, 0);
        await(1);
        for (ssize_t left = sizeof bytes; left > 0;) left -= read(ends[0], bytes, (size_t)left);
        await(2);
        if (write(others[1], "a", 1) != 1) abort();
        await(3);
        flock(files[0], LOCK_UN);
        await(4);
        pthread_mutex_unlock(&mutex);
        await(5);
        sem_post(&semaphore);
        while (step != 6) sched_yield();
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1000;
        step = 7;
        if (pthread_timedjoin_np(thread, 0, &until) != 0) abort();
      }
      """#

    /// Threads are cancelled at their begin, and one in a wait. The frame of the root is no place on a stack, as in a
    /// program without frame pointers.
    private static let cancelledWaits = #"""
      static __attribute__((constructor)) void claim_root(void) {
        root = (struct root){INT64_MAX, 0, (uint64_t)getpid()};
      }
      static void unlock(void *locked) { pthread_mutex_unlock(locked); }
      static void *wait_for_nothing(void *tells) {
        pthread_mutex_lock(&guard);
        pthread_cleanup_push(unlock, &guard);
        if (tells) {
          waiter = (int)syscall(SYS_gettid);
          step = 1;
        }
        for (;;) pthread_cond_wait(&condition, &guard);
        pthread_cleanup_pop(1);
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        pthread_create(&thread, 0, wait_for_nothing, &thread);
        await(1);
        pthread_cancel(thread);
        pthread_join(thread, 0);
        for (int number = 0; number < 200; number++) {
          pthread_create(&thread, 0, wait_for_nothing, 0);
          pthread_cancel(thread);
          pthread_join(thread, 0);
        }
      }
      """#

    /// Many threads that always begin to wait: one of them does so while the end of the recording is noted.
    private static let briefWaits = #"""
      static volatile int begun;
      static void *wait_briefly(void *unused) {
        __sync_fetch_and_add(&begun, 1);
        for (;;) usleep(20);
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        for (int number = 0; number < 200; number++) pthread_create(&thread, 0, wait_briefly, 0);
        while (begun < 200) sched_yield();
        usleep(20000);
      }
      """#

    /// A thread that always has the semaphore is cancelled, and one that waits for it has no error.
    private static let semaphores = #"""
      static void *take_and_give(void *unused) {
        for (;;) {
          sem_wait(&semaphore);
          sem_post(&semaphore);
          step = 1;
        }
        return 0;
      }
      static void *wait_for_it(void *unused) {
        waiter = (int)syscall(SYS_gettid);
        errno = 0;
        step = 2;
        sem_wait(&semaphore);
        printf("%d\n", errno);
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        pthread_create(&thread, 0, wait_for_it, 0);
        await(2);
        sem_post(&semaphore);
        pthread_join(thread, 0);
        sem_post(&semaphore);
        pthread_create(&thread, 0, take_and_give, 0);
        while (step != 1) sched_yield();
        pthread_cancel(thread);
        pthread_join(thread, 0);
        puts("cancelled");
      }
      """#

    /// A thread leaves a wait for a pipe by a jump out of a signal's handler, and then waits for a mutex; main waits
    /// for a part of a file that a child has locked.
    private static let jumps = #"""
      #include <setjmp.h>
      #include <signal.h>
      static sigjmp_buf start;
      static void leave(int unused) { siglongjmp(start, 1); }
      static void *jump_and_wait(void *unused) {
        char byte;
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGUSR1);
        // Whoever runs the program may have blocked it.
        pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
        waiter = (int)syscall(SYS_gettid);
        if (sigsetjmp(start, 1) == 0) {
          step = 1;
          read(ends[0], &byte, 1);
        }
        step = 2;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        signal(SIGUSR1, leave);
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, 0, jump_and_wait, 0);
        await(1);
        pthread_kill(thread, SIGUSR1);
        await(2);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, 0);
        char path[] = "/tmp/gauge-XXXXXX", byte;
        int file = mkstemp(path), told[2];
        struct flock part = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
        unlink(path);
        if (pipe(told) != 0) abort();
        pid_t child = fork();
        if (child == 0) {
          fcntl(file, F_SETLK, &part);
          if (write(told[1], "a", 1) != 1) _exit(1);
          usleep(50000);
          _exit(0);
        }
        if (read(told[0], &byte, 1) != 1 || fcntl(file, F_SETLKW, &part) != 0) abort();
      }
      """#

    /// A program makes children, and waits for none to end.
    private static let children = #"""
      #include <signal.h>
      #include <spawn.h>
      static void run(void) {
        signal(SIGCHLD, SIG_IGN);
        char *arguments[] = {"true", 0}, *environment[] = {0};
        for (int number = 0; number < 20; number++) {
          pid_t child;
          if (posix_spawnp(&child, "true", 0, 0, arguments, environment) != 0) abort();
        }
      }
      """#

    /// What each of the programs ends with.
    private static let end = #"""
      int main(int count, char **arguments) {
        int (*prepare)(struct root, void *);
        size_t (*record)(int);
        int (*write_to)(const char *, int);
        *(void **)&prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
        *(void **)&record = dlsym(RTLD_DEFAULT, "gauge_hooks_record");
        *(void **)&write_to = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
        if (count != 2 || prepare(root, 0) != 0 || pipe(ends) != 0) return 1;
        pthread_barrier_init(&barrier, 0, 2);
        sem_init(&semaphore, 0, 0);
        record(3);
        run();
        record(0);
        if (write_to(arguments[1], 3) == 0) puts("recorded");
        return 0;
      }
      """#
  }
#endif
