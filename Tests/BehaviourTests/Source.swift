// A publisher that sends what a behaviour says, asked for or not, and writes down what it is asked.

import Combine

/// Notes `asked 3`, `asked unlimited`, `cancelled`, and `returned 1` for demand in return for a value.
final class Source<Output, Failure: Error>: Publisher {
  private let transcript: Transcript
  private let name: String
  private let isLate: Bool
  /// Who subscribed last.
  private(set) var subscriber: AnySubscriber<Output, Failure>?
  /// How often there was a subscription.
  private(set) var subscriptions = 0

  /// - Parameters:
  ///   - name: Begins each of its events.
  ///   - isLate: Whether a subscriber gets its subscription only when that is sent.
  init(
    _ transcript: Transcript, _ name: String = "", of: Output.Type, failing: Failure.Type = Never.self,
    isLate: Bool = false
  ) {
    self.transcript = transcript
    self.name = name.isEmpty ? "" : name + " "
    self.isLate = isLate
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
    subscriptions += 1
    if !isLate { sendSubscription() }
  }

  func sendSubscription() { subscriber?.receive(subscription: Link(source: self)) }

  /// Hands over a value, whether it was asked for or not.
  func send(_ value: Output) {
    guard let demand = subscriber?.receive(value), demand != .none else { return }
    transcript.note("\(name)returned \(words(for: demand))")
  }

  func send(completion: Subscribers.Completion<Failure>) { subscriber?.receive(completion: completion) }

  private func words(for demand: Subscribers.Demand) -> String { demand.max.map(String.init) ?? "unlimited" }

  private struct Link: Subscription, CustomStringConvertible {
    let source: Source
    let combineIdentifier = CombineIdentifier()
    let description = "Source"

    func request(_ demand: Subscribers.Demand) {
      source.transcript.note("\(source.name)asked \(source.words(for: demand))")
    }
    func cancel() { source.transcript.note("\(source.name)cancelled") }
  }
}
