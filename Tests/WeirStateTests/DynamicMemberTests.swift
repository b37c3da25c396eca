// Looking at parts of a state, however often, leaves nothing behind.

import TestKit
import Testing
import Weir
import WeirState

/// Counts how often its part is looked at: each subscription to the part does so at each change.
private struct Watched: BehavioralStateContract {
  @IgnoredState var looks = Counter()
  var number = 0
  var part: Int {
    get {
      looks.add()
      return number
    }
    set { number = newValue }
  }
}

private struct Holding: BehavioralStateContract {
  var number = 0
  var token: LifetimeTracked
}

@Suite struct DynamicMemberTests {
  @Test func aThousandAccessesLeaveNoSubscriptionToAManagedState() {
    let looks = Counter()
    let state = ManagedState(wrappedValue: Watched(looks: looks))
    for _ in 0..<1000 {
      let binding: UIBinding<Int> = state.part
      _ = binding.publisher
    }
    let before = looks.value
    state.wrappedValue.number = 1
    #expect(looks.value == before)
  }

  @Test func aThousandAccessesLeaveNoSubscriptionToAValueSubject() {
    let looks = Counter()
    let subject = ValueSubject(wrappedValue: Watched(looks: looks))
    for _ in 0..<1000 {
      let part: ValueSubject<Int> = subject.part
      _ = part.publisher
    }
    let before = looks.value
    subject.wrappedValue.number = 1
    #expect(looks.value == before)
  }

  @Test func aThousandSubscriptionsToPartsEndWithTheirCancellables() {
    let looks = Counter()
    let state = ManagedState(wrappedValue: Watched(looks: looks))
    for _ in 0..<1000 {
      let binding: UIBinding<Int> = state.part
      binding.publisher.sink { _ in }.cancel()
    }
    let before = looks.value
    state.wrappedValue.number = 1
    #expect(looks.value == before)
  }

  @Test func bindingsToPartsDoNotKeepTheirStateAliveAfterThem() {
    let lifetimes = Lifetimes()
    do {
      let state = ManagedState(wrappedValue: Holding(token: lifetimes.track()))
      for number in 0..<100 {
        let binding: UIBinding<Int> = state.number
        binding.wrappedValue = number
      }
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
