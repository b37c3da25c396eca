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
  /// Bytes of the longest symbol that is handed to the runtime. It builds trees of what it reads, and walks them by calls of
  /// calls; the longest ones that a compiler makes of real code have some thousands.
  static let longestSymbol = 16_384

  /// The declaration that a symbol stands for, such as `Module.Type.method(_: Swift.Int) -> ()`; `nil` for a symbol that is
  /// not Swift's.
  static func declaration(of symbol: String) -> String? {
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("$e"),
      symbol.utf8.count <= longestSymbol
    else { return nil }
    // Safe: the symbol is bridged to bytes that outlive the call, of the length that is told; without a buffer the runtime
    // returns a block of its own, which ends with a zero and is freed here.
    guard let text = unsafe runtimeDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { unsafe free(text) }
    let declaration = unsafe String(cString: text)
    return declaration == symbol ? nil : declaration
  }
}
