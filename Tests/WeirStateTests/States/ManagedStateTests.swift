// Tests of the model that applies its own rules.

import Foundation
import TestKit
import Testing
import Weir
import WeirState

/// The model of CombineExt's own counter test; it counts how often its rules run.
private struct Counting: BehavioralStateContract {
  var value = 0
  var valueFunc = 0
  var valueBind = 0
  @IgnoredState var functions = Counter()
  @IgnoredState var binds = Counter()

  mutating func applyRules() {
    functions.add()
    valueFunc = value * 2
  }

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.bind(to: \.value) { (parent: inout Counting) in
      parent.binds.add()
      parent.valueBind = parent.value * 3
    }
  }
}

@Suite struct ManagedStateTests {
  /// 1, 3, 5, 7 and 1, 2, 3, 4.
  @Test func rulesRunOnceForTheFirstValueAndTwiceForEachChange() {
    let functions = Counter()
    let binds = Counter()
    var counts: [[Int]] = []
    @ManagedState var state = Counting(functions: functions, binds: binds)
    counts.append([functions.value, binds.value])
    for number in 1...3 {
      state.value += 1
      counts.append([functions.value, binds.value])
      #expect(state.valueFunc == number * 2 && state.valueBind == number * 3)
    }
    #expect(counts == [[1, 1], [3, 2], [5, 3], [7, 4]])
  }

  @Test func eachChangeIsPublishedOnceAfterTheRules() {
    @ManagedState var state = NumberModel()
    let log = Log<[Int]>()
    $state.sink { (model: NumberModel) in log.values.append([model.number, model.doubled, model.history]) }
      .store(in: &log.cancellables)
    state.number = 1
    state.number = 1
    $state.withLock { _ in }
    $state.withLock { $0.number = 2 }
    #expect(log.values == [[0, 0, 0], [1, 2, 1], [2, 4, 1002]])
  }

  @Test func aChangeThatRulesUndoIsNotPublished() {
    struct Bounded: BehavioralStateContract {
      var number = 0
      mutating func applyRules() { number = min(number, 3) }
    }
    @ManagedState var state = Bounded()
    let log = Log<Int>()
    $state.sink { (model: Bounded) in log.values.append(model.number) }.store(in: &log.cancellables)
    for number in 3...5 { state.number = number }
    #expect(log.values == [0, 3] && state.number == 3)
  }

  @Test func aDiffBeginsBeforeTheWholeCascade() {
    @ManagedState var state = NumberModel()
    let log = Log<DiffedValue<NumberModel>>()
    $state.diffedPublisher.sink { (diff: DiffedValue<NumberModel>) in log.values.append(diff) }
      .store(in: &log.cancellables)
    state.number = 3
    #expect(log.values.last?.old == NumberModel() && log.values.last?.new.doubled == 6)
  }

  /// Four threads, values 0 to 4 in order.
  @Test func withLockIsAtomic() {
    let state = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    state.justNew(\.number).sink { log.values.append($0) }.store(in: &log.cancellables)
    onThreads(4) { _ in state.withLock { $0.number += 1 } }
    #expect(log.values == [0, 1, 2, 3, 4])
  }

  @Test func eightThreadsLoseNoUpdateUnderAnyLock() {
    for lock: ManagedStateLock in [.synced, .custom(NSLock()), .custom(NSRecursiveLock())] {
      let state = ManagedState(wrappedValue: NumberModel(), lock: lock)
      let log = Log<NumberModel>()
      state.sink { (model: NumberModel) in log.values.append(model) }.store(in: &log.cancellables)
      onThreads(8) { _ in
        for _ in 0..<100 {
          state.withLock { $0.number += 1 }
          state.number += 1
          state.observe(\.number).withLock { $0 += 1 }
        }
      }
      #expect(state.number == 2400)
      #expect(log.values.map(\.number) == Array(0...2400))
      #expect(log.values.allSatisfy { $0.doubled == $0.number * 2 })
    }
  }

  /// The property that the compiler makes changes in place, too, rather than reading and writing.
  @Test func aChangeOfTheWrappedPropertyInPlaceIsOneStep() {
    final class Owner {
      @ManagedState var model = NumberModel()
      @UIState var person = Person(age: 0)
      @ValueSubject var number = 0
    }
    let owner = Shared(Owner())
    onThreads(8) { _ in
      for _ in 0..<200 {
        owner.value.model.number += 1
        owner.value.person.age += 1
        owner.value.number += 1
      }
    }
    #expect(owner.value.model.number == 1600)
    #expect(owner.value.person.age == 1600 && owner.value.number == 1600)
  }

