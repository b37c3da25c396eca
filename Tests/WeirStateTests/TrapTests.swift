// Tests of what states refuse by stopping the program, and of what they say then.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct TrapTests {
  /// Whether the program said so before it stopped; in release builds it says nothing.
  private func said(_ message: String, _ result: ExitTest.Result?) -> Bool {
    #if DEBUG
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(message)
    #else
      result != nil
    #endif
  }

  private static let twice = "is called with one key path or none, not with 2"

  @Test func aStateCalledWithTwoKeyPaths() async {
    let state = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UIState(wrappedValue: [1]).dynamicallyCall(withArguments: [\[Int].self, \[Int].self])
    }
    #expect(said("a state " + Self.twice, state))
    let binding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = UIState(wrappedValue: [1]).observe().dynamicallyCall(withArguments: [\[Int].self, \[Int].self])
    }
    #expect(said("a binding " + Self.twice, binding))
    let subject = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ValueSubject(wrappedValue: [1]).dynamicallyCall(withArguments: [\[Int].self, \[Int].self])
    }
    #expect(said("a state " + Self.twice, subject))
  }

  @Test func aManagedStateCalledWithTwoKeyPaths() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedState(wrappedValue: NumberModel())
        .dynamicallyCall(withArguments: [\NumberModel.number, \NumberModel.number])
    }
    #expect(said("a state " + Self.twice, result))
  }

  private static let within =
    "failed: a state is written from within a change of the same state, which would replace the write"

  /// The write was published, and then lost.
  @Test func aWriteFromWithinAChangeOfTheSameState() async {
    let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @UIState var state = [0, 0]
      $state.withLock { value in
        value[0] = 1
        state[1] = 2
      }
    }
    #expect(said(Self.within, whole))
    let part = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @ManagedState var state = NumberModel()
      let number: UIBinding<Int> = $state.number
      $state.withLock { _ in number.wrappedValue = 2 }
    }
    #expect(said(Self.within, part))
    let binding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @UIState var state = [0, 0]
      let first: UIBinding<Int> = $state[0]
      first.withLock { _ in first.wrappedValue = 1 }
    }
    #expect(said(Self.within, binding))
    let own = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let binding = UIBinding(get: { 0 }, set: { _ in })
      binding.withLock { _ in binding.wrappedValue = 1 }
    }
    #expect(said(Self.within, own))
    let diff = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let binding = UIBinding(get: { 0 }, set: { _ in })
      var kept: DiffedValue<Int>?
      let token = binding.sink { (diff: DiffedValue<Int>) in kept = diff }
      binding.withLock { _ in kept?.new = 1 }
      token.cancel()
    }
    #expect(said(Self.within, diff))
  }

  private struct Keeping: BehavioralStateContract {
    var number = 0
    var other = 0
    @IgnoredState var kept = Shared<DiffedValue<Keeping>?>(nil)

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed { (diff: DiffedValue<Keeping>) in diff.new.kept.value = diff }
      state.bind(to: \.number) { (model: inout Keeping) in
        if model.number == 1 { model.kept.value?.new = Keeping(number: 1, other: 7, kept: model.kept) }
      }
    }
  }

  /// It was lost without a word.
  @Test func aWriteOfTheWholeThroughARulesDiffWithinAClosureThatHasTheValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManagedState(wrappedValue: Keeping()).wrappedValue.number = 1
    }
    #expect(said(Self.within, result))
  }

  private struct Writer: Equatable {
    var number = 0
    mutating func load(_ write: () -> Void) async {
      await Task.yield()
      write()
    }
  }

  @Test func aWriteBehindAnAwaitOfTheSameChange() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let state = UIState(wrappedValue: Writer())
      await state.wrappedValue.load { state.wrappedValue.number = 1 }
    }
    #expect(said(Self.within, result))
  }

  @Test func aTasksWriteInsideAChangeOfItsThreadsOwnCode() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      onThreads(1) { _ in
        let executor = ManualExecutor()
        let state = UIState(wrappedValue: 0)
        state.withLock { _ in
          Task(executorPreference: executor) { state.wrappedValue = 1 }
          executor.run()
        }
      }
    }
    #expect(said(Self.within, result))
  }

  /// It was published, and then lost.
  @Test func aTasksWriteInsideAClosureOfAnotherTask() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let executor = ManualExecutor()
      let state = UIState(wrappedValue: 0)
      state.withLock { _ in
        Task(executorPreference: executor) { state.wrappedValue = 1 }
        executor.run()
      }
    }
    #expect(said(Self.within, result))
  }

  @Test func anIgnoredClosureWithOtherArguments() async {
    let one = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let closure = IgnoredState(wrappedValue: { (number: Int) in number })
      _ = closure.dynamicallyCall(withArguments: [1, 2]) as Int
    }
    #expect(said("IgnoredState: the closure takes one argument, not 2", one))
    let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let closure = IgnoredState(wrappedValue: { (number: Int, text: String) in "\(number)\(text)" })
      _ = closure.dynamicallyCall(withArguments: [1, 2] as [Any]) as String
    }
    #expect(said("IgnoredState: the closure takes (Int, String), not [1, 2]", two))
    let three = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let closure = IgnoredState(wrappedValue: { (a: Int, b: Int, c: Int) in a + b + c })
      _ = closure.dynamicallyCall(withArguments: [1, 2] as [Any]) as Int
    }
    #expect(said("IgnoredState: the closure takes (Int, Int, Int), not [1, 2]", three))
  }
}
