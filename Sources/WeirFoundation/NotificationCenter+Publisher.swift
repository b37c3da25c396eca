// Notifications as values.

public import Foundation
public import Weir
import WeirQueues

extension NotificationCenter {
  /// A publisher of the notifications of one name.
  ///
  /// - Parameters:
  ///   - name: The notifications' name.
  ///   - object: The sender whose notifications are published; any sender if `nil`.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes the notifications of one name, on the threads that post them.
  ///
  /// Notifications that come without demand are dropped. Those that several threads post at once are delivered one
  /// after the other; with `contention(.handOver)` behind this, or where threads would wait for each other in a circle,
  /// the thread that is delivering delivers those of the others, too.
  public struct Publisher: Weir.Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Notifications.
    public typealias Output = Notification
    /// `Never`: it can't fail.
    public typealias Failure = Never

    /// The centre where the notifications are posted.
    public let center: NotificationCenter

    /// The notifications' name.
    public let name: Notification.Name

    /// The sender whose notifications are published; any sender if `nil`. It is kept alive.
    public let object: AnyObject?

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - center: The centre where the notifications are posted.
    ///   - name: The notifications' name.
    ///   - object: The sender whose notifications are published; any sender if `nil`.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches a subscriber, which sees the notifications posted from now on as it asks for them.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
      let link = FeedLink(downstream: HeldSubscriber(subscriber), name: "NotificationCenter Observer")
      let send = Unchecked { [weak link] (notification: Notification) -> Void in link?.send(notification) }
      let observation = center.addObserver(forName: name, object: object, queue: nil) { send.value($0) }
      link.open(
        FeedLink<S>.Source(
          stop: { [center, object] in
            center.removeObserver(observation)
            withExtendedLifetime(object) {}
          },
          children: { [center, name, object] in
            [("center", center as Any), ("name", name), ("object", object as Any)]
          }))
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Returns `true` if both publish the same notifications.
  public static func == (lhs: NotificationCenter.Publisher, rhs: NotificationCenter.Publisher) -> Bool {
    lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}
