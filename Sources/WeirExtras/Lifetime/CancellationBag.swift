// A set of things to cancel that several threads use at once: the piece that the stores share.

import Weir
import WeirQueues

/// Holds cancellables, and cancels them outside the lock that is over them.
///
/// An activity that is cancelled may run user code, which may come back here.
final class CancellationBag<Key: Hashable>: Sendable {
  private let members = SharedTable<Key, AnyCancellable>()

  init() {}

  deinit { cancelAll() }

  var count: Int { members.count }

  var all: [(key: Key, value: AnyCancellable)] { members.all }

  /// Keeps a cancellable.
  ///
  /// - Returns: The former one under the same key.
  func insert(_ cancellable: AnyCancellable, for key: Key) -> AnyCancellable? {
    members.update(key) { member in
      let former = member
      member = cancellable
      return former
    }
  }

  /// Keeps a cancellable if there is none under the key.
  ///
  /// - Returns: Whether it is under the key.
  func insertIfAbsent(_ cancellable: AnyCancellable, for key: Key) -> Bool {
    members.update(key) { member in
      guard member == nil else { return member === cancellable }
      member = cancellable
      return true
    }
  }

  /// Lets go of a cancellable without cancelling it.
  func remove(_ key: Key) -> AnyCancellable? { members.update(key) { $0.take() } }

  /// Lets go of a cancellable, if it is the one under its key, without cancelling it.
  func remove(_ cancellable: AnyCancellable, for key: Key) {
    members.update(key) { if $0 === cancellable { $0 = nil } }
  }

  /// Cancels those that satisfy a predicate. One that has been replaced under its key meanwhile is cancelled, and the
  /// one in its place is not.
  func cancel(where predicate: (AnyCancellable) -> Bool) {
    let chosen = all.filter { predicate($0.value) }
    for (key, cancellable) in chosen { remove(cancellable, for: key) }
    for (_, cancellable) in chosen { cancellable.cancel() }
  }

  /// Cancels all.
  func cancelAll() {
    for (_, cancellable) in members.takeAll() { cancellable.cancel() }
  }
}

/// What tells subscriptions without a key apart.
enum BagKey: Hashable {
  /// A subscription that somebody else made, by its identity, which is nobody else's while it is kept.
  case object(ObjectIdentifier)
  /// A subscription that may be taken out after it is gone: its identity might be another's by then.
  case number(CombineIdentifier)

  init(_ cancellable: AnyCancellable) { self = .object(ObjectIdentifier(cancellable)) }
}

extension CancellationBag where Key == BagKey {
  func insert(_ cancellable: AnyCancellable) { _ = insert(cancellable, for: BagKey(cancellable)) }

  /// Makes the change that leads from one set to another; what else is in the bag stays, and what has left it meanwhile
  /// does not come back.
  func change(from old: Set<AnyCancellable>, to new: Set<AnyCancellable>) {
    let removed = old.subtracting(new)
    if !removed.isEmpty {
      for (key, cancellable) in all where removed.contains(cancellable) { remove(cancellable, for: key) }
    }
    for cancellable in new.subtracting(old) { insert(cancellable) }
  }

  /// Subscribes with closures, and keeps the subscription until the stream ends.
  func sink<Upstream: Publisher>(
    _ upstream: Upstream, receiveCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void,
    receiveValue: @escaping (Upstream.Output) -> Void
  ) -> AnyCancellable {
    let key = BagKey.number(CombineIdentifier())
    let sink = Subscribers.Sink<Upstream.Output, Upstream.Failure>(
      receiveCompletion: { [weak self] completion in
        self?.discard(key)
        receiveCompletion(completion)
      }, receiveValue: receiveValue)
    let subscription = sink.asCancellable()
    let kept = AnyCancellable { [weak self] in
      self?.discard(key)
      subscription.cancel()
    }
    // Before the values that come at once: what is called with one may cancel all.
    _ = insert(kept, for: key)
    upstream.subscribe(sink)
    return kept
  }

  private func discard(_ key: BagKey) { _ = remove(key) }
}
