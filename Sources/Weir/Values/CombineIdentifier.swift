// The identity of a subscription, a subscriber or a subject.

import WeirQueues

/// A unique identity in a stream.
///
/// A structure that conforms to `CustomCombineIdentifierConvertible` stores one of its own, made by
/// `CombineIdentifier()`.
public struct CombineIdentifier: Hashable, CustomStringConvertible {
  private let rawValue: UInt64

  /// Creates an identity that nothing else has.
  public init() { rawValue = nextIdentity() }

  /// Creates the identity of an object, which is unique as long as the object lives.
  ///
  /// - Parameter object: The object.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  /// The identity as a hexadecimal number.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}
