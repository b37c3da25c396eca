// Recording stacks, each kind in a process of its own: what is recorded adds up to what is counted.

import Foundation
import Testing

@testable import Gauge

#if os(Linux)
  @Suite(.enabled(if: !Products.areSanitized)) struct StackRecorderTests {
    /// Path of a file that is not there.
    private let file = NSTemporaryDirectory() + "gauge-stacks-" + UUID().uuidString

    /// Runs a launch; the words of its file, none where there is none.
    private func launch(
      _ benchmark: String, _ parameters: String = "", _ kind: LaunchRequest.Profile.Kind, rate: Int = 10_000,
      environment: [String: String] = [:]
    ) throws -> (report: LaunchReport, words: [UInt64]) {
      defer { try? FileManager.default.removeItem(atPath: file) }
      let report = try Products.launch(
        benchmark, parameters, pass: .profile, preload: kind == .cpu ? [] : [Products.hooks], environment: environment,
        profile: LaunchRequest.Profile(kind, rate: rate, file: file)
      ).report
      return (report, words())
    }

    /// The words of the file, none where there is none.
    private func words() -> [UInt64] {
      let data = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
      return stride(from: 0, to: data.count - data.count % 8, by: 8).map { offset in
        data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
    }

    /// The weights of all records, added up.
    private func totals(_ words: [UInt64]) -> [UInt64] {
      var totals = [UInt64](repeating: 0, count: 4)
      var place = 16 + Int(words[12] + 7) / 8 + Int(words[13] + 7) / 8
      while place < words.count {
        let end = place + 1 + Int(words[place])
        place += 1
        while place < end {
          for index in 0..<Int(words[place + 3]) { totals[index] += words[place + 4 + index] }
          place += Int(words[place])
        }
      }
      return totals
    }

    private func value(_ metric: Metric, in report: LaunchReport) throws -> Double {
      let measurement = try #require(report.measurements.first { $0.metric.name == metric.name })
      guard case .value(let value) = measurement.outcome else {
        Issue.record("\(measurement)")
        return .nan
      }
      return value
    }

    @Test(arguments: [1, 2, 3]) func timeIsSampledWithEachClock(clock: UInt64) throws {
      let (report, words) = try launch(
        "gauge/loop", "turns=10000", .cpu, environment: ["GAUGE_SAMPLING_CLOCK": "\(clock)"])
      #expect(report.ending == .done)
      let told = try #require(report.measurements.last)
      #expect(told.metric == .profiledOperations && told.iterations > 0)
      // A coarser clock stands in for one that isn't permitted;
      // the coarsest may not have ticked within so short a time.
      #expect(words[3] >= clock)
      #expect(words[4] == 100_000)
      #expect(words[5] != 0 && words[6] != 0 && words[7] != 0)
      if words[3] < 3 { #expect(told.samples > 0 && totals(words)[0] == UInt64(told.samples) * 100_000) }
    }

    @Test func aClockThatDoesNotExistIsUnavailable() throws {
      let (report, words) = try launch("gauge/empty", "", .cpu, environment: ["GAUGE_SAMPLING_CLOCK": "4"])
      #expect(words.isEmpty)
      #expect(
        report.measurements == [
          Measurement(.profiledOperations, .unavailable("threads can't be sampled: Invalid argument"))
        ])
    }

    @Test(arguments: [("gauge/allocate", ""), ("gauge/demonstration", "words=64"), ("gauge/await", "")])
    func stacksOfAllocationsAddUpToTheExactCounters(benchmark: String, parameters: String) throws {
      let exact = try Products.launch(benchmark, parameters, pass: .allocations, preload: [Products.hooks]).report
      let (report, words) = try launch(benchmark, parameters, .allocations)
      #expect(report.ending == .done)
      let totals = totals(words)
      #expect(Double(totals[0]) == (try value(.allocations, in: exact)) * 1000)
      #expect(Double(totals[1]) == (try value(.allocatedBytes, in: exact)) * 1000)
      #expect(totals[2] <= totals[0] && totals[3] <= totals[1])
    }

    @Test(arguments: [("gauge/retain", ""), ("gauge/allocate", ""), ("gauge/demonstration", "words=64")])
    func stacksOfReferencesAddUpToTheExactCounters(benchmark: String, parameters: String) throws {
      let pinned = ["SWIFT_DETERMINISTIC_HASHING": "1"]
      let exact = try Products.launch(
        benchmark, parameters, pass: .references, preload: [Products.hooks], environment: pinned
      ).report
      let (report, words) = try launch(benchmark, parameters, .references, environment: pinned)
      #expect(report.ending == .done)
      let totals = totals(words)
      #expect(Double(totals[0]) == (try value(.arcRetains, in: exact)) * 1000)
      #expect(Double(totals[1]) == (try value(.arcReleases, in: exact)) * 1000)
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
      let report = try Products.launch(
        "gauge/empty", pass: .profile, profile: LaunchRequest.Profile(.cpu, file: "/nowhere/stacks")
      ).report
      #expect(
        report.measurements == [
          Measurement(
            .profiledOperations,
            .unavailable("the stacks can't be written to /nowhere/stacks: No such file or directory"))
        ])
    }

    @Test func withoutHooksNoCallIsRecorded() throws {
      let report = try Products.launch(
        "gauge/empty", pass: .profile, profile: LaunchRequest.Profile(.allocations, file: file)
      ).report
      #expect(report.measurements == [Measurement(.profiledOperations, .unavailable(HeapHooks.absence))])
    }

    @Test func withHooksThatDoNotFollowWaitsNoneIsRecorded() throws {
      let report = try launch("gauge/sleep", "", .waits).report
      #expect(report.measurements == [Measurement(.profiledOperations, .unavailable(CallStacks.waitsAbsence))])
    }

    @Test func theWaitsOfABenchmarkAreRecorded() throws {
      let (report, words) = try launch("gauge/sleep", "", .waits, environment: ["GAUGE_HOOKS_WAITS": "1"])
      #expect(report.ending == .done)
      let told = try #require(report.measurements.last)
      // Each operation sleeps once, and the harness may do so besides.
      #expect(told.iterations > 0 && told.samples >= told.iterations)
      #expect(words[3] == 5 && words[15] > 0)
    }

    @Test func experimentsAreWrittenWhereTheyWereAskedFor() throws {
      let without = try launch("gauge/sleep", "", .experiments, environment: ["GAUGE_HOOKS_WAITS": "1"]).report
      guard case .unavailable(let reason) = without.measurements.last?.outcome else {
        Issue.record("experiments without being asked for")
        return
      }
      #expect(reason.hasPrefix("experiments are prepared from the start of a process on"))
      let (report, words) = try launch(
        "gauge/sleep", "", .experiments, environment: ["GAUGE_HOOKS_WAITS": "1", "GAUGE_HOOKS_WHATIF": "survey"])
      #expect(report.ending == .done)
      let told = try #require(report.measurements.last)
      #expect(told.iterations > 0 && told.samples >= 4)
      #expect(words[3] == 7 && words[15] > 0)
    }

    @Test func theEventsOfATimelineStandBetweenMarks() throws {
      let timeline = LaunchRequest.Profile.Timeline([.allocations], operation: 3, operations: 2)
      defer { try? FileManager.default.removeItem(atPath: file) }
      let report = try Products.launch(
        "gauge/allocate", "", pass: .profile, preload: [Products.hooks],
        profile: LaunchRequest.Profile(.timeline, file: file, timeline: timeline)
      ).report
      #expect(report.ending == .done && report.measurements.last?.iterations == 2)
      let words = words()
      #expect(words[3] == 6 && words[15] > 0)
      let section = words[(16 + Int(words[12] + 7) / 8 + Int(words[13] + 7) / 8)...].prefix(Int(words[15]) / 8)
      let first = section.startIndex + 4 + Int(section[section.startIndex + 1]) * 3
      let kinds = stride(from: first, to: section.endIndex, by: 8).map { section[$0 + 2] }
      // A mark, what the operation does, a mark; blocks are freed by the harness behind its result, or within.
      #expect(kinds.first == 10 && kinds.last == 11 && kinds.count { $0 == 1 } == 2, "\(kinds)")
      #expect(kinds.count { $0 == 10 } == 2 && kinds.count { $0 == 11 } == 2, "\(kinds)")
      let sizes = stride(from: first, to: section.endIndex, by: 8).filter { section[$0 + 2] == 1 }.map {
        section[$0 + 4]
      }
      #expect(sizes == [24, 24])
    }

    // MARK: Programs of C

    private static let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/opt/swift/usr/bin/clang"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs a program under the hooks, which records its allocations between `start()` and `stop()`.
    ///
    /// - Parameters:
    ///   - body: What it does.
    ///   - allocator: Text of a library that stands between the hooks and libc; empty for none.
    /// - Returns: What it prints, and its calls, their bytes, and how many blocks and bytes are live at the end.
    private func recorded(_ body: String, allocator: String = "") throws -> (said: String, totals: [UInt64]) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gauge-" + UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer {
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(atPath: file)
      }
      func build(_ name: String, _ text: String, _ options: [String]) throws -> String {
        let source = folder.appendingPathComponent(name + ".c").path
        let result = folder.appendingPathComponent(name).path
        try text.write(toFile: source, atomically: true, encoding: .utf8)
        let complaints = try Products.output(
          of: try #require(Self.compiler), ["-O0", "-fno-builtin", "-o", result, source] + options)
        #expect(FileManager.default.fileExists(atPath: result), "\(complaints)")
        return result
      }
      let program = try build(
        "program",
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stddef.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        struct root { uint64_t frame, code, thread; };
        static int (*prepare)(struct root, void *);
        static size_t (*record)(int);
        static int (*write_to)(const char *, int);
        static size_t start(void) { return record(1); }
        static size_t stop(void) { return record(0); }
        static void *volatile first;
        static void *volatile second;
        // As if it had looked at memory that is not there: nobody awaits.
        static uint64_t *follow(uint64_t *to, const uint64_t *stack, uintptr_t base, size_t words, uintptr_t frame) {
          errno = EFAULT;
          *to = 0;
          return to + 1;
        }
        int main(int count, char **arguments) {
          *(void **)&prepare = dlsym(RTLD_DEFAULT, "gauge_hooks_prepare_recording");
          *(void **)&record = dlsym(RTLD_DEFAULT, "gauge_hooks_record");
          *(void **)&write_to = dlsym(RTLD_DEFAULT, "gauge_hooks_write_recording");
          struct root none = {0, 0, 0};
          if (count != 2 || prepare(none, (void *)follow) != 0) return 1;
          \(body)
          return write_to(arguments[1], 1);
        }
        """, ["-ldl"])
      var preload = Products.hooks
      if !allocator.isEmpty { preload += ":" + (try build("allocator", allocator, ["-shared", "-fPIC"])) }
      let said = try Products.output(of: "/usr/bin/env", ["LD_PRELOAD=" + preload, program, file])
      let recorded = words()
      try #require(recorded.count > 16, "\(said)")
      return (said, totals(recorded))
    }

    /// The defect: the block that had been at the address before counted as live for ever.
    @Test(.enabled(if: compiler != nil)) func aBlockThatWasFreedUnseenIsNotLiveWhereItsAddressIsUsedAgain() throws {
      let (said, totals) = try recorded(
        """
        start();
        first = malloc(100);
        stop();
        free(first);
        start();
        second = malloc(100);
        stop();
        puts(first == second ? "again" : "elsewhere");
        """)
      #expect(said == "again\n")
      #expect(totals == [2, 200, 1, 100])
    }

    /// The defect: the free within a `realloc` was recorded behind it, when the address may be another thread's.
    @Test(.enabled(if: compiler != nil)) func aBlockThatMovesLeavesItsAddressToOthers() throws {
      let (said, totals) = try recorded(
        """
        start();
        first = malloc(100);
        second = realloc(first, 5001);
        stop();
        """,
        allocator: """
          #include <stddef.h>
          void *malloc(size_t);
          void *__libc_malloc(size_t);
          void *__libc_realloc(void *, size_t);
          void __libc_free(void *);
          void *volatile taken;
          void *realloc(void *block, size_t size) {
            if (size != 5001) return __libc_realloc(block, size);
            void *moved = __libc_malloc(size);
            __libc_free(block);
            // As another thread would before this one is back: of the same address, by way of the hooks.
            taken = malloc(104);
            return moved;
          }
          """)
      #expect(said.isEmpty)
      #expect(totals == [3, 5205, 2, 5105])
    }

    /// The defect: a child of the process went on recording, and hung if a thread had the lock that it lacks.
    @Test(.enabled(if: compiler != nil)) func aChildOfTheProcessRecordsNothing() throws {
      let (said, totals) = try recorded(
        """
        start();
        free(malloc(10));
        size_t calls = start();
        pid_t child = fork();
        if (child == 0) {
          free(malloc(20));
          _exit(stop() == calls ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        free(malloc(30));
        stop();
        puts(status == 0 ? "nothing" : "something");
        """)
      #expect(said == "nothing\n")
      #expect(totals == [2, 40, 0, 0])
    }

    /// The defect: a program that asked behind an allocation why a call had failed was told of the recorder's own.
    @Test(.enabled(if: compiler != nil)) func whyACallFailedIsLeftAsItWas() throws {
      let (said, totals) = try recorded(
        """
        start();
        errno = EAGAIN;
        first = malloc(100);
        int error = errno;
        stop();
        puts(error == EAGAIN ? "as it was" : "overwritten");
        """)
      #expect(said == "as it was\n")
      #expect(totals == [1, 100, 1, 100])
    }

    @Test func threadsOfAGroupAreSampled() throws {
      let (report, words) = try launch("gauge/lock", "threads=2", .cpu)
      #expect(report.ending == .done)
      #expect(words[6] == 0)
      #expect(try #require(report.measurements.last).iterations > 0)
    }
  }
#endif
