// One test for each known mistake of CombineExt in what this module replaces; Tests/mistakes.csv lists them.

import Foundation
import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct KnownMistakesTests {
  // MARK: ManagedState

  /// There: the lock is held over subscribers, and the second thread waits for it.
  @Test func aSubscriberRunsWithoutTheLock() {
    let state = ManagedState(wrappedValue: NumberModel())
    let isDone = Counter()
    let log = Log<Int>()
    state.justNew(\.number).sink { count in
      if count == 1, isDone.value == 0 {
        onThreads([
          {
            state.withLock { $0.text = "from another thread" }; isDone.add()
          }
        ])
        #expect(isDone.value == 1)
      }
    }.store(in: &log.cancellables)
    state.number = 1
    #expect(state.text == "from another thread")
  }

  /// There: each thread holds its state's lock and waits for the other's.
  @Test func twoStatesThatUpdateEachOtherFromTwoThreadsDoNotDeadlock() {
    let a = ManagedState(wrappedValue: NumberModel())
    let b = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    a.justNew(\.number).sink { count in b.withLock { $0.text = "\(count)" } }.store(in: &log.cancellables)
    b.justNew(\.number).sink { count in a.withLock { $0.text = "\(count)" } }.store(in: &log.cancellables)
    onThreads(2) { number in
      for _ in 0..<1000 { (number == 0 ? a : b).withLock { $0.number += 1 } }
    }
    #expect(a.number == 1000 && b.number == 1000)
    #expect(a.text == "1000" && b.text == "1000")
  }

  /// There: a lock that is not recursive deadlocks as soon as a subscriber reads the state.
  @Test func aCustomLockNeedNotBeRecursive() {
    let state = ManagedState(wrappedValue: NumberModel(), lock: .custom(NSLock()))
    let log = Log<Int>()
    state.justNew(\.number).sink { _ in log.values.append(state.number) }.store(in: &log.cancellables)
    state.number = 1
    state.withLock { $0.number = state.number + 1 }
    #expect(log.values == [0, 1, 2])
  }

  /// There: the subject keeps a diff whose closures keep the state.
  @Test func aStateIsFreedWithItsLastReference() {
    struct Model: BehavioralStateContract {
      var object: LifetimeTracked
      var number = 0
      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bind(to: \.number) { (model: inout Model) in model.number += 0 }
      }
      @AnyTokenBuilder<Any>
      static func applyAnyRules(to state: UIBinding<Self>) -> [Any] {
        state.sink { (_: Model) in _ = state.wrappedValue }
      }
      @NotificationBuilder
      static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken] {
        let box = Shared(state)
        NotificationCenter().add(forName: .init("none")) { _ in box.value.number += 1 }
      }
    }
    let lifetimes = Lifetimes()
    do {
      let state = ManagedState(wrappedValue: Model(object: lifetimes.track()))
      let ui = UIState(wrappedValue: lifetimes.track(1))
      let subject = ValueSubject(wrappedValue: lifetimes.track())
      var cancellables: Set<AnyCancellable> = []
      state.sink { (_: Model) in }.store(in: &cancellables)
      ui.sink { (_: LifetimeTracked) in }.store(in: &cancellables)
      subject.sink { (_: LifetimeTracked) in }.store(in: &cancellables)
      _ = state.objectWillChange
      state.number = 1
      ui.wrappedValue = lifetimes.track(2)
      subject.wrappedValue = lifetimes.track(3)
      #expect(lifetimes.live == 3)
    }
    #expect(lifetimes.live == 0)
  }

  /// There: the publishers are lazy stored properties that two threads may make at once.
  @Test func publishersCanBeAskedForFromSeveralThreads() {
    let state = ManagedState(wrappedValue: NumberModel())
    let count = Counter()
    onThreads(8) { _ in
      for _ in 0..<100 {
        let token = state.publisher.sink { (_: NumberModel) in count.add() }
        let other = state.objectWillChange.sink {}
        token.cancel()
        other.cancel()
      }
    }
    #expect(count.value == 800)
  }

  /// There: it fires after the change, and on subscription.
  @Test func objectWillChangeFiresBeforeTheChangeAndNotOnSubscription() {
    @ManagedState var managed = NumberModel()
    @UIState var ui = 0
    @ValueSubject var subject = 0
    let log = Log<Int>()
    $managed.objectWillChange.sink { log.values.append(managed.number) }.store(in: &log.cancellables)
    $ui.objectWillChange.sink { log.values.append(ui) }.store(in: &log.cancellables)
    $subject.objectWillChange.sink { log.values.append(subject) }.store(in: &log.cancellables)
    #expect(log.values == [])
    managed.number = 5
    ui = 6
    ui = 6
    subject = 7
    #expect(log.values == [0, 0, 0])
  }

  /// The README calls this safe; it is two steps. Changing in place is one.
  @Test func aChangeInPlaceIsOneStepAndSoIsWithLock() {
    let state = ManagedState(wrappedValue: NumberModel())
    onThreads(8) { _ in
      for _ in 0..<250 {
        state.wrappedValue.number += 1
        state.withLock { $0.number += 1 }
      }
    }
    #expect(state.number == 4000)
  }

  /// There: with warnings on the check can't fail, and the depth that it compares with is always 100.
  @Test func cyclicDependencyDetectionFires() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ManagedStateCyclicDependencyMaxDepth = 50
      let state = ManagedState(wrappedValue: Restless())
      state.isRestless = true
    }
    #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains("after 50 rounds"))
  }

  /// There, too, the value is published as it happens to be after the last round: what the user wrote is in it.
  @Test func aChangeThatDoesNotSettleIsPublishedOnce() async {
    await #expect(processExitsWith: .success) {
      ManagedStateCyclicDependencyWarning = false
      ManagedStateCyclicDependencyMaxDepth = 50
      let state = ManagedState(wrappedValue: Restless())
      var seen: [Int] = []
      let token = state.justNew(\.rounds).sink { seen.append($0) }
      state.isRestless = true
      precondition(seen == [0, 50] && state.rounds == 50 && state.isRestless)
      token.cancel()
    }
  }

  // MARK: UIState and UIBinding

  /// There: the property is written without any synchronisation.
  @Test func uiStateTakesWritesFromSeveralThreads() {
    let state = UIState(wrappedValue: Person(name: "", age: 0))
    onThreads(8) { _ in
      for _ in 0..<250 { state.wrappedValue.age += 1 }
    }
    #expect(state.age == 2000)
  }

  /// There: such a binding publishes its first value and nothing more.
  @Test func aBindingMadeOfGetAndSetPublishesWhatIsWrittenThroughIt() {
    var value = Person()
    let binding = UIBinding(get: { value }, set: { value = $0 })
    let log = Log<String>()
    binding.name.sink { log.values.append($0) }.store(in: &log.cancellables)
    binding.wrappedValue.name = "Bob"
    binding.name.wrappedValue = "Carol"
    #expect(log.values == ["Alice", "Bob", "Carol"])
  }

  // MARK: ValueSubject

  /// There: each access to a part leaves a subscription behind.
  @Test func accessToAPartLeavesNothingBehind() {
    let lifetimes = Lifetimes()
    struct Model { var number = 0; let object: LifetimeTracked }
    let subject = ValueSubject(wrappedValue: Model(object: lifetimes.track()))
    weak var weakPart: ValueSubject<Int>?
    for _ in 0..<100 {
      let part: ValueSubject<Int> = subject.number
      part.wrappedValue += 1
      weakPart = part
    }
    #expect(weakPart == nil)
    #expect(subject.wrappedValue.number == 100)
    #expect(lifetimes.live == 1)
  }

  /// There: what a subscriber writes while a value is passed to a part is dropped.
  @Test func aWriteFromWithinADeliveryIsNotDropped() {
    let subject = ValueSubject(wrappedValue: Person())
    let part: ValueSubject<Int> = subject.age
    let log = Log<Int>()
    part.sink { (age: Int) in
      log.values.append(age)
      if age < 33 { part.wrappedValue = age + 1 }
    }.store(in: &log.cancellables)
    #expect(log.values == [30, 31, 32, 33])
    #expect(subject.wrappedValue.age == 33)
  }

  /// There: the part does not keep the parent, and a write into it traps once that is gone.
  @Test func aPartOutlivesTheVariableOfItsParent() {
    var subject: ValueSubject<Person>? = ValueSubject(wrappedValue: Person())
    let part: ValueSubject<Int> = subject!.age
    subject = nil
    part.wrappedValue = 5
    #expect(part.wrappedValue == 5)
  }

  /// There: unsynchronised.
  @Test func aValueSubjectLosesNoUpdateOfEightThreads() {
    let subject = ValueSubject(wrappedValue: Person(name: "", age: 0))
    let log = Log<Int>()
    subject.justNew(\.age).sink { log.values.append($0) }.store(in: &log.cancellables)
    onThreads(8) { _ in
      for _ in 0..<250 { subject.wrappedValue.age += 1 }
    }
    #expect(subject.wrappedValue.age == 2000)
    #expect(log.values == Array(0...2000))
  }

  /// There: it is none, though the README says that all are.
  @Test func aValueSubjectIsASafeBinding() {
    func value<T>(_ binding: some SafeBinding<T>) -> T { binding.wrappedValue }
    #expect(value(ValueSubject(wrappedValue: 1)) == 1)
  }

  // MARK: IgnoredState

  /// There: the README's counter keeps its count inside, and returns 1 for ever.
  @Test func anIgnoredClosureMayKeepACount() {
    var count = 0
    let counter = IgnoredState<() -> Int>(wrappedValue: {
      count += 1
      return count
    })
    let counts: [Int] = [counter(), counter()]
    #expect(counts == [1, 2])
  }

  // MARK: DiffedValue

  /// There: it compares `old` and `new` of the right side.
  @Test func equalityOfDiffsIsReflexiveAndSymmetricAndAgreesWithHashing() {
    func diff(_ old: Int?, _ new: Int) -> DiffedValue<Int> { DiffedValue(old: old, get: new, set: { _ in }) }
    #expect(diff(1, 2) == diff(1, 2))
    #expect(diff(1, 2).hashValue == diff(1, 2).hashValue)
    #expect(diff(1, 2) != diff(3, 3) && diff(3, 3) != diff(1, 2))
    #expect(diff(nil, 2) != diff(1, 2))
  }

  /// There: `new` is evaluated again each time.
  @Test func aDiffThatIsKeptDoesNotChange() {
    @UIState var number = 0
    @ManagedState var model = NumberModel()
    let diffs = Log<DiffedValue<Int>>()
    let models = Log<DiffedValue<NumberModel>>()
    let ages = Log<DiffedValue<Int>>()
    $number.publisher.sink { (diff: DiffedValue<Int>) in diffs.values.append(diff) }.store(in: &diffs.cancellables)
    $model.sink { (diff: DiffedValue<NumberModel>) in models.values.append(diff) }.store(in: &models.cancellables)
    $model.observe(\.number).sink { (diff: DiffedValue<Int>) in ages.values.append(diff) }.store(in: &ages.cancellables)
    number = 1
    number = 2
    model.number = 1
    model.number = 2
    #expect(diffs.values.map(\.new) == [0, 1, 2] && diffs.values.map(\.old) == [nil, 0, 1])
    #expect(models.values.map(\.new.number) == [0, 1, 2])
    #expect(ages.values.map(\.new) == [0, 1, 2])
  }

  /// There: the setter is `mutating`, and this does not compile.
  @Test func aMemberOfADiffCanBeWrittenInAClosure() {
    @UIState var person = Person()
    let log = Log<Int>()
    $person.publisher.sink { diff in diff.name = "Bob" }.store(in: &log.cancellables)
    #expect(person.name == "Bob")
  }

  /// A diff writes one member and leaves alone what others wrote meanwhile.
  @Test func aMemberWrittenThroughAnOldDiffLeavesTheOthers() {
    @UIState var person = Person()
    let diffs = Log<DiffedValue<Person>>()
    $person.sink { (diff: DiffedValue<Person>) in diffs.values.append(diff) }.store(in: &diffs.cancellables)
    person.age = 31
    diffs.values[0].new.name = "Bob"
    #expect(person == Person(name: "Bob", age: 31))
  }

  // MARK: SafeBinding

  /// There: the default is the element itself, read again, which traps once it is gone.
  @Test func safeBindingsOutliveTheirElements() {
    @UIState var items = ["A", "B", "C"]
    let last = $items.safe(2)
    let all = $items.bindingArray()
    let log = Log<String>()
    last.sink { log.values.append($0) }.store(in: &log.cancellables)
    items = ["X"]
    #expect(last.wrappedValue == "C")
    #expect(all.map(\.wrappedValue) == ["X", "B", "C"])
    last.wrappedValue = "ignored"
    #expect(items == ["X"])
    #expect(log.values == ["C"])
  }

  /// There: [1, 1, 1, 3, 3, 5, 6].
  @Test func anElementIsPublishedWhereItHasChanged() {
    @UIState var list = [0, 1, 2]
    let log = Log<Int>()
    $list.unsafe(1).sink { log.values.append($0) }.store(in: &log.cancellables)
    list = [5, 1, 2]
    list = [5, 1]
    list = [5, 3]
    list = [3, 3]
    list[1] = 5
    list[1] = 6
    #expect(log.values == [1, 3, 5, 6])
  }

  // MARK: builders, notifications, binds

  /// There: a token is wrapped into another one.
  @Test func aSubscriptionIsNotWrappedAgain() {
    let token = AnyCancellable {}
    let tokens = SubscriptionBuilder.subscribe { token }
    #expect(tokens.count == 1 && tokens[0] === token)
  }

  /// There: the observer is taken out of the default centre, whatever centre it was in.
  @Test func aNotificationTokenLeavesItsOwnCentre() {
    let center = NotificationCenter()
    let name = Notification.Name("aNotificationTokenLeavesItsOwnCentre")
    let count = Counter()
    var token: NotificationToken? = center.add(forName: name) { _ in count.add() }
    center.post(name: name)
    withExtendedLifetime(token) {}
    token = nil
    center.post(name: name)
    #expect(count.value == 1)
  }

  /// There: the whole value is written back over what the diff wrote.
  @Test func modelAndDiffCanBothBeWritten() {
    let state = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    state.bindDiffed(to: \.number) { model, diff in
      guard diff.old == nil else { return }
      model.text = "first"
      diff.new += 100
    }.store(in: &log.cancellables)
    #expect(state.number == 100 && state.text == "first")
  }

  /// There: `bind(to:)` filters by the broken `==`.
  @Test func aBindFiresWhereItsPartHasChanged() {
    let state = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    state.bind(to: \.number) { (count: inout Int) in log.values.append(count) }.store(in: &log.cancellables)
    state.text = "other"
    state.number = 1
    state.text = "another"
    state.number = 0
    #expect(log.values == [0, 1, 0])
  }

  /// There: globals are unsynchronised variables.
  @Test func globalsMaySafelyBeSetFromSeveralThreads() {
    onThreads(4) { _ in
      for _ in 0..<100 {
        ManagedStateDefaultLock = ManagedStateDefaultLock
        ManagedStateCyclicDependencyWarning = ManagedStateCyclicDependencyWarning
        ManagedStateCyclicDependencyMaxDepth = ManagedStateCyclicDependencyMaxDepth
      }
    }
    #expect(ManagedStateCyclicDependencyMaxDepth == 100)
  }
}

struct Restless: BehavioralStateContract {
  var isRestless = false
  var rounds = 0
  mutating func applyRules() { if isRestless { rounds += 1 } }
}
