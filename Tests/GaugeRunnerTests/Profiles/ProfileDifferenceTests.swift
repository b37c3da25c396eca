// Tests of what accounts for a difference: the call site in the program, not the runtime and not the whole chain.

import Testing

@testable import GaugeRunner

@Suite struct ProfileDifferenceTests {
  private static func user(_ name: String, _ line: Int = 1, inlined: Bool = false) -> ProfileFrame {
    ProfileFrame(function: name, object: "b", file: "File.swift", line: line, isInlined: inlined)
  }

  private static func library(_ name: String, inlined: Bool = false) -> ProfileFrame {
    ProfileFrame(function: name, object: "b", isInlined: inlined, isLibrary: true)
  }

  private static func profile(_ weights: [([ProfileFrame], Int)], operations: Int = 1) -> Profile {
    var profile = Profile(.instructions, operations: operations)
    for (stack, weight) in weights { profile.add(weight, at: stack) }
    return profile
  }

  private static func entries(_ entries: [([ProfileFrame], Double)], called: Bool = true, size: Int = 10)
    -> ProfileDifference.Entries
  {
    Dictionary(
      uniqueKeysWithValues: entries.map {
        ($0.0.map(\.withoutLine), InstructionProfile.Entries(count: $0.1, size: size, isCalled: called))
      })
  }

  private static let (main, work) = (user("main()"), user("work()", 12))

