// Finds or makes the one publisher of changes that belongs to an object.

import WeirQueues

/// A stored property that tells a publisher before it changes.
package protocol PublishedField {
  /// The publisher, once there is one.
  var willChange: ObservableObjectPublisher? { get nonmutating set }
}

/// The publishers of changes that objects did not make themselves.
///
/// An object with published properties keeps its publisher in these. The publishers of objects without any are kept
/// here, in a table that does not keep the objects; entries of objects that are gone are swept out when the table has
/// grown to twice what the last sweep left.
final class ChangePublishers: Sendable {
  struct Entry {
    weak var owner: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var sweepAt = 16
  }

  /// The one table.
  static let shared = ChangePublishers()

  let state = Lock(State())

  /// How many publishers the table keeps.
  var count: Int { state.withLock { $0.entries.count } }

  /// The publisher that the table keeps for an object.
  ///
  /// - Returns: The publisher; `nil` if it was never asked for, or if the object's fields keep it.
  func publisher(keptFor owner: AnyObject) -> ObservableObjectPublisher? {
    state.withLock { state in
      guard let entry = state.entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
      return entry.publisher
    }
  }

  /// The publisher of an object.
  ///
  /// - Parameters:
  ///   - owner: The object.
  ///   - fields: Its published properties; each tells the publisher from now on.
  func publisher(of owner: AnyObject, with fields: [any PublishedField]) -> ObservableObjectPublisher {
    // Objects and publishers that the table lets go of are freed after the lock: their `deinit` may be user code.
    var released: [AnyObject] = []
    defer { withExtendedLifetime(released) {} }
    return state.withLock { state in
      guard !fields.isEmpty else { return entry(of: owner, in: &state, releasing: &released) }
      let publisher = fields.lazy.compactMap(\.willChange).first ?? ObservableObjectPublisher()
      for field in fields {
        let former = field.willChange
        guard former !== publisher else { continue }
        if let former { released.append(former) }
        field.willChange = publisher
      }
      return publisher
    }
  }

  private func entry(
    of owner: AnyObject, in state: inout State, releasing released: inout [AnyObject]
  ) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(owner)
    if let entry = state.entries[key] {
      // Another object may have lived at the same address.
      if entry.owner === owner { return entry.publisher }
      released.append(entry.publisher)
    }
    if state.entries.count >= state.sweepAt {
      var kept: [ObjectIdentifier: Entry] = [:]
      for (key, entry) in state.entries {
        released.append(entry.publisher)
        guard let owner = entry.owner else { continue }
        released.append(owner)
        kept[key] = entry
      }
      state.entries = kept
      state.sweepAt = max(16, kept.count * 2)
    }
    let publisher = ObservableObjectPublisher()
    state.entries[key] = Entry(owner: owner, publisher: publisher)
    return publisher
  }
}
