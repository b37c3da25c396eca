// The waits that the preloaded library follows, in a program of C whose threads are certain to block: whoever ends a wait
// looks first whether the other thread sleeps.

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
    }

    /// Runs the program.
    ///
    /// - Returns: What it prints, the names of the causes, the threads' words, and the waits.
    private func recorded() throws -> (
      said: [String], causes: [UInt64: String], threads: [[UInt64]], waits: [Wait]
    ) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gauge-" + UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (source, program) = (folder.appendingPathComponent("a.c").path, folder.appendingPathComponent("a").path)
      let file = folder.appendingPathComponent("waits")
      try Self.text.write(toFile: source, atomically: true, encoding: .utf8)
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
      let waits = (0..<Int(words[head + 5])).map { number in
        let wait = Array(words[first + number * 10..<first + number * 10 + 10])
        return Wait(thread: wait[0], cause: wait[1], blocked: wait[5], waker: wait[7], wakerStack: wait[8])
      }
      #expect(words[15] == UInt64(8 * (6 + 9 * threads.count + 10 * waits.count)))
      return (said.split(separator: "\n").map(String.init), causes, threads, waits)
    }

    @Test func everyWaitHasItsCauseAndWhoEndedIt() throws {
      let (said, causes, threads, waits) = try recorded()
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
      let (_, _, threads, waits) = try recorded()
      for (index, words) in threads.enumerated() {
        let own = waits.filter { $0.thread == UInt64(index + 1) }.map(\.blocked)
        let sum = own.reduce(0, +)
        #expect(words[5] == sum)
        #expect(words[1] < words[2] && words[3] > 0)
      }
    }

    /// One thread waits for each thing there is, and main ends each wait when it sees the thread sleep.
    private static let text = #"""
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <linux/futex.h>
      #include <pthread.h>
      #include <semaphore.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <string.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      struct root { uint64_t frame, code, thread; };
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
      /// Comes back when the thread sleeps in a wait.
      static void await(int number) {
        while (step != number) sched_yield();
        await_sleep(waiter);
      }
      int main(int count, char **arguments) {
        int (*prepare)(struct root, void *);
        size_t (*record)(int);
        int (*write_to)(const char *, int);
        *(void **)&prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
        *(void **)&record = dlsym(RTLD_DEFAULT, "gauge_hooks_record");
        *(void **)&write_to = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
        struct root none = {0, 0, 0};
        pthread_t thread;
        if (count != 2 || prepare(none, 0) != 0 || pipe(ends) != 0) return 1;
        pthread_barrier_init(&barrier, 0, 2);
        sem_init(&semaphore, 0, 0);
        record(3);
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
        if (write(ends[1], "a", 1) != 1) return 2;
        while (step != 8) sched_yield();
        step = 9;
        pthread_join(thread, 0);
        record(0);
        if (write_to(arguments[1], 3) == 0) puts("recorded");
        return 0;
      }
      """#
  }
#endif
