// Tests of `NetworkState` and `mapToNetworkState`.

import TestKit
import Testing
import Weir
import WeirExtras

private struct Opaque: Error { let number: Int }

@Suite struct NetworkStateTests {
  typealias State = NetworkState<Int>

  @Test func saysHowFarALoadIs() {
    #expect(State.loading.isLoading && !State.idle.isLoading)
    #expect(State.loaded(3).value == 3 && State.loading.value == nil)
    #expect(State.failed(TestFailure.first).error as? TestFailure == .first)
    #expect(State.loaded(3).error == nil)
  }

  @Test func equalityIsLawful() {
    let states: [State] = [
      .idle, .loading, .loaded(1), .loaded(2), .failed(TestFailure.first), .failed(TestFailure.second),
      .failed(Opaque(number: 1)), .failed(Opaque(number: 2)),
    ]
    for (index, state) in states.enumerated() {
      for (otherIndex, other) in states.enumerated() { #expect((state == other) == (index == otherIndex)) }
    }
  }

  @Test func mapToNetworkStateTellsOfTheLoad() {
    let source = PassthroughSubject<Int, TestFailure>()
    var states: [State] = []
    let cancellable = source.mapToNetworkState().sink { states.append($0) }
    source.send(1)
    source.send(completion: .failure(.first))
    #expect(states == [.loading, .loaded(1), .failed(TestFailure.first)])
    withExtendedLifetime(cancellable) {}
  }

  @Test func isSendableWhenItsValueIs() {
    func send<Value: Sendable>(_ value: Value) -> Value { value }
    #expect(send(State.loading) == .loading)
  }
}
