// Tests of profiles: sums, and what each function weighs.

import Testing

@testable import GaugeRunner

@Suite struct ProfileTests {
  private func frame(_ name: String, line: Int? = nil) -> ProfileFrame {
    ProfileFrame(function: name, object: "program", file: line.map { _ in "Main.swift" }, line: line)
  }

  @Test func weightsOfOneStackAddUp() {
    var profile = Profile(.cpu, operations: 10)
    profile.add(3, at: [frame("main"), frame("work")])
    profile.add(4, at: [frame("main"), frame("work")])
    profile.add(5, at: [frame("main")])
    #expect(profile.weights == [[frame("main"), frame("work")]: 7, [frame("main")]: 5])
    #expect(profile.total == 12)
  }

  @Test func weightsOfWhateverSizeAndSignHaveASum() {
    var profile = Profile(.liveBytes, operations: 1)
    profile.add(.min, at: [frame("main"), frame("free")])
    profile.add(.max, at: [frame("main"), frame("allocate")])
    #expect(profile.weights == [[frame("main"), frame("free")]: -1 << 61, [frame("main"), frame("allocate")]: 0])
    #expect(profile.total == -1 << 61)
    var small = Profile(.liveBytes, operations: .max)
    small.add(1, at: [frame("main")])
    small.add(profile)
    #expect(small.total == 2 - 1 << 61 && small.operations == 1 << 61)
  }

  @Test func aStackHasALimit() {
    var profile = Profile(.cpu, operations: 1)
    let stack = (0..<10_000).map { frame("\($0)") }
    profile.add(1, at: stack)
    profile.add(2, at: Array(stack[..<Profile.deepest]))
    #expect(profile.weights == [Array(stack[..<2000]): 3])
    // What is made of it calls itself for each frame.
    #expect(!FlameGraph(profile, title: "t").json.isEmpty)
  }

  @Test func aFunctionWeighsItsOwnCodeAndWhatItCalls() {
    var profile = Profile(.instructions, operations: 1)
    profile.add(1, at: [frame("main")])
    profile.add(10, at: [frame("main"), frame("work")])
    profile.add(100, at: [frame("main"), frame("work"), frame("free")])
    let weights = profile.weightsByFunction()
    #expect(weights[frame("main")] == Profile.Weight(own: 1, inclusive: 111))
    #expect(weights[frame("work")] == Profile.Weight(own: 10, inclusive: 110))
    #expect(weights[frame("free")] == Profile.Weight(own: 100, inclusive: 100))
  }

  @Test func recursionCountsOnceAndLinesAreLeftOut() {
    var profile = Profile(.cpu, operations: 1)
    let stack = [frame("main"), frame("walk", line: 7), frame("walk", line: 9)]
    profile.add(5, at: stack)
    var walk = frame("walk")
    walk.file = "Main.swift"
    #expect(profile.weightsByFunction()[walk] == Profile.Weight(own: 5, inclusive: 5))
  }

  @Test func profilesOfSeveralLaunchesAddUp() {
    var sum = Profile(.retains, operations: 100)
    sum.add(2, at: [frame("main")])
    sum.notes = ["libc.so.6: no debug information"]
    var other = Profile(.retains, operations: 50)
    other.add(3, at: [frame("main")])
    other.notes = ["libc.so.6: no debug information", "stripped"]
    sum.add(other)
    #expect(sum.operations == 150)
    #expect(sum.weights == [[frame("main")]: 5])
    #expect(sum.notes == ["libc.so.6: no debug information", "stripped"])
  }

  @Test func eachKindHasAUnit() {
    #expect(Profile.Kind.allCases.allSatisfy { !$0.unit.isEmpty })
    #expect(Profile.Kind.cpu.unit == "nanoseconds")
    #expect(Profile.Kind(rawValue: "live_bytes") == .liveBytes)
  }
}
