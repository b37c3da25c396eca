// Whatever decodes whole values from data.

/// Decodes a whole value from what a stream carries, such as data.
public protocol TopLevelDecoder {
  /// The kind of what is decoded.
  associatedtype Input

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The kind of value.
  ///   - input: What to decode it from.
  /// - Returns: The value.
  /// - Throws: An error if `input` can't be decoded.
  /// - Complexity: At least O(*n*) in the size of the input, for coders of whole documents.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}
