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
    /// How many more lead to it.
    private let othersCount: Int

    /// How many lead to one, at most, besides the one that has failed; a report has to be read.
    private static let limit = 8

    init(id: Int, _ publisher: InspectedPublisher, failing: Int, upstreams: [StreamTrace]) {
      self.id = id
      self.publisher = publisher
      self.failing = failing
      self.upstreams = upstreams.prefix(Self.limit) + upstreams.dropFirst(Self.limit).filter { $0.failing == failing }
      othersCount = upstreams.count - self.upstreams.count
    }

    /// A line for each operator, the origins first.
    ///
    /// - Parameters:
    ///   - marked: The number of the subscription whose operators are marked.
    ///   - hasFailed: Whether it is marked because it has failed: of operators that are one, those have that may throw.
    func lines(marking marked: Int, hasFailed: Bool) -> [String] {
      var (lines, seen) = ([String](), Set<Int>())
      // Each stands behind all that lead to it.
      var waiting = [(trace: self, isEntered: false)]
      while let (trace, isEntered) = waiting.popLast() {
        if isEntered {
          lines += trace.ownLines(marking: marked, hasFailed: hasFailed)
        } else if seen.insert(trace.id).inserted {
          waiting.append((trace, true))
          waiting += trace.upstreams.reversed().map { ($0, false) }
        }
      }
      return lines
    }

    private func ownLines(marking marked: Int, hasFailed: Bool) -> [String] {
      let operators = publisher.operators
      let areSome = hasFailed && operators.contains { $0.name.hasPrefix("Try") }
      let others = othersCount > 0 ? ["  ... and \(othersCount) more that lead here:"] : []
      return others
        + operators.map { name, addresses in
          let isMarked = id == marked && (!areSome || name.hasPrefix("Try"))
          return (isMarked ? "> " : "  ") + SourcePlaces.line(name, addresses)
        }
    }
  }

  /// What leads to a subscription.
  struct InspectedUpstreams {
    private var live: [Int: InspectedSubscription] = [:]
    /// The last that has failed.
    var failed: StreamTrace? { didSet { isReplaced = false } }
    /// Whether others have come since: of one that `retry` has replaced nothing comes any more.
    private var isReplaced = false
    /// Those that are gone: the last one, or all those that went when the subscription itself was over.
    private var gone: [StreamTrace] = []
    private var wentTogether = false
    /// How many there have been.
    private(set) var count = 0

    mutating func add(_ subscription: InspectedSubscription) {
      live[subscription.id] = subscription
      gone = []
      isReplaced = true
      count += 1
    }

    /// Takes one out that is gone.
    ///
    /// - Parameters:
    ///   - trace: What is kept of it.
    ///   - hasFailed: Whether it has failed.
    ///   - isOver: Whether the subscription that it led to was over: what leads there goes together then.
    mutating func remove(
      _ subscription: InspectedSubscription, leaving trace: StreamTrace, hasFailed: Bool, isOver: Bool
    ) {
      live[subscription.id] = nil
      // Others have come for it.
      if hasFailed, isReplaced || trace.id != failed?.id { return }
      if !isOver || !wentTogether { gone = [] }
      wentTogether = isOver
      gone.append(trace)
    }

    /// Those that the newest signal may have come from.
    ///
    /// - Parameter hasFailed: Whether the subscription itself has failed.
    /// - Returns: Those that are alive, what is kept of others, and the subscription that failed first, if one has.
    func sources(hasFailed: Bool) -> InspectedSources {
      let failing = hasFailed || !isReplaced ? failed : nil
      let others = live.values.filter { $0.id != failed?.id }
      let isLast = failing == nil && others.isEmpty
      let kept = (wentTogether || isLast ? gone : []).filter { $0.id != failing?.id }
      return InspectedSources(live: others, kept: kept + (failing.map { [$0] } ?? []), failing: failing?.failing)
    }
  }

  /// Where the newest signal of a subscription may have come from.
  struct InspectedSources {
    var live: [InspectedSubscription]
    /// What is kept of others.
    var kept: [StreamTrace]
    /// The subscription that failed first, if one has.
    var failing: Int?
  }

  extension InspectedSubscription: TracedObject {
    package var assemblyTrace: String {
      var end = self
      while let downstream = end.downstream { end = downstream }
      let failing = sources.failing
      let lines =
        end.trace(followingSubjects: true).lines(
          marking: failing ?? id, hasFailed: failing != nil || state == .failed)
        + ["  " + SourcePlaces.line(end.subscriber, end.publisher.attachment)]
      return "The stream, from its origin to its end:\n" + lines.joined(separator: "\n")
    }

    /// This subscription and what leads to it, as it is now. Ways may be long: nothing here calls itself.
    ///
    /// - Parameter followsSubjects: Whether what feeds a subject leads to its subscriptions.
    func trace(followingSubjects followsSubjects: Bool = false) -> StreamTrace {
      typealias Found = (subscription: InspectedSubscription, upstreams: [Int], sources: InspectedSources)
      var (waiting, seen, found) = ([self], Set([id]), [Found]())
      while let next = waiting.popLast() {
        let sources = next.sources
        let kept = Set(sources.kept.map(\.id))
        let feeders = next.origin.flatMap { followsSubjects ? Inspection.feeders(of: $0) : nil } ?? []
        // What has failed and is there still has been replaced: it is being called, perhaps.
        let upstreams = (sources.live.filter { $0.state != .failed } + feeders.filter { !kept.contains($0.id) })
          .filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
        found.append((next, upstreams.map(\.id), sources))
        waiting += upstreams.reversed()
      }
      var traces: [Int: StreamTrace] = [:]
      func trace(_ next: Found) -> StreamTrace {
        StreamTrace(
          id: next.subscription.id, next.subscription.publisher,
          failing: next.sources.failing ?? next.subscription.id,
          upstreams: (next.upstreams.compactMap { traces[$0] } + next.sources.kept).sorted { $0.id < $1.id })
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
