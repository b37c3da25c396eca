// Tests of the value of any kind that publishes what is written.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct ValueSubjectTests {
  private struct State: Equatable {
    var counter = -1
    var toggle = false
    var text: String { "\(counter)" }
  }

  @Test func eachWriteIsPublishedAlsoOfTheSameValue() {
    @ValueSubject var value = 0
    let log = Log<Int>()
    $value.sink { (value: Int) in log.values.append(value) }.store(in: &log.cancellables)
    for next in [0, 1, 1, 2] { value = next }
    #expect(log.values == [0, 0, 1, 1, 2])
  }

  /// The sequence of CombineExt's own test.
  @Test func partsReadAndWriteThrough() {
    @ValueSubject var subject = State()
    @ValueSubject var counter: Int
    @ValueSubject var toggle: Bool
    _counter = _subject.observe(keyPath: \.counter)
    _toggle = _subject.observe(keyPath: \.toggle)
    let roots = Log<State>()
    let counters = Log<Int>()
    $subject.sink { (state: State) in roots.values.append(state) }.store(in: &roots.cancellables)
    $counter.sink { (counter: Int) in counters.values.append(counter) }.store(in: &counters.cancellables)
    subject.toggle.toggle()
    subject.counter += 1
    counter = 5
    toggle.toggle()
    counter += 1
    let expected = [
      State(), State(toggle: true), State(counter: 0, toggle: true), State(counter: 5, toggle: true),
      State(counter: 5, toggle: false), State(counter: 6, toggle: false),
    ]
    #expect(roots.values == expected)
    #expect(counters.values == expected.map(\.counter))
    #expect(counter == 6 && toggle == false)
  }

  @Test func aPartThatCanOnlyBeReadIgnoresWrites() {
    let subject = ValueSubject(wrappedValue: State())
    let text: ValueSubject<String> = subject.text
    let log = Log<String>()
    text.sink { (text: String) in log.values.append(text) }.store(in: &log.cancellables)
    text.wrappedValue = "ignored"
    subject.wrappedValue.counter = 4
    #expect(text.wrappedValue == "4" && log.values == ["-1", "4"])
  }

  /// It stopped the program, as a write that would be lost.
  @Test func aPartThatCanOnlyBeReadIgnoresWritesAlsoWithinAChange() {
    let subject = ValueSubject(wrappedValue: State())
    let text: ValueSubject<String> = subject.text
    subject.withLock { state in
      text.wrappedValue += "ignored"
      state.counter = 4
    }
    #expect(text.wrappedValue == "4")
  }

  @Test func aCancelledSubscriberGetsNothingMore() {
    @ValueSubject var counter = 0
    let log = Log<Int>()
    let token = $counter.justNew().sink { log.values.append($0) }
    counter = 1
    token.cancel()
    counter = 2
    #expect(log.values == [0, 1])
  }

  @Test func operatorsWorkOnItsValues() {
    @ValueSubject var counter = 0
    let log = Log<Int>()
    $counter.justNew().filter { $0 > 5 }.map { $0 * 2 }.sink { log.values.append($0) }.store(in: &log.cancellables)
    for next in [1, 6, 2, 8] { counter = next }
    #expect(log.values == [12, 16])
  }

  @Test func literalsDescriptionsAndEquality() {
    #expect(ValueSubject<Int?>().wrappedValue == nil)
    #expect(ValueSubject<[Int]>().wrappedValue == [] && ValueSubject<[Int: Int]>().wrappedValue == [:])
    #expect(ValueSubject(wrappedValue: 5).description == "5")
    #expect(ValueSubject(wrappedValue: 5) == ValueSubject(wrappedValue: 5))
  }

  /// It was announced when it had been made.
  @Test func aChangeInPlaceIsAnnouncedBeforeItIsMade() {
    @ValueSubject var state = State()
    let log = Log<Int>()
    $state.objectWillChange.sink { log.values.append(state.counter) }.store(in: &log.cancellables)
    state.counter = 1
    $state.withLock { $0.counter = 2 }
    $state.observe(keyPath: \.counter).wrappedValue = 3
    #expect(log.values == [-1, 1, 2] && state.counter == 3)
  }

  /// The subject held the subscriber, and that the subject.
  @Test func aSubscriptionToAPartThatCanOnlyBeReadDoesNotKeepTheSubject() {
    let diffs = Log<DiffedValue<State>>()
    let sink = Subscribers.Sink<String, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    do {
      let subject = ValueSubject(wrappedValue: State())
      subject.sink { (diff: DiffedValue<State>) in diffs.values.append(diff) }.store(in: &diffs.cancellables)
      let text: ValueSubject<String> = subject.text
      text.justNew().subscribe(sink)
    }
    // Of a subject that is there, a write would be seen.
    diffs.values[0].counter = 5
    #expect(diffs.values.count == 1)
    sink.cancel()
  }

  private final class Name { var text = "a" }
  private struct Form {
    struct Row { let name = Name() }
    struct Changeable { var name = Name() }
    let name = Name()
    let row = Row()
    let changeable = Changeable()
    let list = [Name()]
  }

  /// It was written, but nobody was told.
  @Test func aPartOfAnObjectThatCanOnlyBeReadIsWrittenAsOneOfTheWhole() {
    let form = ValueSubject(wrappedValue: Form())
    let name: ValueSubject<Name> = form.name
    let text: ValueSubject<String> = name.text
    let log = Log<String>()
    text.objectWillChange.sink { log.values.append("before \(text.wrappedValue)") }.store(in: &log.cancellables)
    text.sink { (text: String) in log.values.append(text) }.store(in: &log.cancellables)
    text.wrappedValue = "b"
    text.wrappedValue += "c"
    name.observe(\.text).wrappedValue = "d"
    #expect(log.values == ["a", "before a", "b", "before b", "bc", "before bc", "d"])
  }

  @Test func aPartOfAnObjectInAPartThatCanOnlyBeReadIsWrittenInOneStep() {
    let form = ValueSubject(wrappedValue: Form())
    let row: ValueSubject<Form.Row> = form.row
    let name: ValueSubject<Name> = row.name
    let text = Shared(name.observe(keyPath: \.text))
    let log = Log<DiffedValue<String>>()
    text.value.sink { (diff: DiffedValue<String>) in log.values.append(diff) }.store(in: &log.cancellables)
    onThreads(4) { _ in for _ in 0..<100 { text.value.wrappedValue += "b" } }
    #expect(form.wrappedValue.row.name.text.count == 401 && log.values.count == 401)
    log.values[0].new = "c"
    #expect(log.values.count == 402 && text.value.wrappedValue == "c")
  }

  /// It was written, but nobody was told, and threads lost writes.
  @Test func aPartOfAnObjectInAVariablePartOfOneThatCanOnlyBeReadIsWrittenAsOneOfTheWhole() {
    let form = ValueSubject(wrappedValue: Form())
    let changeable: ValueSubject<Form.Changeable> = form.changeable
    let name: ValueSubject<Name> = changeable.observe(keyPath: \.name)
    name.wrappedValue = Name()
    let text = Shared(name.observe(keyPath: \.text))
    let count = Shared(Log<Form>())
    form.sink { (form: Form) in count.value.values.append(form) }.store(in: &count.value.cancellables)
    onThreads(4) { _ in for _ in 0..<100 { text.value.wrappedValue += "b" } }
    #expect(form.wrappedValue.changeable.name.text.count == 401 && count.value.values.count == 401)
  }

  /// The same of an element.
  @Test func aPartOfAnObjectInACollectionThatCanOnlyBeReadIsWrittenAsOneOfTheWhole() {
    let form = ValueSubject(wrappedValue: Form())
    let list: ValueSubject<[Name]> = form.list
    let log = Log<String>()
    form.sink { (form: Form) in log.values.append(form.list[0].text) }.store(in: &log.cancellables)
    list.unsafe(0).observe(\.text).wrappedValue = "b"
    list.safe(0, default: Name()).observe(\.text).wrappedValue = "c"
    // There is no such element, and no other one takes its place.
    list.safe(1, default: Name()).observe(\.text).wrappedValue = "d"
    list.unsafe(0).wrappedValue = Name()
    #expect(log.values == ["a", "b", "c"])
  }

  /// There is one object.
  @Test func aPartOfAnObjectReadsTheSameBeforeAndAfter() {
    let name: ValueSubject<Name> = ValueSubject(wrappedValue: Form()).name
    let text: ValueSubject<String> = name.text
    let log = Log<[String?]>()
    text.sink { (diff: DiffedValue<String>) in log.values.append([diff.old, diff.new]) }.store(in: &log.cancellables)
    text.bindDiffed(to: \.self) { (diff: DiffedValue<String>) in log.values.append([diff.new]) }
      .store(in: &log.cancellables)
    text.wrappedValue = "b"
    #expect(log.values == [[nil, "a"], ["a"], ["b", "b"]])
  }
}
