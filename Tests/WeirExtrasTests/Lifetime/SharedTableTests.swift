// Tests of the dictionary that several threads use at once.

import TestKit
import Testing

@testable import WeirExtras

@Suite struct SharedTableTests {
  /// Of ten such keys all have the same hash.
  private struct Crowded: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number / 10) }
  }

  @Test func keysWithOneHashAreToldApart() {
    let table = SharedTable<Crowded, String>()
    for number in 0..<20 { table.update(Crowded(number: number)) { $0 = "\(number)" } }
    #expect(table.count == 20)
    #expect(table.value(Crowded(number: 13)) == "13" && table.value(Crowded(number: 20)) == nil)
    #expect(table.update(Crowded(number: 13)) { $0.take() } == "13")
    #expect(
      table.update(Crowded(number: 14)) { value in
        value? += "!"; return value
      } == "14!")
    #expect(table.count == 19 && table.value(Crowded(number: 13)) == nil)
    #expect(Set(table.all.map(\.value)).count == 19)
    #expect(table.takeAll().count == 19 && table.count == 0)
    #expect(table.value(Crowded(number: 14)) == nil)
  }

  @Test func threadsLoseNothing() {
    let table = SharedTable<Crowded, Int>()
    onThreads(4) { _ in
      for round in 0..<500 { table.update(Crowded(number: round % 20)) { $0 = ($0 ?? 0) + 1 } }
    }
    #expect(table.count == 20 && table.all.map(\.value) == Array(repeating: 100, count: 20))
  }

  private final class Watched: Hashable, Sendable {
    let table: SharedTable<Watched, Int>
    init(_ table: SharedTable<Watched, Int>) { self.table = table }
    static func == (lhs: Watched, rhs: Watched) -> Bool { lhs.table.count >= 0 && lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(table.count >= 0) }
  }

  @Test func keysMayUseTheTable() {
    let table = SharedTable<Watched, Int>()
    let keys = [Watched(table), Watched(table)]
    for (number, key) in keys.enumerated() { table.update(key) { $0 = number } }
    #expect(table.value(keys[1]) == 1 && table.takeAll().count == 2)
  }
}