  /// Two threads are inside a rule each, which writes into the other state.
  @Test func statesWhoseRulesWriteIntoEachOtherDoNotDeadlock() {
    let states = [Peer(), Peer()].map { ManagedState(wrappedValue: Crossing(peer: $0)) }
    let inside = Counter()
    for (state, other) in zip(states, states.reversed()) {
      state.wrappedValue.peer.write = { number in
        inside.add()
        inside.wait(for: 2)
        other.wrappedValue.echo = number
      }
    }
    let threads = states.map { state in OtherThread { state.wrappedValue.number = 1 } }
    #expect(threads.allSatisfy { $0.comesBack() } && states.map(\.wrappedValue.number) == [1, 1])
  }

  /// A rule writes into a state whose closure writes into the rule's.
  @Test func aRuleAndAClosureThatWriteIntoEachOthersStateDoNotDeadlock() {
    // Which of the two waits for the other one is up to them.
    for _ in 0..<20 {
      let state = ManagedState(wrappedValue: Crossing(peer: Peer()))
      let other = UIState(wrappedValue: 0)
      let inside = Counter()
      func meet() {
        inside.add()
        inside.wait(for: 2)
      }
      state.wrappedValue.peer.write = { number in
        guard number == 1 else { return }
        meet()
        other.wrappedValue = 1
      }
      let threads = [
        OtherThread { state.wrappedValue.number = 1 },
        OtherThread {
          other.withLock { _ in
            meet()
            state.wrappedValue.number = 2
          }
        },
      ]
      guard threads.allSatisfy({ $0.comesBack() }) else {
        Issue.record("they wait for each other")
        return
      }
      #expect(state.number > 0)
    }
  }

  /// Each write found the other state as it had been before, and so ran the rules of that one within themselves.
  @Test func statesWhoseRulesKeepEachOtherInStepComeToRest() {
    let states = [Peer(), Peer()].map { ManagedState(wrappedValue: Crossing(peer: $0)) }
    for (state, other) in zip(states, states.reversed()) {
      state.wrappedValue.peer.write = { other.wrappedValue.number = $0 }
    }
    states[0].wrappedValue.number = 1
    #expect(states.map(\.wrappedValue.number) == [1, 1])
    states[1].wrappedValue.number = 2
    #expect(states.map(\.wrappedValue.number) == [2, 2])
  }

  /// A rule that finds another value each time ran within itself until the stack was full.
  @Test func rulesThatWriteAnotherValueEachTimeEnd() {
    let state = ManagedState(wrappedValue: Crossing(peer: Peer()))
    let calls = Counter()
    // Several of them: a bound of the depth alone would not end in a lifetime.
    state.wrappedValue.peer.write = { number in
      calls.add()
      for step in 1...4 { state.wrappedValue.number = number + step }
    }
    state.wrappedValue.number = 1
    #expect(state.number == 1)
    #expect(calls.value == 136, "a hundred runs, and the rounds after those in which others were shown")
  }

  @Test func whatIsLeftToTheChangeUnderWayIsNotSeenUnsettled() {
    let states = [Peer(), Peer()].map { ManagedState(wrappedValue: Doubling(peer: $0)) }
    for (state, other) in zip(states, states.reversed()) {
      state.wrappedValue.peer.write = { other.wrappedValue.number = $0 }
    }
    var seen: [[Int]] = []
    let tokens = states.map { state in
      state.sink { (value: Doubling) in seen.append([value.number, value.doubled]) }
    }
    states[0].wrappedValue.number = 1
    #expect(seen.allSatisfy { $0[1] == 2 * $0[0] } && seen.count == 4)
    withExtendedLifetime(tokens) {}
  }

  /// Threads that nothing keeps apart have what their rules are running for apart all the same.
  @Test func withoutALockRulesOfSeveralThreadsLeaveTheMemoryValid() {
    let state = ManagedState(wrappedValue: Doubling(peer: Peer()), lock: .absent)
    onThreads(4) { thread in
      for number in 0..<200 { state.wrappedValue.number = thread * 1_000 + number }
    }
    #expect(state.wrappedValue.doubled == 2 * state.wrappedValue.number)
  }

  private struct Doubling: BehavioralStateContract {
    var number = 0
    var doubled = 0
    @IgnoredState var peer: Peer

