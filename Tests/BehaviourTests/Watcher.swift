// A subscriber that writes down what arrives, and asks for as much as a behaviour says.

import Combine

/// Notes values as they are, and completions as `finished` or `failed(error)`.
final class Watcher<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  private let transcript: Transcript
  private let name: String
  private let demand: Subscribers.Demand?
  private let showsSubscription: Bool
  private let answer: (Input) -> Subscribers.Demand
  /// Runs when a value has been noted.
  var onValue: ((Input) -> Void)?
  /// The subscription that came last.
  private(set) var subscription: (any Subscription)?

  let description = "Watcher"

  init(
    _ transcript: Transcript, _ name: String, _ demand: Subscribers.Demand?, showsSubscription: Bool,
    answer: @escaping (Input) -> Subscribers.Demand
  ) {
    self.transcript = transcript
    self.name = name.isEmpty ? "" : name + " "
    self.demand = demand
    self.showsSubscription = showsSubscription
    self.answer = answer
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if showsSubscription { transcript.note("\(name)subscribed(\(subscription))") }
    if let demand { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    transcript.note("\(name)\(input)")
    onValue?(input)
    return answer(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: transcript.note("\(name)finished")
    case .failure(let failure): transcript.note("\(name)failed(\(failure))")
    }
  }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }
}

extension Publisher {
  /// Attaches a watcher.
  ///
  /// - Parameters:
  ///   - name: Begins each of its events.
  ///   - demand: What it asks for when it is subscribed; nothing if `nil`.
  ///   - answer: What it asks for in return for a value.
  @discardableResult
  func watch(
    _ transcript: Transcript, _ name: String = "", asking demand: Subscribers.Demand? = .unlimited,
    showsSubscription: Bool = false, answer: @escaping (Output) -> Subscribers.Demand = { _ in .none }
  ) -> Watcher<Output, Failure> {
    let watcher = transcript.keep(
      Watcher<Output, Failure>(transcript, name, demand, showsSubscription: showsSubscription, answer: answer))
    subscribe(watcher)
    return watcher
  }
}
