// Tests of a subscription's life: every order of handing over, using and ending.

import TestKit
import Testing
import Weir

@Suite struct SubscriptionStateTests {
  private func activated() -> SubscriptionState {
    let state = SubscriptionState()
    _ = state.beginActivation()
    _ = state.endActivation()
    return state
  }

  @Test func isActivatedOnce() {
    let state = SubscriptionState()
    #expect(state.isActive == false)
    #expect(state.isOver == false)
    #expect(state.beginActivation() == true)
    #expect(state.isActive == false)
    #expect(state.beginActivation() == false)
    #expect(state.endActivation() == true)
    #expect(state.isActive == true)
    #expect(state.beginActivation() == false)
  }

  @Test func isUsedOnlyWhileActive() {
    let state = SubscriptionState()
    #expect(state.beginUse() == false)
    _ = state.beginActivation()
    #expect(state.beginUse() == false)
    _ = state.endActivation()
    #expect(state.beginUse() == true)
    #expect(state.beginUse() == true)
    #expect(state.endUse() == false)
    #expect(state.endUse() == false)
    #expect(state.isActive == true)
  }

  @Test func theEnderEmptiesTheFieldIfNobodyElseUsesIt() {
    let state = activated()
    #expect(state.end() == .active)
    #expect(state.isOver == true)
    #expect(state.endUse() == true)
    #expect(state.end() == .over)
    #expect(state.cancel() == .over)
    #expect(state.beginUse() == false)
  }

  @Test func theLastUserEmptiesTheField() {
    let state = activated()
    #expect(state.beginUse() == true)
    #expect(state.beginUse() == true)
    #expect(state.cancel() == .active)
    #expect(state.endUse() == false)
    #expect(state.endUse() == false)
    #expect(state.endUse() == true)
  }

  @Test func whoEndsItIsTheLastUserUnlessThereAreOthers() {
    let alone = activated()
    #expect(alone.end() == .active)
    #expect(alone.endLastUse() == true)
    #expect(alone.isOver == true)
    #expect(alone.beginUse() == false)
    let used = activated()
    #expect(used.beginUse() == true)
    #expect(used.end() == .active)
    #expect(used.endLastUse() == false)
    #expect(used.endUse() == true)
  }

  @Test func endingBeforeActivationRefusesIt() {
    let state = SubscriptionState()
    #expect(state.end() == .awaiting)
    #expect(state.isOver == true)
    #expect(state.beginActivation() == false)
    #expect(state.end() == .over)
  }

  @Test func cancellingBeforeActivationDoesNothing() {
    let state = SubscriptionState()
    #expect(state.cancel() == .awaiting)
    #expect(state.isOver == false)
    #expect(state.beginActivation() == true)
  }

  @Test func endingDuringActivationLeavesTheFieldToTheActivator() {
    for cancels in [false, true] {
      let state = SubscriptionState()
      #expect(state.beginActivation() == true)
      #expect((cancels ? state.cancel() : state.end()) == .activating)
      #expect(state.endActivation() == false)
      #expect(state.isOver == true)
    }
  }

  /// However many threads use and end it, exactly one empties the field, when nobody uses it any more.
  @Test func oneThreadEmptiesTheField() {
    for _ in 0..<300 {
      let state = activated()
      let using = Counter()
      let emptied = Counter()
      let usersAtTheEnd = Counter()
      let finishUse = {
        using.add(-1)
        guard state.endUse() else { return }
        usersAtTheEnd.add(using.value)
        emptied.add()
      }
      onThreads(3) { number in
        if number == 0 {
          guard state.end() == .active else { return }
          using.add()
          finishUse()
        } else {
          for _ in 0..<20 {
            guard state.beginUse() else { return }
            using.add()
            finishUse()
          }
        }
      }
      #expect(emptied.value == 1)
      #expect(usersAtTheEnd.value == 0)
      #expect(state.isOver == true)
    }
  }
}
