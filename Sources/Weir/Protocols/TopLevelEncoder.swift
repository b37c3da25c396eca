// Whatever encodes whole values as data.

/// Encodes a whole value as something that a stream carries, such as data.
public protocol TopLevelEncoder {
  /// The kind of what comes out.
  associatedtype Output

  /// Encodes a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The encoded value.
  /// - Throws: An error if the value can't be encoded.
  /// - Complexity: At least O(*n*) in the size of the value, for coders of whole documents.
  func encode<T: Encodable>(_ value: T) throws -> Output
}
