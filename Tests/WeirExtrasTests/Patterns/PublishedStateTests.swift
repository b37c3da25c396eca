// Tests of `@PublishedState`.

import TestKit
import Testing
import Weir
import WeirExtras

private final class StateManager: ObservableObject {
  @PublishedState var currentUser: String?
  @PublishedState var isOnboarded: Bool = false
  @Published var theme = 0
}

@Suite struct PublishedStateTests {
  private let manager = StateManager()

  @Test func publishesThePresentValueAndEachNewOne() {
    var users: [String?] = []
    let cancellable = manager.$currentUser.sink { users.append($0) }
    manager.currentUser = "Ann"
    manager.currentUser = nil
    #expect(users == [nil, "Ann", nil])
    withExtendedLifetime(cancellable) {}
  }

  @Test func subscribersReadTheNewValue() {
    var read: [Bool] = []
    let cancellable = manager.$isOnboarded.sink { [unowned manager] _ in read.append(manager.isOnboarded) }
    manager.isOnboarded = true
    #expect(read == [false, true])
    withExtendedLifetime(cancellable) {}
  }

  @Test func whoStandsBehindASubscriberThatSetsItGetsTheNewerValueFirst() {
    let state = PublishedState(wrappedValue: 0)
    var told: [Int] = []
    var read: [Int] = []
    let cancellables = [
      state.projectedValue.sink { [unowned state] value in
        if value == 1 { state.wrappedValue = 2 }
      },
      state.projectedValue.sink { [unowned state] value in
        told.append(value)
        read.append(state.wrappedValue)
      },
    ]
    state.wrappedValue = 1
    #expect(told == [0, 2, 1] && read == [0, 2, 2])
    withExtendedLifetime(cancellables) {}
  }

  /// The commonly copied version did not tell the object's observers.
  @Test func tellsOfAChangeOfItsObjectBeforeItIsStored() {
    var seen: [Bool] = []
    let cancellable = manager.objectWillChange.sink { [unowned manager] _ in seen.append(manager.isOnboarded) }
    manager.isOnboarded = true
    manager.isOnboarded = false
    manager.theme = 2
    #expect(seen == [false, true, false])
    withExtendedLifetime(cancellable) {}
  }

  @Test func eightThreadsWriteAndEverybodySeesTheSameLastValue() {
    let state = PublishedState(wrappedValue: -1)
    let last = [Shared(-1), Shared(-1)]
    let cancellables = last.map { box in state.projectedValue.sink { box.value = $0 } }
    onThreads(8) { thread in
      for number in 0..<200 { state.wrappedValue = thread * 1_000 + number }
    }
    #expect(last[0].value == state.wrappedValue)
    #expect(last[1].value == state.wrappedValue)
    withExtendedLifetime(cancellables) {}
  }
}
