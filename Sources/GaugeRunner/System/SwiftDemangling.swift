// Swift's symbols as their declarations, by the function that the runtime itself uses for its messages.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@_silgen_name("swift_demangle")
private func runtimeDemangle(
  _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// The demangler of Swift's runtime.
enum SwiftDemangling {
  /// Bytes of the longest symbol that is handed to the runtime. It builds trees of what it reads, and walks them by
  /// calls of calls; the longest ones that a compiler makes of real code have some thousands.
  static let longestSymbol = 16_384

  /// The declaration that a symbol stands for, such as `Module.Type.method(_: Swift.Int) -> ()`; `nil` for a symbol
  /// that is not Swift's, and for one that is too long or may stand for too much.
  static func declaration(of symbol: String) -> String? {
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("$e"),
      symbol.utf8.count <= longestSymbol, mostBytes(of: symbol) <= largestEstimate
    else { return nil }
    // Safe: the symbol is bridged to bytes that outlive the call, of the length that is told; without a buffer the
    // runtime returns a block of its own, which ends with a zero and is freed here.
    guard let text = unsafe runtimeDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { unsafe free(text) }
    let declaration = unsafe String(cString: text)
    return declaration == symbol ? nil : declaration
  }

  /// What `mostBytes` may come to; declarations are shorter by a factor of some to hundreds. Of a hundred thousand
  /// symbols of real programs it leaves out some hundreds at most.
  static let largestEstimate = Double(1 << 28)

  /// At most how many bytes a symbol's declaration has, estimated without reading the symbol: parts of it stand for
  /// what came before, and each may double the whole.
  /// Twenty-five generic types within each other fill half a gigabyte so.
  ///
  /// - Complexity: Linear in the symbol.
  static func mostBytes(of symbol: String) -> Double {
    let bytes = Array(symbol.utf8)
    var total = 64.0
    // Numbers of parts that were referred to, each higher than those before it,
    // with what the whole had come to by then.
    var known: [(number: Int, size: Double)] = []
    var index = 0
    func count() -> Int {
      var digits = 0
      while index < bytes.count, case let digit = Int(bytes[index]) - 0x30, 0...9 ~= digit {
        digits = min(2048, digits * 10 + digit)
        index += 1
      }
      return digits
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      total += perByte
      guard byte == UInt8(ascii: "A") || byte == UInt8(ascii: "S") else { continue }
      // `A`, then letters that stand for the first 26 parts, all but the last one small, or a number and `_` for later
      // ones; `S` for the library's own. A number in front of a letter repeats it.
      while index < bytes.count {
        let times = max(1, count())
        guard index < bytes.count else { break }
        let letter = bytes[index]
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
        let isLast = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
        guard isSmall || isLast || letter == UInt8(ascii: "_") else { break }
        index += 1
        guard byte == UInt8(ascii: "A") else {
          total += perByte * Double(times)
          break
        }
        let number = isSmall ? Int(letter) - 0x61 : isLast ? Int(letter) - 0x41 : 26 + times
        let first = known.first { $0.number >= number }
        if first == nil { known.append((number, total)) }
        total += (first?.size ?? total) * Double(letter == UInt8(ascii: "_") ? 1 : times)
        guard isSmall, total <= largestEstimate else { break }
      }
      guard total <= largestEstimate else { break }
    }
    return total
  }

  /// More bytes of a declaration than a byte of a symbol makes by itself.
  private static let perByte = 16.0
}