  @Test func `an added retain is a change of the function that has it`() throws {
    let retain = Self.library("swift_retain")
    let base = Self.profile([([Self.main], 100), ([Self.main, Self.work], 50)])
    let new = Self.profile([([Self.main], 100), ([Self.main, Self.work], 52), ([Self.main, Self.work, retain], 20)])
    let difference = ProfileDifference(
      base: base, new: new, entries: ([:], Self.entries([([Self.main, Self.work, retain], 1)])))
    #expect(difference.delta == 22)
    #expect(
      difference.sites == [
        ProfileDifference.Site(
          function: "work()", file: "File.swift", line: 12, delta: 22, inclusive: 22,
          causes: [
            ProfileDifference.Cause(callee: "swift_retain", delta: 20, calls: 1),
            ProfileDifference.Cause(callee: nil, delta: 2, calls: nil),
          ])
      ])
    #expect(difference.share(of: difference.sites[0]) == 1)
  }

  @Test func `weights are by operation`() {
    let base = Self.profile([([Self.main], 1000)], operations: 10)
    let new = Self.profile([([Self.main], 400)], operations: 2)
    let difference = ProfileDifference(base: base, new: new)
    #expect(difference.before == 100)
    #expect(difference.after == 200)
    #expect(difference.sites.map(\.delta) == [100])
  }

  @Test func `more calls are the caller's doing, dearer ones the callee's`() {
    let stack = [Self.main, Self.work]
    let base = Self.profile([([Self.main], 10), (stack, 100)])
    let new = Self.profile([([Self.main], 13), (stack, 330)])
    let entries = (Self.entries([(stack, 10)]), Self.entries([(stack, 30)]))
    // 20 calls of 10 each, and 1 more for each of 30.
    let difference = ProfileDifference(base: base, new: new, entries: entries)
    #expect(difference.sites.map(\.function) == ["main()", "work()"])
    #expect(difference.sites.map(\.delta) == [203, 30])
    #expect(difference.sites[0].causes.first == ProfileDifference.Cause(callee: "work()", delta: 200, calls: 20))
    // Where calls are not known it looks as if each cost more.
    let unknown = ProfileDifference(base: base, new: new)
    #expect(unknown.sites.map(\.function) == ["work()", "main()"])
  }

  @Test func `a new call of something known is the caller's, and so is a new function that is called`() {
    let stack = [Self.main, Self.user("outer()"), Self.user("helper()", 30)]
    let base = Self.profile([(Array(stack[..<2]), 10), ([Self.main], 5)])
    let new = Self.profile([(Array(stack[..<2]), 12), (stack, 80), ([Self.main], 5)])
    let difference = ProfileDifference(base: base, new: new, entries: ([:], Self.entries([(stack, 4)])))
    #expect(difference.sites.map(\.function) == ["outer()"])
    #expect(difference.sites[0].delta == 82)
    #expect(difference.sites[0].causes.first == ProfileDifference.Cause(callee: "helper()", delta: 80, calls: 4))
  }

  @Test func `code that was nowhere before and is put into its caller is its own`() {
    let helper = Self.user("helper()", 30, inlined: true)
    let base = Self.profile([([Self.main], 10)])
    let new = Self.profile([([Self.main], 10), ([Self.main, helper], 90)])
    #expect(ProfileDifference(base: base, new: new).sites.map(\.function) == ["helper()"])
  }

  @Test func `closures and specialisations are matched without their numbers`() {
    let base = Self.profile([([Self.main, Self.user("closure #1 in work()")], 10)])
    let new = Self.profile([([Self.main, Self.user("closure #2 in work()")], 15)])
    let difference = ProfileDifference(base: base, new: new)
    #expect(difference.sites.map(\.function) == ["closure #2 in work()"])
    #expect(difference.sites.map(\.delta) == [5])
  }

  @Test func `recursion is charged to the function, not to who began it`() {
    let base = Self.profile([([Self.main, Self.work], 10)])
    let new = Self.profile([
      ([Self.main, Self.work], 10), ([Self.main, Self.work, Self.work], 10),
      ([Self.main, Self.work, Self.work, Self.work], 10),
    ])
    let entries = Self.entries([
      ([Self.main, Self.work], 1), ([Self.main, Self.work, Self.work], 1),
      ([Self.main, Self.work, Self.work, Self.work], 1),
    ])
    let difference = ProfileDifference(
      base: base, new: new, entries: (Self.entries([([Self.main, Self.work], 1)]), entries))
    #expect(difference.sites.map(\.function) == ["work()"])
    #expect(difference.sites[0].delta == 20)
  }

  @Test func `lost inlining is the callee's, with what the calls cost the caller`() throws {
    let inlined = Self.user("work()", 12, inlined: true)
    let base = Self.profile([([Self.main], 100), ([Self.main, inlined], 20)])
    let new = Self.profile([([Self.main], 140), ([Self.main, Self.work], 50)])
    let difference = ProfileDifference(
      base: base, new: new,
      entries: (
        Self.entries([([Self.main, inlined], 10)], called: false), Self.entries([([Self.main, Self.work], 10)])
      ))
    let site = try #require(difference.sites.first)
    #expect(site.function == "work()")
    #expect(site.isNoLongerInlined)
    #expect(site.delta == 70)
  }

  @Test func `inlined code that all runs more often is its caller's doing`() {
    let inlined = Self.user("work()", 12, inlined: true)
    let base = Self.profile([([Self.main], 100), ([Self.main, inlined], 20)])
    let new = Self.profile([([Self.main], 104), ([Self.main, inlined], 60)])
    let entries = (
      Self.entries([([Self.main, inlined], 2)], called: false),
      Self.entries([([Self.main, inlined], 6)], called: false)
    )
    let difference = ProfileDifference(base: base, new: new, entries: entries)
    #expect(difference.sites.map(\.function) == ["main()"])
    #expect(difference.sites[0].delta == 44)
  }

  @Test func `a function behind another caller is found again`() {
    let (wrapper, inner) = (Self.user("wrapper()"), Self.user("inner()", 40))
    let base = Self.profile([([Self.main], 10), ([Self.main, Self.user("old()"), Self.work], 50)])
    let new = Self.profile([
      ([Self.main], 10), ([Self.main, wrapper], 4), ([Self.main, wrapper, Self.work], 50),
      ([Self.main, wrapper, Self.work, inner], 70),
    ])
    let entries = Self.entries([
      ([Self.main, wrapper], 1), ([Self.main, wrapper, Self.work], 1), ([Self.main, wrapper, Self.work, inner], 2),
    ])
    let difference = ProfileDifference(base: base, new: new, entries: ([:], entries))
    #expect(difference.delta == 74)
    #expect(difference.sites.map(\.function) == ["work()", "main()"])
    #expect(difference.sites.map(\.delta) == [70, 4])
  }

  @Test func `inlined code whose calls all come more often is its caller's doing`() {
    let inlined = Self.user("work()", 12, inlined: true)
    func profile(_ turns: Int) -> Profile {
      Self.profile([
        ([Self.main], 100), ([Self.main, inlined], 7 + turns), ([Self.main, inlined, Self.library("a")], turns * 10),
        ([Self.main, inlined, Self.library("b")], turns * 20),
      ])
    }
    func entries(_ turns: Double) -> ProfileDifference.Entries {
      Self.entries([([Self.main, inlined], 1)], called: false).merging(
        Self.entries([
          ([Self.main, inlined, Self.library("a")], turns), ([Self.main, inlined, Self.library("b")], turns * 2),
        ])
      ) { $1 }
    }
    let difference = ProfileDifference(base: profile(2), new: profile(6), entries: (entries(2), entries(6)))
    #expect(difference.sites.map(\.function) == ["main()", "work()"])
    #expect(difference.sites.map(\.host) == [nil, "main()"])
    #expect(difference.sites[1].place == "File.swift:12, inlined into main()")
  }

  @Test func `what got cheaper comes last, or first where all got cheaper`() {
    let base = Self.profile([([Self.main], 100), ([Self.main, Self.work], 50)])
    let new = Self.profile([([Self.main], 90), ([Self.main, Self.work], 90)])
    #expect(ProfileDifference(base: base, new: new).sites.map(\.function) == ["work()", "main()"])
    #expect(ProfileDifference(base: new, new: base).sites.map(\.function) == ["work()", "main()"])
    #expect(ProfileDifference(base: base, new: base).sites.isEmpty)
  }

  @Test func `the line is the one with most of the change, moved lines notwithstanding`() {
    let base = Self.profile([([Self.user("work()", 10)], 30), ([Self.user("work()", 12)], 100)])
    let new = Self.profile([
      ([Self.user("work()", 20)], 30), ([Self.user("work()", 22)], 104), ([Self.user("work()", 23)], 9),
    ])
    let difference = ProfileDifference(base: base, new: new)
    #expect(difference.sites.map(\.line) == [23])
  }
}
