// Objects that tell of their changes before they happen.

/// An object with a publisher that publishes before the object changes.
///
/// An object that does not make that publisher itself gets one that publishes before any of its `@Published` properties
/// changes, those that it inherits included. Properties are found by reflection; an object that replaces its own mirror
/// must show them there.
public protocol ObservableObject: AnyObject {
  /// The kind of the publisher.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before any `@Published` property of the object changes, and when it is told to.
  ///
  /// The publisher is made when it is first asked for, and is the same from then on. Asking for it reads all stored
  /// properties, so it must not race with a write to one that is not published; nothing else is asked of the thread.
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
