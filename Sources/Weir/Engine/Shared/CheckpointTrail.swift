// The named places of streams that a signal has come past, for those who report it.

import WeirQueues

/// A place in a stream that has a name.
@usableFromInline
package final class CheckpointMark: Sendable {
  package let name: String
  package let file: StaticString
  package let line: UInt

  @usableFromInline
  package init(name: String, file: StaticString, line: UInt) {
    self.name = name
    self.file = file
    self.line = line
  }
}

#if WEIR_INSPECTION
  /// What the trail has of a stream that knows where it was made.
  package protocol TracedObject: AnyObject {
    /// The stream's operators with the lines where they were made, that at which a signal is being marked; empty where
    /// a stream has ended.
    var assemblyTrace: String { get }
  }
#endif

/// The named places that the values and failures have come past within whose delivery the calling thread is.
///
/// A place is on the thread's trail while what has come past it is being delivered. A failure that an operator keeps,
/// for another thread or for later, has its places kept with it, here: streams without named places have no field for
/// that, and no instruction but where they fail.
@usableFromInline
package enum CheckpointTrail {
  /// The places, in the order in which they were come past; each of them once.
  package static var marks: [CheckpointMark] {
    var marks: [CheckpointMark] = []
    for case let mark as CheckpointMark in threadTrail where !marks.contains(where: { $0 === mark }) {
      marks.append(mark)
    }
    return marks
  }

  /// What a message says behind what it is about: the places, or nothing if there are none.
  @usableFromInline @inline(never)
  package static var text: String {
    let places = marks.map { "\"\($0.name)\" (\($0.file):\($0.line))" }
    let text = places.isEmpty ? "" : ", behind the checkpoint \(places.joined(separator: ", then "))"
    #if WEIR_INSPECTION
      let traced = threadTrail.last { $0 is any TracedObject } as? any TracedObject
      if let trace = traced?.assemblyTrace, !trace.isEmpty { return text + "\n" + trace }
    #endif
    return text
  }

  private static let kept = Lock(KeptCheckpoints())
  /// How many wait. It is only a hint: who keeps a failure and who delivers it are ordered by what it waits in.
  private static let keptCount = AtomicWord(0)

  /// Keeps the places of a failure that a link keeps until it delivers it.
  @usableFromInline @inline(never)
  static func keep(for link: Link) {
    let marks = marks
    guard !marks.isEmpty else { return }
    let seen = kept.withLock { kept in
      defer { keptCount.relaxedStore(kept.count) }
      return kept.keep(marks, for: link)
    }
    withExtendedLifetime(seen) {}
  }

  /// Delivers a failure that a link has kept, with the places of then.
  @usableFromInline @inline(never)
  static func deliver(from link: Link, _ body: () -> Void) {
    guard keptCount.relaxedLoad() > 0 else { return body() }
    let marks = kept.withLock { kept -> [CheckpointMark] in
      defer { keptCount.relaxedStore(kept.count) }
      return kept.take(from: link)
    }
    deliver(behind: marks[...], body)
  }

  private static func deliver(behind marks: ArraySlice<CheckpointMark>, _ body: () -> Void) {
    guard let mark = marks.first else { return body() }
    withOnTrail(mark) { deliver(behind: marks.dropFirst(), body) }
  }
}

/// The places of failures that wait, by the links that keep them.
struct KeptCheckpoints {
  private struct Kept {
    /// A link that is gone may have left its identity to another one.
    weak var keeper: Link?
    let marks: [CheckpointMark]
  }

  private var kept: [ObjectIdentifier: Kept] = [:]
  /// The count at which those whose links are gone are let go of: twice what was left the last time, so that it costs a
  /// failure constant time on average.
  private var limit = 16

  /// How many there are, some of which may be those of links that are gone.
  var count: Int { kept.count }

  /// Keeps the places of a link's failure.
  ///
  /// - Returns: The links that were looked at. The last to hold one frees it, and a subscriber with it, so the caller
  ///   lets go of them behind the lock.
  mutating func keep(_ marks: [CheckpointMark], for link: Link) -> [Link] {
    var seen: [Link] = []
    if kept.count >= limit {
      kept = kept.filter { entry in
        guard let keeper = entry.value.keeper else { return false }
        seen.append(keeper)
        return true
      }
      limit = max(16, 2 * kept.count)
    }
    kept[ObjectIdentifier(link)] = Kept(keeper: link, marks: marks)
    return seen
  }

  /// The places of a link's failure, which are kept no more.
  mutating func take(from link: Link) -> [CheckpointMark] {
    guard let kept = kept.removeValue(forKey: ObjectIdentifier(link)), kept.keeper === link else { return [] }
    return kept.marks
  }
}

extension Link {
  /// Keeps the named places that a failure has come past, which this link keeps until it delivers it.
  @inlinable @inline(__always)
  final func keepCheckpoints<Failure>(of completion: Subscribers.Completion<Failure>) {
    if case .failure = completion { CheckpointTrail.keep(for: self) }
  }

  /// Delivers a completion that this link has kept; a failure with the named places that it has come past.
  @inlinable @inline(__always)
  final func deliverKept<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
  ) {
    if case .failure = completion {
      CheckpointTrail.deliver(from: self) { downstream.receive(completion: completion) }
    } else {
      downstream.receive(completion: completion)
    }
  }
}
