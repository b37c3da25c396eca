// Objects that announce their changes before they happen.

/// An object with a publisher that publishes before the object changes.
///
/// An object that does not make that publisher itself gets one that publishes before any of its `@Published` properties
/// changes, inherited ones included. Properties are found by reflection; an object that provides a mirror of its own
/// must show them there.
public protocol ObservableObject: AnyObject {
  /// The kind of the publisher.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before any `@Published` property of the object changes, and when its `send()` is called.
  ///
  /// The publisher is made at the first access, and is the same from then on. Any thread may access it, but an access
  /// may read all stored properties, so it must not race with a write to one that is not published.
  ///
  /// - Complexity: O(*n*) in the number of the object's stored properties.
  public var objectWillChange: ObservableObjectPublisher {
    if let publisher = ChangePublishers.shared.publisher(keptFor: self) { return publisher }
    var fields: [any PublishedField] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      fields += level.children.lazy.compactMap { $0.value as? any PublishedField }
      mirror = level.superclassMirror
    }
    return ChangePublishers.shared.publisher(of: self, with: fields)
  }
}

extension Published: PublishedField {
  package var willChange: ObservableObjectPublisher? {
    get { storage.willChange }
    nonmutating set { storage.willChange = newValue }
  }
}
