// The property wrapper that publishes what is written into a property.

/// Publishes each value of a property before it is stored.
///
///     final class Weather {
///       @Published var temperature = 20.0
///     }
///
///     let weather = Weather()
///     let cancellable = weather.$temperature.sink { print("about to be \($0), still \(weather.temperature)") }
///     weather.temperature = 25  // prints: about to be 25.0, still 20.0
///
/// Only properties of classes can be published. Any thread may read, write and subscribe; subscribers are called one at
/// a time.
///
/// - Complexity: Writing the property is O(*n*) in the number of subscribers of the property and of its object's
///   `objectWillChange`; reading it is O(1).
@propertyWrapper
public struct Published<Value> {
  @usableFromInline let storage: PublishedStorage<Value>

  /// Creates the property's storage.
  ///
  /// - Parameter initialValue: The first value.
  @_alwaysEmitIntoClient
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// Creates the property's storage.
  ///
  /// - Parameter wrappedValue: The first value.
  @_alwaysEmitIntoClient
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

  /// Publishes the property's value when it is first asked for values, then each new value before it is stored.
  ///
  /// Setting this does nothing; it has a setter so that it can be passed to `assign(to:)`.
  @_alwaysEmitIntoClient
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    nonmutating set {}
  }

  /// Not available: only properties of classes can be published.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  /// The property's value, as the compiler reads and writes it.
  ///
  /// - Parameters:
  ///   - object: The object that the property belongs to.
  ///   - wrappedKeyPath: The property.
  ///   - storageKeyPath: The property's storage.
  @_alwaysEmitIntoClient
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue) }
  }

  /// The publisher of a published property.
  ///
  /// While a subscriber has no demand left it misses new values, and gets the newest when it requests values again;
  /// demand that it returns from a value counts as with a ``CurrentValueSubject``. The stream never ends.
  public struct Publisher: Weir.Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The kind of values published.
    public typealias Output = Value
    /// `Never`: this publisher can't fail.
    public typealias Failure = Never

    @usableFromInline let storage: PublishedStorage<Value>

    @inlinable
    init(_ storage: PublishedStorage<Value>) { self.storage = storage }

    /// Attaches a subscriber, which gets the property's value when it first asks for values.
    @_alwaysEmitIntoClient
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
      storage.subscribe(subscriber)
    }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value into a published property, until this stream ends, or the property's object and all subscribers
  /// of the property are gone.
  ///
  /// - Parameter published: The property's publisher, `&object.$property`.
  @_alwaysEmitIntoClient
  public func assign(to published: inout Published<Output>.Publisher) { published.storage.follow(self) }
}
