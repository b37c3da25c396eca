// The token of an observer of notifications.

public import Foundation

/// Keeps an observer of notifications registered, and removes it from its centre when it is freed.
///
/// CombineExt removes every observer from the default centre, whichever centre it was in.
public final class NotificationToken {
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(center: NotificationCenter, observer: any NSObjectProtocol) {
    self.center = center
    self.observer = observer
  }

  deinit { center.removeObserver(observer) }

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
    NotificationToken(center: self, observer: addObserver(forName: name, object: object, queue: queue, using: block))
  }
}
