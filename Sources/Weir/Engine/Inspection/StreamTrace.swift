// Which way a signal has come, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// A publisher of a live stream.
  package struct InspectedPublisher: Sendable {
    package let type: Any.Type
    /// Where it was made, as far as it knows.
    let assembly: _AssemblySite
    /// Where it was subscribed to: at the end of a stream, and where it doesn't know where it was made. The addresses
    /// that functions return to, from the innermost outwards.
    package let attachment: [UInt]

    /// The operators that are one: their names, and where each was made. The first one is that which values come to
    /// first.
    package var operators: [(name: String, addresses: [UInt])] {
      var (operators, next, type) = ([(name: String, addresses: [UInt])](), assembly.stack, type)
      while let stack = next {
        let fusion = stack.fusion
        operators.append((fusion.map { "\($0.name)" } ?? operatorName(of: type), stack.addresses))
        next = fusion?.stack
        type = fusion?.type ?? type
      }
      return operators.isEmpty ? [(operatorName(of: type), attachment)] : operators.reversed()
    }
  }

  /// A subscription and what led to it, as they were at a moment.
  ///
  /// A subscription that is gone is still on the way of a failure that waits for a scheduler.
  package final class StreamTrace: Sendable {
    /// The number of the subscription.
    let id: Int
    let publisher: InspectedPublisher
    /// The number of the subscription whose publisher has failed; its own if its publisher was the first.
    let failing: Int
    let upstreams: [StreamTrace]

    init(id: Int, _ publisher: InspectedPublisher, failing: Int, upstreams: [StreamTrace]) {
      self.id = id
      self.publisher = publisher
      self.failing = failing
      self.upstreams = upstreams
    }

    /// A line for each operator, the origins first.
    ///
    /// - Parameters:
    ///   - marked: The number of the subscription whose operators are marked.
    ///   - hasFailed: Whether it is marked because it has failed: of operators that are one, those have that may throw.
    func lines(marking marked: Int, hasFailed: Bool) -> [String] {
      var (way, waiting) = ([StreamTrace](), [self])
      while let trace = waiting.popLast() {
        way.append(trace)
        waiting += trace.upstreams
      }
      return way.reversed().flatMap { trace in
        let operators = trace.publisher.operators
        let areSome = hasFailed && operators.contains { $0.name.hasPrefix("Try") }
        return operators.map { name, addresses in
          let isMarked = trace.id == marked && (!areSome || name.hasPrefix("Try"))
          return (isMarked ? "> " : "  ") + SourcePlaces.line(name, addresses)
        }
      }
    }
  }

  /// What leads to a subscription.
  struct InspectedUpstreams {
    /// Those that are alive, by their numbers.
    private var live: [Int: InspectedSubscription] = [:]
    /// The last that has failed.
    var failed: StreamTrace? { didSet { isReplaced = false } }
    /// Whether others have come since: of one that `retry` has replaced nothing comes any more.
    private var isReplaced = false
    /// The last that is gone.
    private var gone: StreamTrace?

    mutating func add(_ subscription: InspectedSubscription) {
      live[subscription.id] = subscription
      gone = nil
      isReplaced = true
    }

    mutating func remove(_ subscription: InspectedSubscription, leaving trace: StreamTrace) {
      live[subscription.id] = nil
      gone = trace
    }

    /// Those that the newest signal may have come from.
    ///
    /// - Parameter hasFailed: Whether the subscription itself has failed.
    /// - Returns: Those that are alive, what is kept of one more, and the subscription that failed first, if one has.
    func sources(hasFailed: Bool) -> (live: [InspectedSubscription], kept: StreamTrace?, failing: Int?) {
      let others = live.values.filter { $0.id != failed?.id }.sorted { $0.id < $1.id }
      if let failed, hasFailed || !isReplaced { return (others, failed, failed.failing) }
      return (others, others.isEmpty ? gone : nil, nil)
    }
  }

  extension InspectedSubscription: TracedObject {
    package var assemblyTrace: String {
      var end = self
      while let downstream = end.downstream { end = downstream }
      let feeding = Dictionary(grouping: Inspection.live.filter { $0.target != nil }) { $0.target }
      let failing = sources.failing
      let lines =
        end.trace(fedBy: feeding).lines(marking: failing ?? id, hasFailed: failing != nil || state == .failed)
        + ["  " + SourcePlaces.line(end.subscriber, end.publisher.attachment)]
      return "The stream, from its origin to its end:\n" + lines.joined(separator: "\n")
    }

    /// This subscription and what leads to it, as it is now. Ways may be long: nothing here calls itself.
    ///
    /// - Parameter feeding: Those that feed subjects.
    func trace(fedBy feeding: [ObjectIdentifier?: [InspectedSubscription]] = [:]) -> StreamTrace {
      typealias Found = (subscription: InspectedSubscription, upstreams: [Int], kept: StreamTrace?, failing: Int?)
      var (waiting, seen, found) = ([self], Set([id]), [Found]())
      while let next = waiting.popLast() {
        let (live, kept, failing) = next.sources
        let feeders = (next.origin.flatMap { feeding[$0] } ?? []).filter { $0.id != kept?.id }
        let upstreams = (live + feeders).filter { seen.insert($0.id).inserted }
        found.append((next, upstreams.map(\.id), kept, failing))
        waiting += upstreams
      }
      var traces: [Int: StreamTrace] = [:]
      func trace(_ next: Found) -> StreamTrace {
        StreamTrace(
          id: next.subscription.id, next.subscription.publisher, failing: next.failing ?? next.subscription.id,
          upstreams: next.upstreams.compactMap { traces[$0] } + (next.kept.map { [$0] } ?? []))
      }
      for next in found.dropFirst().reversed() { traces[next.subscription.id] = trace(next) }
      return trace(found[0])
    }

    /// Says which way a failure has come that has reached the end of a stream.
    @usableFromInline @inline(never)
    func tellFailure(_ failure: any Error) {
      guard downstream == nil, target == nil, Inspection.tellsFailures else { return }
      complain("\(subscriber) has received \(failure)\n\(assemblyTrace)")
    }
  }
#endif
