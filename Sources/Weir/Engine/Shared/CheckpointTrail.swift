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
    return places.isEmpty ? "" : ", behind the checkpoint \(places.joined(separator: ", then "))"
  }

  /// A failure that waits, and the places that it has come past.
  private struct Kept {
    weak var keeper: Link?
    let marks: [CheckpointMark]
  }

  private static let kept = Lock<[Kept]>([])
  /// How many wait. It is only a hint: who keeps a failure and who delivers it are ordered by what it waits in.
  private static let keptCount = AtomicWord(0)

  /// Keeps the places of a failure that a link keeps until it delivers it.
  @usableFromInline @inline(never)
  static func keep(for link: Link) {
    let marks = marks
    guard !marks.isEmpty else { return }
    kept.withLock { kept in
      kept.removeAll { $0.keeper == nil }
      kept.append(Kept(keeper: link, marks: marks))
      keptCount.relaxedStore(kept.count)
    }
  }

  /// Delivers a failure that a link has kept, with the places of then.
  @usableFromInline @inline(never)
  static func deliver(from link: Link, _ body: () -> Void) {
    guard keptCount.relaxedLoad() > 0 else { return body() }
    let marks = kept.withLock { kept -> [CheckpointMark] in
      defer { keptCount.relaxedStore(kept.count) }
      guard let index = kept.firstIndex(where: { $0.keeper === link }) else { return [] }
      return kept.remove(at: index).marks
    }
    deliver(behind: marks[...], body)
  }

  private static func deliver(behind marks: ArraySlice<CheckpointMark>, _ body: () -> Void) {
    guard let mark = marks.first else { return body() }
    withOnTrail(mark) { deliver(behind: marks.dropFirst(), body) }
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
