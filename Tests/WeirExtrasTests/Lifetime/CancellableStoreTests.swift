// Tests of `CancellableStore`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CancellableStoreTests {
  private let store = CancellableStore()

  @Test func keepsSubscriptionsUntilTheyAreCancelled() {
    let cancelled = Counter()
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    store.store(subject.sink { values.append($0) })
    store.store(AnyCancellable { cancelled.add() })
    #expect(store.cancellables.count == 2)
    subject.send(1)
    store.cancelAll()
    subject.send(2)
    #expect(values == [1])
    #expect(cancelled.value == 1)
    #expect(store.cancellables.isEmpty)
    AnyCancellable { cancelled.add() }.store(in: &store.cancellables)
    #expect(store.cancellables.count == 1)
    store.cancellables = []
    #expect(cancelled.value == 2)
  }

  /// In the commonly copied version they piled up.
  @Test func whatHasFinishedIsNotKept() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    store.sink(subject) { values.append($0) }
    store.sink(Just(2)) { values.append($0) }
    #expect(store.cancellables.count == 1)
    subject.send(completion: .finished)
    #expect(store.cancellables.isEmpty)
    #expect(values == [2])
  }

  /// In the commonly copied version they would have broken the set.
  @Test func eightThreadsLoseNothing() {
    let store = CancellableStore()
    let cancelled = Counter()
    onThreads(8) { _ in
      for _ in 0..<200 { store.store(AnyCancellable { cancelled.add() }) }
    }
    #expect(store.cancellables.count == 1_600)
    onThreads(8) { _ in store.cancelAll() }
    #expect(cancelled.value == 1_600)
  }

  /// Each was read, changed and written back, so that threads cancelled each other's.
  @Test func threadsThatStoreInTheSetLoseNothing() {
    let store = CancellableStore()
    let cancelled = Counter()
    onThreads(8) { _ in
      for _ in 0..<50 { AnyCancellable { cancelled.add() }.store(in: &store.cancellables) }
    }
    #expect(store.cancellables.count == 400 && cancelled.value == 0)
  }

  /// Storing in the set gave every subscription another key, under which its stream's end did not find it.
  @Test func storingInTheSetLeavesTheOthersAsTheyWere() {
    let subject = PassthroughSubject<Int, Never>()
    store.sink(subject) { _ in }
    let other = AnyCancellable {}
    other.store(in: &store.cancellables)
    subject.send(completion: .finished)
    #expect(store.cancellables == [other])
    store.cancellables.remove(other)
    #expect(store.cancellables.isEmpty)
  }

  @Test func onlyWhatIsStoredOnceMoreOutlivesItsStream() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let again = store.sink(first) { _ in }
    // It is in the set already.
    store.sink(second) { _ in }.store(in: &store.cancellables)
    store.store(again)
    first.send(completion: .finished)
    second.send(completion: .finished)
    #expect(store.cancellables == [again])
  }

  @Test func whatHasEndedMeanwhileDoesNotComeBack() {
    let subject = PassthroughSubject<Int, Never>()
    let other = AnyCancellable {}
    store.sink(subject) { _ in }
    func change(_ set: inout Set<AnyCancellable>) {
      subject.send(completion: .finished)
      set.insert(other)
    }
    change(&store.cancellables)
    #expect(store.cancellables == [other])
  }
}
