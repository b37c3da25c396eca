// Tests of reactions to changes of parts.

import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct PublisherBindTests {
  private struct Model: BehavioralStateContract {
    var number = 0
    var text = ""
    @IgnoredState var seen = Log<String>()
    var description: String { "<\(number)>" }
    func numberChanged(_ number: Int) { seen.values.append("\(number)") }
    func somethingChanged() { seen.values.append("changed") }
  }

  @Test func sinksGetValuesOrNothing() {
    @UIState var number = 0
    let log = Log<Int>()
    $number.sink { (value: Int) in log.values.append(value) }.store(in: &log.cancellables)
    $number.sink { log.values.append(-1) }.store(in: &log.cancellables)
    number = 1
    #expect(log.values == [0, -1, 1, -1])
  }

  @Test func aPartAndTheWholeCanBeChanged() {
    @ManagedState var model = Model()
    let log = Log<Int>()
    $model.bind(to: \.number) { (number: inout Int) in number = min(number, 10) }.store(in: &log.cancellables)
    $model.bind(to: \.description) { (model: inout Model) in model.text += "!" }.store(in: &log.cancellables)
    $model.bind(to: \.number) { (model: inout Model, number: Int) in model.text += "\(number)" }
      .store(in: &log.cancellables)
    model.number = 15
    #expect(model.number == 10)
    #expect(model.text == "!0!15!10")
    $model.bind { (model: inout Model) in model.text = "" }.store(in: &log.cancellables)
    #expect(model.text == "")
  }

  /// In a task, too, a closure is waited for however long it takes: it can't await anything.
  @Test func nobodyIsLetInWhileAClosureChangesTheValue() {
    typealias Diff = DiffedValue<Int>
    let forms: [(Just<Diff>, @escaping () -> Void) -> AnyCancellable] = [
      { diff, work in diff.bind(to: \.self) { (_: inout Int) in work() } },
      { diff, work in diff.bind(to: \.description) { (_: inout Int) in work() } },
      { diff, work in diff.bind { (_: inout Int) in work() } },
      { diff, work in diff.bind(to: \.self) { (_: inout Int, _: Int) in work() } },
      { diff, work in diff.bindDiffed(to: \.self) { (_: inout Int, _: Diff) in work() } },
      { diff, work in diff.bindDiffed(to: \.description) { (_: inout Int, _: DiffedValue<String>) in work() } },
    ]
    for form in forms {
      let turn = Turn(patience: 0)
      let log = Shared<[String]>([])
      let access = Access(turn: TurnHandle(turn), read: { 0 }, write: { (_: Int) in })
      let other = Shared<OtherThread?>(nil)
      let work = {
        other.value = OtherThread {
          turn.enter()
          log.value.append("thread")
          turn.leave()
        }
        for _ in 0..<1000 where log.value.isEmpty { yieldThread() }
        log.value.append("closure")
      }
      let executor = ManualExecutor()
      let run = Shared { _ = form(Just(Diff(old: nil, snapshot: 0, access: access)), work) }
      Task(executorPreference: executor) { run.value() }
      executor.run()
      #expect(other.value?.comesBack() == true && log.value == ["closure", "thread"])
    }
  }

  @Test func methodsOfTheValueCanBeCalled() {
    let seen = Log<String>()
    @ManagedState var model = Model(seen: seen)
    $model.bind(to: \.number, onChange: Model.numberChanged).store(in: &seen.cancellables)
    $model.bind(to: \.number, onChange: Model.somethingChanged).store(in: &seen.cancellables)
    model.number = 4
    #expect(seen.values == ["0", "changed", "4", "changed"])
  }

  @Test func diffsOfTheWholeAndOfParts() {
    @ManagedState var model = Model()
    let log = Log<String>()
    $model.bindDiffed { diff in log.values.append("all \(diff.new.number)") }.store(in: &log.cancellables)
    $model.bindDiffed(to: \.number) { (diff: DiffedValue<Model>) in
      log.values.append("\(diff.old?.number ?? -1) to \(diff.new.number)")
    }.store(in: &log.cancellables)
    $model.bindDiffed(to: \.description) { (model: inout Model, diff) in
      model.text = diff.new
      diff.set("ignored")
    }.store(in: &log.cancellables)
    log.values = []
    model.number = 1
    #expect(log.values == ["all 1", "0 to 1", "all 1"] && model.text == "<1>")
  }

  /// The diff had the part as it was when it was made.
  @Test func whatOthersHaveWrittenIntoAPartMeanwhileStays() {
    struct Part: Equatable { var (x, y) = (0, 0) }
    struct Whole: Equatable { var part = Part() }
    let state = UIState(wrappedValue: Whole())
    var token: AnyCancellable?
    let before = state.sink { (value: Whole) in if value.part.x == 1, value.part.y == 0 { state.part.y = 5 } }
    // Both have the change of x, one after the other; the second one's diff was made before the first one wrote.
    token = state.bindDiffed(to: \.part) { _, diff in
      if diff.old?.x == 0, diff.new.x == 1 { diff.x = 2 }
    }
    state.part.x = 1
    #expect(state.part == Part(x: 2, y: 5))
    withExtendedLifetime((before, token)) {}
  }
}
