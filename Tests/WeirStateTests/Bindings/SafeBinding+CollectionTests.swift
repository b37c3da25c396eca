// Tests of bindings to elements.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct SafeBindingCollectionTests {
  @Test func outOfRangeReadsTheDefaultAndIsNotWritten() {
    @UIState var items = ["A", "B"]
    let inside = $items.safe(1, default: "default")
    let outside = $items.safe(5, default: "default")
    inside.wrappedValue = "X"
    outside.wrappedValue = "Y"
    #expect(items == ["A", "X"])
    #expect(inside.wrappedValue == "X" && outside.wrappedValue == "default")
  }

  @Test func aSafeElementPublishesItselfOrTheDefault() {
    @UIState var items = [1, 2]
    let log = Log<DiffedValue<Int>>()
    $items.safe(1, default: 0).sink { (diff: DiffedValue<Int>) in log.values.append(diff) }
      .store(in: &log.cancellables)
    items[0] = 5
    items = []
    items = [7, 8]
    #expect(log.values.map(\.new) == [2, 0, 8] && log.values.map(\.old) == [nil, 2, 0])
  }

  @Test func anElementComesThatMayHaveChangedUnasked() {
    let items = UIState(wrappedValue: [1, 2])
    let recorder = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1))
    items.safe(0, default: 0).subscribe(recorder)
    items.wrappedValue[1] = 3
    recorder.request(.max(1))
    #expect(recorder.values.map(\.new) == [1, 1] && recorder.values.map(\.old) == [nil, nil])
  }

  /// The change of the element was missed, and the next one, of another element, hid it.
  @Test func anElementThatChangedUnaskedComesThoughAnotherChangeIsOnItsWay() {
    let items = UIState(wrappedValue: [1, 2])
    let recorder = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1))
    items.unsafe(0).subscribe(recorder)
    let log = Log<[Int]>()
    items.sink { (list: [Int]) in
      log.values.append(list)
      guard list == [3, 2] else { return }
      items.wrappedValue[1] = 4
      recorder.request(.max(1))
    }.store(in: &log.cancellables)
    items.wrappedValue[0] = 3
    #expect(recorder.values.map(\.new) == [1, 3] && recorder.values.map(\.old) == [nil, nil])
    #expect(log.values == [[1, 2], [3, 2], [3, 4]])
    recorder.cancel()
  }

  @Test func anUnsafeElementTrapsWhereItIsMissing() async {
    await #expect(processExitsWith: .failure) { _ = UIState(wrappedValue: [1]).unsafe(1).wrappedValue }
    await #expect(processExitsWith: .failure) { UIState(wrappedValue: [1]).unsafe(1).wrappedValue = 2 }
    await #expect(processExitsWith: .failure) { _ = UIState(wrappedValue: [1]).safe(1) }
  }

  @Test func elementsThatCanNotBeComparedArePublishedAtEachChange() {
    struct Opaque { var number: Int }
    let list = ValueSubject(wrappedValue: [Opaque(number: 1), Opaque(number: 2)])
    let log = Log<Int>()
    list.unsafe(1).sink { (opaque: Opaque) in log.values.append(opaque.number) }.store(in: &log.cancellables)
    list.safe(1).sink { (opaque: Opaque) in log.values.append(-opaque.number) }.store(in: &log.cancellables)
    list.wrappedValue[0].number = 5
    #expect(log.values == [2, -2, 2, -2])
    #expect(list.bindingArray().map(\.wrappedValue.number) == [5, 2])
  }

  @Test func elementsAreWrittenThroughTheirBindings() {
    @UIState var items = [1, 2, 3]
    for binding in $items.bindingArray() { binding.wrappedValue *= 2 }
    $items.unsafe(0).wrappedValue += 1
    #expect(items == [3, 4, 6])
  }

  @Test func elementsGoByTheirIndices() {
    let items = UIState(wrappedValue: [1, 2, 3])
    let (all, first, last) = (items.bindingArray(), items.safe(0), items.safe(2))
    items.wrappedValue.removeFirst()
    #expect(all.map(\.wrappedValue) == [2, 3, 3] && first.wrappedValue == 2 && last.wrappedValue == 3)
    first.wrappedValue = 9
    last.wrappedValue = 9
    #expect(items.wrappedValue == [9, 3])
  }

  /// Each was published as a change.
  @Test func aWriteOutOfRangeTellsNobody() {
    let list = ValueSubject(wrappedValue: [1])
    let log = Log<[Int]>()
    list.sink { (list: [Int]) in log.values.append(list) }.store(in: &log.cancellables)
    list.safe(5, default: 0).wrappedValue = 9
    list.safe(0, default: 0).wrappedValue = 2
    #expect(log.values == [[1], [2]])
  }

  /// The state held the subscriber, and that the state.
  @Test func aSubscriptionToAnElementDoesNotKeepTheState() {
    weak var weakState: UIState<[Int]>?
    let log = Log<DiffedValue<Int>>()
    let sink = Subscribers.Sink<DiffedValue<Int>, Never>(
      receiveCompletion: { _ in }, receiveValue: { log.values.append($0) })
    do {
      let state = UIState(wrappedValue: [1, 2])
      weakState = state
      state.safe(1, default: 0).subscribe(sink)
      log.values[0].new = 3
      #expect(state.wrappedValue == [1, 3])
    }
    #expect(weakState == nil && log.values.map(\.new) == [2, 3])
    log.values[0].new = 4
    #expect(log.values.count == 2)
    sink.cancel()
  }
}
