// Tests of lanes that several threads fill and a scheduler empties.

import TestKit
import Testing

@testable import Weir

@Suite struct ShardedCoreTests {
  /// A scheduler that is run by hand, and what is delivered there.
  private final class Place: @unchecked Sendable {
    var jobs: [() -> Void] = []
    var values: [Int] = []
    var completions = 0
    private(set) lazy var core = ShardedCore<Int, Never>(
      schedule: { [unowned self] in jobs.append($0) }, deliver: { [unowned self] in values.append($0) },
      finish: { [unowned self] _ in completions += 1 })

    /// - Returns: How many jobs were run.
    func run() -> Int {
      var count = 0
      while !jobs.isEmpty {
        jobs.removeFirst()()
        count += 1
      }
      return count
    }
  }

  @Test func oneJobDeliversWhatIsThere() {
    let place = Place()
    let lanes = (0..<2).map { _ in ShardLane(place.core) }
    for value in 0..<10 { lanes[value % 2].send(value) }
    #expect(place.values == [])
    #expect(place.run() == 1)
    #expect(place.values == [0, 2, 4, 6, 8, 1, 3, 5, 7, 9])
    lanes[0].send(10)
    #expect(place.run() == 1)
    #expect(place.values.last == 10)
  }

  @Test func lanesTakeTurnsAndJobsGiveWay() {
    let place = Place()
    let lanes = (0..<2).map { _ in ShardLane(place.core) }
    for value in 0..<1_000 { for lane in 0...1 { lanes[lane].send(lane * 10_000 + value) } }
    #expect(place.run() == 2)
    #expect(place.values.count == 2_000)
    #expect(Array(place.values.prefix(128)) == Array(0..<64) + Array(10_000..<10_064))
    for lane in 0...1 {
      #expect(place.values.filter { $0 / 10_000 == lane } == (0..<1_000).map { lane * 10_000 + $0 })
    }
  }

  @Test func theCompletionComesBehindWhatWasSentBefore() {
    let place = Place()
    let lanes = (0..<3).map { _ in ShardLane(place.core) }
    for value in 0..<300 { lanes[value % 3].send(value) }
    let counts = Shared([Int]())
    place.jobs.insert({ counts.value.append(place.values.count) }, at: 0)
    for _ in 0..<2 { place.core.send(completion: .finished) }
    lanes[0].send(300)
    _ = place.run()
    #expect(counts.value == [0])
    #expect(place.completions == 1)
    #expect(place.values.sorted() == Array(0..<300))
  }

  @Test func whatADeliverySendsIsDeliveredToo() {
    let place = Place()
    let (first, second) = (ShardLane(place.core), ShardLane(place.core))
    let sends = Shared<[() -> Void]>([{ second.send(2) }, { first.send(3) }])
    let core = ShardedCore<Int, Never>(
      schedule: { place.jobs.append($0) },
      deliver: { value in
        place.values.append(value)
        if !sends.value.isEmpty { sends.value.removeFirst()() }
      }, finish: { _ in })
    let lane = ShardLane(core)
    lane.send(0)
    lane.send(1)
    _ = place.run()
    #expect(place.values.sorted() == [0, 1, 2, 3])
  }
  /// A lane that sends within each delivery, so that there is never a pause.
  @Test func lanesThatBringNothingAreLeftAloneWhileOthersAreBusy() {
    let place = Place()
    let busy = Shared<ShardLane<Int, Never>?>(nil)
    let core = ShardedCore<Int, Never>(
      schedule: { place.jobs.append($0) },
      deliver: { value in
        place.values.append(value)
        busy.value?.send(0)
      }, finish: { _ in place.completions += 1 })
    busy.value = ShardLane(core)
    busy.value?.send(0)
    let quiet = ShardLane(core)
    quiet.send(1)
    weak var freed: ShardQueue<Int>?
    do {
      let lane = ShardLane(core)
      freed = lane.queue
      lane.send(2)
    }
    // What came in the first batch is left alone after the second one.
    for _ in 0..<2 { place.jobs.removeFirst()() }
    #expect(freed == nil)
    #expect(core.lanes.count == 1)
    quiet.send(3)
    core.send(completion: .finished)
    busy.value = nil
    _ = place.run()
    #expect(place.values.filter { $0 > 0 } == [1, 2, 3])
    #expect(place.completions == 1)
  }
}
