// The token of an observer of notifications.

public import Foundation
import WeirQueues

/// Keeps an observer of notifications registered, and removes it from its centre when it is freed.
///
/// CombineExt removes every observer from the default centre, whichever centre it was in.
public final class NotificationToken {
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol
  private let block: ObserverBlock
  /// The centre of the portable Foundation holds it weakly, and passes it over once it is gone.
  private let queue: OperationQueue?

  fileprivate init(
    center: NotificationCenter, observer: any NSObjectProtocol, block: ObserverBlock, queue: OperationQueue?
  ) {
    self.center = center
    self.observer = observer
    self.block = block
    self.queue = queue
  }

  deinit {
    center.removeObserver(observer)
    block.drop()
  }

  /// Keeps this token in a property of the type `Any?`.
  ///
  /// - Returns: This token.
  @discardableResult
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Any?>, on object: Root) -> NotificationToken {
    object[keyPath: keyPath] = self
    return self
  }

  /// Keeps this token in a property.
  ///
  /// - Returns: This token.
  @discardableResult
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, NotificationToken?>, on object: Root
  ) -> NotificationToken {
    object[keyPath: keyPath] = self
    return self
  }

  /// Keeps this token in a collection.
  public func store<Tokens: RangeReplaceableCollection>(in collection: inout Tokens)
  where Tokens.Element == NotificationToken {
    collection.append(self)
  }
}

/// Holds an observer's block in place of the centre, which would free it under its lock: what the block holds may come
/// back to the centre as it goes.
private final class ObserverBlock: Sendable {
  private struct Held { var block: (@Sendable (Notification) -> Void)? }

  private let held: Lock<Held>

  init(_ block: @escaping @Sendable (Notification) -> Void) { held = Lock(Held(block: block)) }

  func run(_ notification: Notification) { held.withLock { $0 }.block?(notification) }

  /// Lets go of the block.
  func drop() {
    let dropped = held.withLock { held in
      defer { held.block = nil }
      return held
    }
    withExtendedLifetime(dropped) {}
  }
}

extension NotificationCenter {
  /// Posts a notification without a sender.
  public func post(name: Notification.Name) { post(name: name, object: nil) }

  /// Observes the notifications of one name.
  ///
  /// - Parameters:
  ///   - name: The notifications' name.
  ///   - object: The sender whose notifications are observed; any sender if `nil`.
  ///   - queue: Where the block runs; on the posting thread if `nil`.
  ///   - block: Gets each notification.
  /// - Returns: A token that keeps the observer registered as long as it lives.
  public func add(
    forName name: Notification.Name, object: Any? = nil, queue: OperationQueue? = nil,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> NotificationToken {
    let block = ObserverBlock(block)
    let observer = addObserver(forName: name, object: object, queue: queue) { block.run($0) }
    return NotificationToken(center: self, observer: observer, block: block, queue: queue)
  }
}
