// From where functions return to, to lines of the program, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  #if os(Linux) && compiler(>=6.2)
    @_spi(Internal) import Runtime
  #endif

  /// A line of the program.
  package struct SourcePlace: Sendable, Hashable {
    /// The path of the source file.
    package let file: String
    package let line: Int
    /// The name of the function.
    package let function: String

    /// The file's name and the line.
    package var text: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
  }

  /// Finds lines by the debug information of the program's own files, which the toolchain's module Runtime reads. What
  /// was found is kept, so that each address is looked up once.
  package enum SourcePlaces {
    private static let known = Lock([UInt: [SourcePlace]]())
    /// The folder of Weir's own sources: what is called there isn't what the program's author has written.
    private static let ownFolder =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      .joined(separator: "/") + "/"

    /// The innermost line that isn't Weir's own.
    ///
    /// - Parameter addresses: Where functions return to, from the innermost outwards.
    /// - Returns: `nil` where there is no such line, or the program has no debug information.
    package static func place(of addresses: [UInt]) -> SourcePlace? {
      for address in addresses {
        if let place = places(at: address).first(where: { !isOwn($0.file) }) { return place }
      }
      return nil
    }

    /// A name, with the place behind it if that is known.
    static func line(_ name: String, _ addresses: [UInt]) -> String {
      place(of: addresses).map { "\(name) (\($0.text))" } ?? name
    }

    /// Whether a file is one of Weir's sources, or of a sanitizer's, which stands between Weir and the system. Where
    /// Weir is the package that is built, the path of one in C is relative.
    private static func isOwn(_ file: String) -> Bool {
      file.hasPrefix(ownFolder) || file.hasPrefix("Sources/CMachine/") || file.contains("/compiler-rt/lib/")
    }

    /// The lines at an address: that of the innermost function first that was put into it.
    private static func places(at address: UInt) -> [SourcePlace] {
      if let places = known.withLock({ $0[address] }) { return places }
      let places = look(at: address)
      known.withLock { $0[address] = places }
      return places
    }

    #if os(Linux) && compiler(>=6.2)
      private static let images = ImageMap.capture()

      private static func look(at address: UInt) -> [SourcePlace] {
        let symbols = symbols(at: address)
        let places = symbols.compactMap(place)
        guard places.isEmpty, let symbol = symbols.last, let file = symbol.sourceLocation?.path, !isOwn(file),
          !file.hasSuffix("<compiler-generated>")
        else { return places }
        // Code that nobody has written, as what begins an asynchronous loop, has line 0: its neighbours tell.
        for distance in stride(from: UInt(8), through: 64, by: 8) {
          for neighbour in [address &- distance, address &+ distance] {
            let nearby = Self.symbols(at: neighbour).last
            if nearby?.name == symbol.name, let place = nearby.flatMap(place), place.file == file { return [place] }
          }
        }
        return []
      }

      private static func place(_ symbol: SymbolicatedBacktrace.Symbol) -> SourcePlace? {
        guard let place = symbol.sourceLocation, place.line > 0 else { return nil }
        return SourcePlace(file: place.path, line: place.line, function: symbol.name)
      }

      /// The functions at an address, the innermost first that was put into it.
      private static func symbols(at address: UInt) -> [SymbolicatedBacktrace.Symbol] {
        #if arch(x86_64)
          let architecture = "x86_64"
        #elseif arch(arm64)
          let architecture = "arm64"
        #else
          return []
        #endif
        let frame = RichFrame<UInt64>.returnAddress(UInt64(address))
        let backtrace = Backtrace(architecture: architecture, frames: [frame], images: images)
        return backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol) ?? []
      }
    #else
      private static func look(at address: UInt) -> [SourcePlace] { [] }
    #endif
  }
#endif
