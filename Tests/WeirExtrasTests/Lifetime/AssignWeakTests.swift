// Tests of `assignWeak`.

import TestKit
import Testing
import Weir
import WeirExtras

private final class Target {
  var number = 0
}

@Suite struct AssignWeakTests {
  @Test func writesEachValueWithoutKeepingTheObject() {
    let source = ScriptedPublisher<Int, Never>()
    weak var weakTarget: Target?
    let cancellable: AnyCancellable
    do {
      let target = Target()
      weakTarget = target
      cancellable = source.assignWeak(to: \.number, on: target)
      source.send(5)
      #expect(target.number == 5)
    }
    #expect(weakTarget == nil)
    #expect(source.subscription?.history == [.requested(.unlimited)])
    withExtendedLifetime(cancellable) {}
  }

  /// The commonly copied version went on consuming.
  @Test func cancelsTheStreamOnceTheObjectIsGone() {
    let source = ScriptedPublisher<Int, Never>()
    let cancellable = source.assignWeak(to: \.number, on: Target())
    source.send(1)
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    source.send(2)
    cancellable.cancel()
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func writesNothingAfterTheEnd() {
    let target = Target()
    let source = ScriptedPublisher<Int, Never>()
    let cancellable = source.assignWeak(to: \.number, on: target)
    source.send(1)
    source.send(completion: .finished)
    source.send(2)
    #expect(target.number == 1)
    cancellable.cancel()
    #expect(source.subscription?.history == [.requested(.unlimited)])
    let other = ScriptedPublisher<Int, Never>()
    let cancelled = other.assignWeak(to: \.number, on: target)
    cancelled.cancel()
    other.send(3)
    #expect(target.number == 1)
    #expect(other.subscription?.history == [.requested(.unlimited), .cancelled])
  }
}
