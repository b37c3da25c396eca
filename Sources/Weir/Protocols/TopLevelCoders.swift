// What turns whole values into data and back.

/// Turns data of one kind into values.
public protocol TopLevelDecoder {
  /// The kind of data.
  associatedtype Input

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The kind of value.
  ///   - from: The data.
  /// - Returns: The value.
  /// - Throws: Whatever the decoder can't read.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Turns values into data of one kind.
public protocol TopLevelEncoder {
  /// The kind of data.
  associatedtype Output

  /// Encodes a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: The data.
  /// - Throws: Whatever the encoder can't write.
  func encode<T: Encodable>(_ value: T) throws -> Output
}
