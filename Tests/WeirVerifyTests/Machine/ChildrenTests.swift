// Children that end too early, and that say too much.

import Testing
import WeirVerify

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension MachineTests {
  @Suite struct ChildrenTests {
    @Test func whoHasDoneItsWorkHasNotCrashed() {
      let (lines, crash) = inWarmChild {
        $0.print("done")
      } done: {
        ($0.region.lines.map(String.init), $0.crash)
      }
      #expect(lines == ["done"])
      #expect(crash == nil)
    }

    /// A program may end its process itself: what was to be found is not found then.
    @Test(arguments: [0, 3] as [Int32])
    func whoEndsBeforeItsWorkIsDoneHasFailed(code: Int32) {
      let finding = inChild(seconds: 60) { _ in
        _exit(code)
      } done: {
        Finding(of: $0)
      }
      #expect(finding.failure == "the program ended the process with code \(code), as by exit, in the middle of a run")
    }

    @Test func whoHasWrittenNoResultHasFailed() {
      let finding = inWarmChild {
        $0.print("schedules\t1")
      } done: {
        Finding(of: $0)
      }
      #expect(finding.failure?.hasPrefix("the exploration has ended without a result") == true)
    }

    @Test func aFailureWithALongReasonIsAFailure() throws {
      var found = Finding()
      found.schedules = 7
      found.failure = "left\tright\n" + String(repeating: "x", count: 1_100_000)
      let finding = inWarmChild {
        found.write(to: $0)
      } done: {
        Finding(of: $0)
      }
      let failure = try #require(finding.failure)
      #expect(finding.schedules == 7)
      #expect(failure.hasPrefix("left right xxx") && failure.hasSuffix("xxx ... (1100019 bytes)"))
    }

    @Test func whereThereIsNoRoomForALineTheLastOneSaysSo() {
      let region = Region()
      defer { region.free() }
      for _ in 1...20 { region.print(String(repeating: "x", count: 100_000)) }
      region.print("end")
      #expect(region.lines.last == "... (no room for more)")
      #expect(Finding(written: region.lines) == nil)
    }

    @Test func whetherTheTimeWasOverIsTold() {
      var found = Finding()
      found.isCutShort = true
      let told = inWarmChild {
        found.write(to: $0)
      } done: {
        Finding(of: $0)
      }
      #expect(told == found)
    }
  }
}

/// What the runtime makes once is there before: another thread may hold its locks when the child is made.
func inWarmChild<Result>(_ work: (Region) -> Void, done: (Ended) -> Result) -> Result {
  let region = Region()
  work(region)
  region.free()
  return inChild(seconds: 60, work: work, done: done)
}
