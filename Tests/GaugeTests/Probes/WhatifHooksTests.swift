// The virtual speed-ups of the preloaded library, in programs of C: what a function is seen to take, what others are
// delayed by for it, and by whom no delay is owed.

import Foundation
import Testing

@testable import Gauge

#if os(Linux)
  /// What compiles the programs.
  private let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/opt/swift/usr/bin/clang"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Suite(.enabled(if: !Products.areSanitized && compiler != nil)) struct WhatifHooksTests {
    private static let corpus = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("WhatifCorpus").path

    /// An experiment of the file.
    private struct Experiment {
      var speedUp: Double
      var time: Double
      var delays: Double
      var used: Double
      var inside: Double
      var asleep: Double
      var hits: Double
    }

    /// Runs a program that experiments with its function `wanted`.
    ///
    /// - Parameters:
    ///   - text: The functions `run`, which is what an experiment consists of, and `wanted`.
    ///   - speedUps: The experiments, in thousandths.
    ///   - optimised: Whether functions have no frame pointers.
    /// - Returns: What it prints, and the experiments.
    private func experiments(
      _ text: String, speedUps: [Int] = [1000], optimised: Bool = false
    ) throws -> (said: [String], experiments: [Experiment]) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gauge-" + UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (source, program) = (folder.appendingPathComponent("a.c").path, folder.appendingPathComponent("a").path)
      let file = folder.appendingPathComponent("experiments")
      try (Self.start + "\n" + text).write(toFile: source, atomically: true, encoding: .utf8)
      let how = ["-I" + Self.corpus] + (optimised ? ["-O1", "-fomit-frame-pointer"] : ["-O0"])
      let complaints = try Products.output(
        of: try #require(compiler), how + ["-o", program, source, "-ldl", "-lpthread"])
      #expect(complaints.isEmpty, "\(complaints)")
      // Where the function is, the program itself knows.
      let code = try Products.output(of: program, []).trimmingCharacters(in: .whitespacesAndNewlines)
      let said = try Products.output(
        of: "/usr/bin/env",
        ["LD_PRELOAD=" + Products.hooks, "GAUGE_HOOKS_WAITS=1", "GAUGE_HOOKS_WHATIF=" + code, program, file.path]
          + speedUps.map(String.init))
      let data = try Data(contentsOf: file)
      let words = stride(from: 0, to: data.count - data.count % 8, by: 8).map { offset in
        data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      #expect(words[3] == 7)
      let head = 16 + Int(words[12] + 7) / 8 + Int(words[13] + 7) / 8
      #expect(words[head] == UInt64(speedUps.count) && words[15] == UInt64(8 * (4 + 8 * speedUps.count)))
      let experiments = speedUps.indices.map { number in
        let part = words[(head + 4 + number * 8)...].prefix(8).map { Double($0) }
        return Experiment(
          speedUp: part[0] / 1000, time: part[2], delays: part[3], used: part[4], inside: part[5], asleep: part[6],
          hits: part[7])
      }
      return (said.split(separator: "\n").map(String.init), experiments)
    }

    @Test(arguments: [false, true])
    func aFunctionHasItsShareWithWhatItCalls(optimised: Bool) throws {
      let (said, experiments) = try experiments(
        Self.share, speedUps: [0, 200, 500, 1000], optimised: optimised)
      let shares = said.compactMap(Double.init)
      try #require(shares.count == experiments.count)
      for (share, experiment) in zip(shares, experiments) {
        // Three parts of four, where no other program took the processor: the program measures it, the looks sample it.
        #expect(abs(experiment.inside / experiment.used - share) < 0.1, "\(share) \(experiment)")
        #expect(experiment.hits > 10)
        // A single thread pays for nothing: it has saved this much.
        #expect(abs(experiment.delays - experiment.inside * experiment.speedUp) < 1e5, "\(experiment)")
      }
    }

    @Test func whoIsNotInTheFunctionIsDelayed() throws {
      let (said, experiments) = try experiments(Self.others, speedUps: [500, 1000])
      let asleep = said.compactMap(Double.init)
      try #require(asleep.count == 2 && experiments.count == 2)
      // The other thread has not used a processor for as long as it was delayed at least.
      for (time, experiment) in zip(asleep, experiments) {
        #expect(time > experiment.delays * 0.9 && experiment.delays > 0, "\(time) \(experiment)")
      }
    }

    @Test func threadsThatAreInTheFunctionAtOnceSaveTheTimeOnce() throws {
      let (_, experiments) = try experiments(Self.together)
      // Each of two has half of it, and owes the other nothing; on a single processor they take turns.
      #expect(experiments[0].delays < experiments[0].inside * 1.05, "\(experiments)")
      #expect(experiments[0].delays > experiments[0].inside * 0.35, "\(experiments)")
    }

    @Test func whoTakesTurnsSavesTheSum() throws {
      let (_, experiments) = try experiments(Self.turns)
      // Who waits for the lock is credited with what its holder has saved.
      // It may be on its way to that for some time, which is saved along with the holder's.
      #expect(experiments[0].delays > experiments[0].inside * 0.5, "\(experiments)")
      #expect(experiments[0].delays < experiments[0].inside * 1.05, "\(experiments)")
    }

    @Test func aSleepCounts() throws {
      let (_, experiments) = try experiments(Self.sleep, speedUps: [500])
      // Ten of ten milliseconds, and never less than asked for, but for what the system may have rounded up.
      #expect(experiments[0].asleep >= 0.95e8, "\(experiments)")
      #expect(experiments[0].delays >= 0.47e8, "\(experiments)")
    }

    @Test func shortThreadsAreSeenAsOftenAsTheyRun() throws {
      let (said, experiments) = try experiments(Self.short, speedUps: [0])
      // Each lives for about the time between two looks. How long they are in the function they add up themselves.
      let used = try #require(said.first.flatMap(Double.init))
      #expect(abs(experiments[0].inside / used - 1) < 0.4, "\(used) \(experiments)")
    }

    /// What each of the programs begins with; the rest is in a file that other programs share.
    private static let start = #"""
      #include "Experiments.h"
      /// About a millisecond for 1000, without a frame of its own where that is optimised.
      __attribute__((noinline)) void work(int amount) {
        uint64_t own = state;
        for (int turn = 0; turn < amount * 300; turn++) own = (own ^ own >> 29) * 0x9e3779b97f4a7c15 + 1;
        state = own;
      }
      """#

    private static let share = #"""
      __attribute__((noinline)) void wanted(void) {
        work(3000);
        state++;
      }
      __attribute__((noinline)) void behind(void) {
        work(1000);
        state++;
      }
      static void run(void) {
        long inside = 0, start = now(CLOCK_MONOTONIC);
        for (int turn = 0; turn < 40; turn++) {
          long before = now(CLOCK_MONOTONIC);
          wanted();
          inside += now(CLOCK_MONOTONIC) - before;
          behind();
        }
        printf("%f\n", (double)inside / (double)(now(CLOCK_MONOTONIC) - start));
        fflush(stdout);
      }
      """#

    private static let others = #"""
      static volatile int is_over;
      __attribute__((noinline)) void wanted(void) {
        for (int turn = 0; turn < 100; turn++) work(1000);
      }
      __attribute__((noinline)) void behind(void) { work(100); }
      static void *stay_busy(void *unused) {
        long start = now(CLOCK_MONOTONIC);
        while (!is_over) behind();
        printf("%ld\n", now(CLOCK_MONOTONIC) - start - now(CLOCK_THREAD_CPUTIME_ID));
        fflush(stdout);
        return 0;
      }
      static void run(void) {
        pthread_t thread;
        is_over = 0;
        pthread_create(&thread, 0, stay_busy, 0);
        wanted();
        is_over = 1;
        pthread_join(thread, 0);
      }
      """#

    private static let together = #"""
      __attribute__((noinline)) void wanted(void) {
        for (int turn = 0; turn < 60; turn++) work(1000);
      }
      __attribute__((noinline)) void behind(void) {}
      static void *work_too(void *unused) {
        wanted();
        return 0;
      }
      static void run(void) {
        pthread_t threads[2];
        for (int number = 0; number < 2; number++) pthread_create(&threads[number], 0, work_too, 0);
        for (int number = 0; number < 2; number++) pthread_join(threads[number], 0);
      }
      """#

    private static let turns = #"""
      static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
      __attribute__((noinline)) void wanted(void) {
        pthread_mutex_lock(&mutex);
        work(1000);
        pthread_mutex_unlock(&mutex);
      }
      __attribute__((noinline)) void behind(void) {}
      static void *work_in_turns(void *unused) {
        for (int turn = 0; turn < 50; turn++) wanted();
        return 0;
      }
      static void run(void) {
        pthread_t threads[3];
        for (int number = 0; number < 3; number++) pthread_create(&threads[number], 0, work_in_turns, 0);
        for (int number = 0; number < 3; number++) pthread_join(threads[number], 0);
      }
      """#

    private static let sleep = #"""
      __attribute__((noinline)) void wanted(void) {
        usleep(10000);
        state++;
      }
      __attribute__((noinline)) void behind(void) {}
      static void run(void) {
        for (int turn = 0; turn < 10; turn++) wanted();
      }
      """#

    private static let short = #"""
      static volatile long used;
      __attribute__((noinline)) void wanted(void) {
        work(150);
        state++;
      }
      __attribute__((noinline)) void behind(void) {
        work(150);
        state++;
      }
      static void *live_shortly(void *unused) {
        long start = now(CLOCK_MONOTONIC);
        wanted();
        used += now(CLOCK_MONOTONIC) - start;
        behind();
        return 0;
      }
      static void run(void) {
        for (int turn = 0; turn < 500; turn++) {
          pthread_t thread;
          pthread_create(&thread, 0, live_shortly, 0);
          pthread_join(thread, 0);
        }
        printf("%ld\n", used);
        fflush(stdout);
      }
      """#
  }
#endif
