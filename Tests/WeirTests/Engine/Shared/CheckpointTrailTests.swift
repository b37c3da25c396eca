// Tests of the named places that a signal has come past.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct CheckpointTrailTests {
  private let first = CheckpointMark(name: "first", file: "A.swift", line: 1)
  private let second = CheckpointMark(name: "second", file: "B.swift", line: 2)

  private func makeLink() -> Link { Link(onRequest: { _, _ in }, onCancel: { _ in }) }

  @Test func placesAreToldOnceAndInTheirOrder() {
    #expect(CheckpointTrail.text.isEmpty)
    withOnTrail(first) {
      withOnTrail(second) {
        withOnTrail(first) {
          #expect(CheckpointTrail.marks.map(\.name) == ["first", "second"])
          #expect(CheckpointTrail.text == #", behind the checkpoint "first" (A.swift:1), then "second" (B.swift:2)"#)
        }
      }
    }
  }

  @Test func whatALinkKeepsIsDeliveredOnceWithItsPlaces() {
    let (link, other) = (makeLink(), makeLink())
    withOnTrail(first) { withOnTrail(second) { CheckpointTrail.keep(for: link) } }
    CheckpointTrail.deliver(from: other) { #expect(CheckpointTrail.marks.isEmpty) }
    CheckpointTrail.deliver(from: link) { #expect(CheckpointTrail.marks.map(\.name) == ["first", "second"]) }
    CheckpointTrail.deliver(from: link) { #expect(CheckpointTrail.marks.isEmpty) }
  }

  @Test func aLinkThatIsGoneKeepsNothing() {
    for _ in 0..<100 {
      let link = makeLink()
      CheckpointTrail.deliver(from: link) { #expect(CheckpointTrail.marks.isEmpty) }
      withOnTrail(first) { CheckpointTrail.keep(for: link) }
    }
  }

  @Test func manyFailuresThatWaitAreLookedAtOnceOrTwiceEach() {
    var kept = KeptCheckpoints()
    let links = (0..<1_000).map { _ in makeLink() }
    let looks = links.reduce(0) { $0 + kept.keep([first], for: $1).count }
    #expect(looks == 16 + 32 + 64 + 128 + 256 + 512)
    #expect(links.allSatisfy { kept.take(from: $0).map(\.name) == ["first"] })
    #expect(kept.count == 0)
  }

  @Test func linksThatAreGoneAreLetGoOf() {
    var kept = KeptCheckpoints()
    for _ in 0..<1_000 { #expect(kept.keep([first], for: makeLink()).isEmpty) }
    #expect(kept.count <= 16)
  }
}
