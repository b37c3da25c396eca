// What turns whole values into data.

/// Turns a whole value into what a stream carries, such as data.
public protocol TopLevelEncoder {
  /// What is made of a value.
  associatedtype Output

  /// Encodes a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: What is made of it.
  /// - Throws: An error if that fails.
  func encode<T: Encodable>(_ value: T) throws -> Output
}
