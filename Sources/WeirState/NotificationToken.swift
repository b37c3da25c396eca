// The token of an observer of notifications.

public import Foundation

/// Keeps an observer of notifications registered, and takes it out of its centre when it is freed.
///
/// The field's own library takes every observer out of the default centre, whatever centre it was in.
public final class NotificationToken {
  private let center: NotificationCenter
  private let observer: any NSObjectProtocol

  init(center: NotificationCenter, observer: any NSObjectProtocol) {
    self.center = center
    self.observer = observer
  }

  deinit { center.removeObserver(observer) }

  /// Keeps this token in a property of any type.
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
  /// Posts a notification that nobody in particular sends.
  public func post(name: Notification.Name) { post(name: name, object: nil) }

  /// Observes the notifications of one name.
  ///
  /// - Parameters:
  ///   - name: The notifications' name.
  ///   - object: Who posts them; anybody if `nil`.
  ///   - queue: Where the block runs; on the posting thread if `nil`.
  ///   - block: Gets each notification.
  /// - Returns: Keeps the observer registered as long as it lives.
  public func add(
    forName name: Notification.Name, object: Any? = nil, queue: OperationQueue? = nil,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> NotificationToken {
    NotificationToken(center: self, observer: addObserver(forName: name, object: object, queue: queue, using: block))
  }
}
