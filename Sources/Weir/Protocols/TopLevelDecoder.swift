// What makes whole values of data.

/// Makes a whole value of what a stream carries, such as data.
public protocol TopLevelDecoder {
  /// What a value is made of.
  associatedtype Input

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The kind of value.
  ///   - input: What to make it of.
  /// - Returns: The value.
  /// - Throws: An error if that fails.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}