    mutating func applyRules() { doubled = 2 * number }

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Doubling>) in diff.new.peer.write(diff.new.number) }
    }
  }

  @Test func whatARuleWritesIntoItsOwnStateIsStoredFirstAndOverwritten() {
    let state = ManagedState(wrappedValue: Crossing(peer: Peer()))
    var seen: [[Int]] = []
    let token = state.sink { (value: Crossing) in seen.append([value.number, value.echo]) }
    state.wrappedValue.peer.write = { _ in state.wrappedValue.echo = 7 }
    state.wrappedValue.number = 1
    #expect(seen == [[0, 0], [0, 7], [1, 0]])
    #expect(state.number == 1 && state.echo == 0)
    token.cancel()
  }

  /// A rule's diff showed its own value for ever, and whoever wrote a part of it later wrote all of that back.
  @Test func aDiffThatARuleHasKeptChangesTheStateAsItIsThen() {
    struct Model: BehavioralStateContract {
      var number = 0
      var text = ""
      @IgnoredState var kept = Log<DiffedValue<Model>>()

      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bindDiffed { (diff: DiffedValue<Model>) in diff.new.kept.values.append(diff) }
      }
    }
    let state = ManagedState(wrappedValue: Model())
    state.number = 1
    let diff = state.kept.values[state.kept.values.count - 1]
    state.text = "mine"
    diff.number = 9
    #expect(state.number == 9 && state.text == "mine")
    diff.map(keyPath: \.number).new = 10
    #expect(state.number == 10 && state.text == "mine")
    #expect(diff.new.number == 1 && diff.new.text == "", "a snapshot")
    state.kept.values = []
  }

  private final class Peer: @unchecked Sendable { var write: (Int) -> Void = { _ in } }

  private struct Crossing: BehavioralStateContract {
    var number = 0
    var echo = 0
    @IgnoredState var peer: Peer

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Crossing>) in diff.new.peer.write(diff.new.number) }
    }
  }

  /// What they wrote was replaced by the first value; binding rules got the change to it as their first diff.
  @Test func whatRulesOfAnyKindWriteWhileTheyAreMadeStays() {
    struct Model: BehavioralStateContract {
      var isLoaded = false
      @IgnoredState var log = Log<[Bool?]>()
      @AnyTokenBuilder<Any>
      static func applyAnyRules(to state: UIBinding<Self>) -> [Any] {
        state.first().sink { (_: DiffedValue<Model>) in state.wrappedValue.isLoaded = true }
      }
      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bindDiffed { $0.new.log.values.append([$0.old?.isLoaded, $0.new.isLoaded]) }
      }
    }
    let log = Log<[Bool?]>()
    let state = ManagedState(wrappedValue: Model(log: log))
    #expect(state.isLoaded && log.values == [[nil, true], [true, true]])
  }

  /// They were published, but nobody was told before.
  @Test func changesByTheFirstRulesAreAnnounced() {
    struct Model: BehavioralStateContract {
      var number = 1
      var doubled = 0
      @IgnoredState var log = Log<Int>()

      mutating func applyRules() { doubled = number * 2 }

      @NotificationBuilder
      static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken] {
        let log = state.wrappedValue.log
        state.objectWillChange.sink { log.values.append(state.wrappedValue.doubled) }.store(in: &log.cancellables)
      }
    }
    let log = Log<Int>()
    let state = ManagedState(wrappedValue: Model(log: log))
    #expect(log.values == [0] && state.doubled == 2)
    log.cancellables = []
  }

  /// It kept its first value, and the value before the last change that rules had been told of.
  @Test func aStateKeepsNoValueButItsOwn() {
    struct Model: BehavioralStateContract {
      var number = 0
      @IgnoredState var objects: [LifetimeTracked] = []

      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bind(to: \.number) { (model: inout Model) in model.number += 0 }
      }
    }
    let lifetimes = Lifetimes()
    let state = ManagedState(wrappedValue: Model(objects: [lifetimes.track()]))
    state.wrappedValue.objects = []
    #expect(lifetimes.live == 0)
    state.wrappedValue.objects = [lifetimes.track()]
    state.wrappedValue.number = 1
    state.wrappedValue.objects = []
    #expect(lifetimes.live == 0)
  }

  private final class Watch {
    var rules: AnyPublisher<DiffedValue<Watched>, Never>?
    var change: () -> Void = {}
  }

  private struct Watched: BehavioralStateContract {
    var number = 0
    var echo = 0
    @IgnoredState var watch: Watch

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Watched>) in
        diff.new.watch.rules = state
        diff.new.watch.change()
      }
    }
  }

  private func numbers(_ rule: RecordingSubscriber<DiffedValue<Watched>, Never>) -> [[Int?]] {
    rule.values.map { [$0.old?.number, $0.new.number, $0.new.echo] }
  }

  /// It got the diff that rules had been sent last: with `old`, and of a value that was overwritten.
  @Test func aRuleThatSubscribesLateBeginsWithTheValue() {
    let watch = Watch()
    let state = ManagedState(wrappedValue: Watched(watch: watch))
    watch.change = { state.wrappedValue.echo = 7 }
    state.wrappedValue.number = 1
    watch.change = {}
    let late = RecordingSubscriber<DiffedValue<Watched>, Never>(.max(2))
    watch.rules?.subscribe(late)
    for number in 2...4 { state.wrappedValue.number = number }
    late.request(.unlimited)
    #expect(numbers(late) == [[nil, 1, 0], [1, 2, 0], [nil, 4, 0]])
  }

  /// It got it twice.
  @Test func aRuleThatAsksWithinTheCallOfAnotherGetsTheChangeOnce() {
    let watch = Watch()
    let state = ManagedState(wrappedValue: Watched(watch: watch))
    let second = RecordingSubscriber<DiffedValue<Watched>, Never>()
    watch.rules?.subscribe(second)
    watch.change = { second.request(.unlimited) }
    state.wrappedValue.number = 1
    #expect(numbers(second) == [[nil, 1, 0]])
  }

  /// The change itself counted as known to it.
  @Test func aRuleThatBeginsWithWhatIsOverwrittenLearnsOfTheWholeChange() {
    let watch = Watch()
    let state = ManagedState(wrappedValue: Watched(watch: watch))
    let late = RecordingSubscriber<DiffedValue<Watched>, Never>()
    watch.rules?.subscribe(late)
    let token = watch.rules?.sink { (diff: DiffedValue<Watched>) in
      if diff.echo == 7 { late.request(.unlimited) }
      if diff.number == 1, diff.old?.echo == 0 { state.wrappedValue.echo = 7 }
    }
    state.wrappedValue.number = 1
    #expect(numbers(late) == [[nil, 0, 7], [nil, 1, 0]])
    token?.cancel()
  }

  /// Closures that write into each other's state while both are being changed.
  @Test func statesThatAreChangedCrosswiseDoNotDeadlock() {
    let a = ManagedState(wrappedValue: NumberModel())
    let b = ManagedState(wrappedValue: NumberModel())
    onThreads(2) { number in
      let (mine, other) = number == 0 ? (a, b) : (b, a)
      for _ in 0..<500 {
        mine.withLock { model in
          other.withLock { $0.text += "." }
          model.number += 1
        }
      }
    }
    // A change that was lent a turn inside another one's change is overwritten by that, as on one thread.
    #expect(a.number == 500 && b.number == 500)
  }

  @Test func anAbsentLockServesOneThread() {
    @ManagedState(lock: .absent) var state = NumberModel()
    state.number += 1
    $state.withLock { $0.number += 1 }
    #expect(state.doubled == 4)
  }

  @Test func withLockReturnsWhatItsBodyReturnsAndThrowsWhatItThrows() throws {
    @ManagedState var state = NumberModel()
    let former = $state.withLock { model -> Int in
      defer { model.number = 9 }
      return model.number
    }
    #expect(former == 0 && state.number == 9)
    #expect(throws: TestFailure.self) {
      try $state.withLock { model throws(TestFailure) in
        model.number = 10
        throw TestFailure.first
      }
    }
    #expect(state.number == 9)
  }

  @Test func bindingsByMemberByCallAndByObserve() {
    @ManagedState var state = NumberModel()
    let byMember: UIBinding<Int> = $state.number
    byMember.wrappedValue += 1
    $state(\.number).wrappedValue += 1
    $state().wrappedValue.number += 1
    $state.observe(\.number).wrappedValue += 1
    let plain: Int = $state.number
    #expect(plain == 4 && state.doubled == 8)
  }

  @Test func itIsASubscriberSourceOfValuesAndOfDiffs() {
    let state = ManagedState(wrappedValue: NumberModel())
    let values = RecordingSubscriber<NumberModel, Never>(.unlimited)
    state.receive(subscriber: values)
    state.number = 1
    #expect(values.values.map(\.number) == [0, 1])
  }

  @Test func equalityHashingAndMirrorAreThoseOfTheValue() {
    #expect(ManagedState(wrappedValue: NumberModel()) == ManagedState(wrappedValue: NumberModel()))
    #expect(Mirror(reflecting: ManagedState(wrappedValue: NumberModel())).children.count == 4)
  }

  @Test func aChangeIsAnnouncedOnceHoweverManyPartsItsRulesWrite() {
    let state = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    state.objectWillChange.sink { log.values.append(state.history) }.store(in: &log.cancellables)
    state.number = 5
    let number: UIBinding<Int> = state.number
    number.wrappedValue = 6
    #expect(log.values == [0, 5] && state.history == 5006)
  }
}
