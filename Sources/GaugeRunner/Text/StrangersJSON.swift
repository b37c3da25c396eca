// JSON that others may have written. Foundation decodes it; ours is only what it lacks, a limit of depth.

import Foundation

/// Decodes JSON that is nested at most 100 deep: Foundation's decoder (6.3) stops the program at `[` 513 times.
///
/// - Throws: `DecodingError`.
/// - Complexity: O(*n*).
func decoded<Value: Decodable>(_ type: Value.Type, fromJSON bytes: some Collection<UInt8>) throws -> Value {
  var (depth, isText, isEscaped) = (0, false, false)
  for byte in bytes {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\") where isText: isEscaped = true
    case UInt8(ascii: "\""): isText.toggle()
    case UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { depth += 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
    default: break
    }
    guard depth <= 100 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is nested more than 100 deep"))
    }
  }
  return try JSONDecoder().decode(type, from: Data(bytes))
}
