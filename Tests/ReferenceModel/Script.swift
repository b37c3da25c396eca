// Upstreams and subscribers that do what a script says, and note what is done to them. Both sides of a comparison use
// them.

/// What a scripted upstream sends.
package enum ScriptEvent: Equatable, CustomStringConvertible, Sendable {
  case value(Int)
  case end(End)

  package var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .end(let end): "\(end)"
    }
  }
}

/// A scripted upstream.
package struct SourceScript: Equatable, CustomStringConvertible, Sendable {
  /// Whether each subscriber gets the whole script as it asks for it; otherwise each event is sent at its step, and a
  /// value that nobody asked for is dropped.
  package var isCold: Bool
  package var events: [ScriptEvent]

  package init(isCold: Bool, events: [ScriptEvent]) {
    self.isCold = isCold
    self.events = events
  }

  package var description: String {
    (isCold ? "cold" : "hot") + events.map { " \($0)," }.joined()
  }
}

/// A scripted upstream at work: all its subscriptions.
package final class Source {
  private let name: String
  private let script: SourceScript
  private let journal: Journal
  private var subscriptions: [SourceSubscription] = []
  private var position = 0

  package init(_ name: String, _ script: SourceScript, _ journal: Journal) {
    self.name = name
    self.script = script
    self.journal = journal
  }

  /// Makes a subscription for somebody. The caller hands it on and then calls `start`.
  package func subscribe(value: @escaping (Int) -> Want, end: @escaping (End) -> Void) -> SourceSubscription {
    let subscription = SourceSubscription(
      "\(name).\(subscriptions.count)", script.isCold ? script.events : [], journal, value: value, end: end)
    subscriptions.append(subscription)
    journal.note("\(subscription.name) subscribed")
    return subscription
  }

  /// Sends the next event of a hot script to all subscribers.
  package func tick() {
    guard !script.isCold, position < script.events.count else { return }
    let event = script.events[position]
    position += 1
    for subscription in subscriptions { subscription.send(event) }
  }

  /// Lets go of its subscriptions, which pipelines that may subscribe again keep, and these of their subscribers, which
  /// keep them.
  func letGo() {
    for subscription in subscriptions { subscription.letGo() }
    subscriptions = []
  }

  /// The upstream as a stream of the model.
  var stream: Stream {
    { [self] down in
      let subscription = subscribe(value: down.value, end: down.end)
      down.begin(Control(request: subscription.request, cancel: subscription.cancel))
      subscription.start()
    }
  }
}

/// One subscription to a scripted upstream.
package final class SourceSubscription {
  fileprivate let name: String
  private let journal: Journal
  private var value: (Int) -> Want
  private var end: (End) -> Void
  private var rest: ArraySlice<ScriptEvent>
  private var wanted = Want.none
  private var isStarted = false
  private var isOver = false
  private var isDelivering = false

  fileprivate init(
    _ name: String, _ events: [ScriptEvent], _ journal: Journal, value: @escaping (Int) -> Want,
    end: @escaping (End) -> Void
  ) {
    self.name = name
    self.journal = journal
    self.value = value
    self.end = end
    rest = events[...]
  }

  package func request(_ more: Want) {
    // Nobody has to know that it is too late.
    if isOver { return }
    journal.note("\(name) asked for \(more)")
    wanted += more
    deliver()
  }

  package func cancel() {
    journal.note("\(name) cancelled")
    isOver = true
  }

  fileprivate func letGo() { (value, end) = ({ _ in .none }, { _ in }) }

  /// Sends what need not be asked for: an end that nothing comes before.
  package func start() {
    isStarted = true
    deliver()
  }

  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    while !isOver, let next = rest.first {
      if case .value = next, !wanted.isSome { break }
      if case .end = next, !isStarted { break }
      rest.removeFirst()
      send(next)
    }
    isDelivering = false
  }

  fileprivate func send(_ event: ScriptEvent) {
    if isOver { return }
    switch event {
    case .value(let value):
      guard wanted.take() else { return }
      let more = self.value(value)
      if isOver { return }
      if more.isSome { journal.note("\(name) got \(more) in return") }
      wanted += more
    case .end(let end):
      isOver = true
      self.end(end)
    }
  }
}

/// What a scripted subscriber does when it receives a value.
package struct Reaction: Equatable, CustomStringConvertible, Sendable {
  package var requests: Want?
  package var cancels = false
  package var returns = Want.none

  package init(requests: Want? = nil, cancels: Bool = false, returns: Want = .none) {
    self.requests = requests
    self.cancels = cancels
    self.returns = returns
  }

  package var description: String {
    (requests.map { "request \($0), " } ?? "") + (cancels ? "cancel, " : "") + "return \(returns)"
  }
}

/// A scripted subscriber at work.
package final class Target {
  private let journal: Journal
  private let initial: Want?
  private var reactions: ArraySlice<Reaction>
  private var control: Control?

  package init(initial: Want?, reactions: [Reaction], _ journal: Journal) {
    self.journal = journal
    self.initial = initial
    self.reactions = reactions[...]
  }

  package var receiver: Receiver { Receiver(begin: begin, value: value, end: end) }

  package func begin(_ control: Control) {
    journal.note("begin")
    self.control = control
    if let initial { control.request(initial) }
  }

  package func value(_ value: Int) -> Want {
    journal.note("value \(value)")
    guard let reaction = reactions.popFirst() else { return .none }
    if let requests = reaction.requests { control?.request(requests) }
    if reaction.cancels { control?.cancel() }
    return reaction.returns
  }

  package func end(_ end: End) { journal.note("\(end)") }

  package func request(_ want: Want) { control?.request(want) }

  package func cancel() { control?.cancel() }

  /// Lets go of the stream: it keeps itself alive through what it has been given.
  func letGo() { control = nil }
}
