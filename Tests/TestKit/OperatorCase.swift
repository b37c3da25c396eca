// An operator to which tests put the questions that every operator has to answer.

import Weir

/// An operator over integers, and what it owes.
package struct OperatorCase: CustomStringConvertible, @unchecked Sendable {
  /// The publisher that an operator is applied to.
  package typealias Upstream = AnyPublisher<Int, TestFailure>

  /// The operator's name, as Combine shows it.
  package let description: String
  /// What it does with signals outside its subscription's life.
  package let strays: Strays

  private let record: (Upstream, @escaping (Int) -> Void, Subscribers.Demand?) -> any StreamRecorder
  private let sink: (Upstream, @escaping (Int) -> Void) -> AnyCancellable

  /// Describes an operator.
  ///
  /// - Parameters:
  ///   - description: Its name, as Combine shows it.
  ///   - strays: What it does with signals outside its subscription's life.
  ///   - make: Applies it to a publisher; the closure is to be called from within the operator's own, with each value.
  package init<Applied: Publisher>(
    _ description: String, _ strays: Strays, _ make: @escaping (Upstream, @escaping (Int) -> Void) -> Applied
  ) {
    self.description = description
    self.strays = strays
    record = { upstream, inside, demand in
      let recorder = RecordingSubscriber<Applied.Output, Applied.Failure>(demand)
      make(upstream, inside).subscribe(recorder)
      return recorder
    }
    sink = { upstream, inside in
      make(upstream, inside).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
  }

  /// Subscribes to the operator, applied to a publisher.
  ///
  /// - Parameters:
  ///   - upstream: The publisher.
  ///   - demand: What is asked for when the subscription arrives; nothing if `nil`.
  ///   - inside: Called from within the operator's closure, with each value.
  package func subscribe<Source: Publisher>(
    to upstream: Source, demand: Subscribers.Demand? = .unlimited, inside: @escaping (Int) -> Void = { _ in }
  ) -> any StreamRecorder where Source.Output == Int, Source.Failure == TestFailure {
    record(upstream.eraseToAnyPublisher(), inside, demand)
  }

  /// Attaches closures that do nothing to the operator, applied to a publisher.
  ///
  /// - Parameters:
  ///   - upstream: The publisher.
  ///   - inside: Called from within the operator's closure, with each value.
  package func sink<Source: Publisher>(
    on upstream: Source, inside: @escaping (Int) -> Void
  ) -> AnyCancellable where Source.Output == Int, Source.Failure == TestFailure {
    sink(upstream.eraseToAnyPublisher(), inside)
  }
}
