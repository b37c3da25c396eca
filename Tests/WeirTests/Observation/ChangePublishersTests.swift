// Tests of the table of publishers of changes.

import TestKit
import Testing

@testable import Weir

@Suite struct ChangePublishersTests {
  final class Plain {}

  private let table = ChangePublishers()

  private func publisher(of owner: AnyObject, _ fields: [any PublishedField] = []) -> ObservableObjectPublisher {
    table.publisher(of: owner, with: fields)
  }

  @Test func anObjectWithoutFieldsAlwaysGetsTheSame() {
    let first = Plain()
    let second = Plain()
    #expect(table.publisher(keptFor: first) == nil)
    let publisher = publisher(of: first)
    #expect(self.publisher(of: first) === publisher)
    #expect(table.publisher(keptFor: first) === publisher)
    #expect(self.publisher(of: second) !== publisher)
    #expect(table.count == 2)
  }

  @Test func fieldsKeepThePublisherThemselves() {
    let owner = Plain()
    let old = Published(initialValue: 1)
    let publisher = publisher(of: owner, [old])
    #expect(old.willChange === publisher)
    let new = Published(initialValue: "a")
    #expect(self.publisher(of: owner, [new, old]) === publisher)
    #expect(new.willChange === publisher)
    #expect(table.publisher(keptFor: owner) == nil)
    #expect(table.count == 0)
  }

  @Test func entriesOfObjectsThatAreGoneAreSweptOut() {
    let kept = Plain()
    let publisher = publisher(of: kept)
    var crowd: [Plain] = []
    for _ in 0..<1000 {
      crowd.append(Plain())
      _ = self.publisher(of: crowd[crowd.count - 1])
      if crowd.count == 5 { crowd = [] }
    }
    #expect(table.count <= 16)
    #expect(self.publisher(of: kept) === publisher)
  }

  @Test func noObjectInheritsThePublisherOfAnEarlierOneAtItsAddress() {
    var seen: Set<ObjectIdentifier> = []
    var publishers: [ObservableObjectPublisher] = []
    for _ in 0..<50 {
      let publisher = publisher(of: Plain())
      publishers.append(publisher)
      #expect(seen.insert(ObjectIdentifier(publisher)).inserted)
    }
  }
}
