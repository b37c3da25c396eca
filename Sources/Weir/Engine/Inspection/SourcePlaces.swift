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

    /// Whether a file is one of Weir's sources. Where Weir is the package that is built, the path of one in C is
    /// relative.
    private static func isOwn(_ file: String) -> Bool {
      file.hasPrefix(ownFolder) || file.hasPrefix("Sources/CMachine/")
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
        #if arch(x86_64)
          let architecture = "x86_64"
        #elseif arch(arm64)
          let architecture = "arm64"
        #else
          return []
        #endif
        let frame = RichFrame<UInt64>.returnAddress(UInt64(address))
        let backtrace = Backtrace(architecture: architecture, frames: [frame], images: images)
        guard let found = backtrace.symbolicated(with: images) else { return [] }
        return found.frames.compactMap { frame in
          guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else { return nil }
          return SourcePlace(file: place.path, line: place.line, function: symbol.name)
        }
      }
    #else
      private static func look(at address: UInt) -> [SourcePlace] { [] }
    #endif
  }

  // MARK: Which way a failure has come

  extension InspectedSubscription: TracedObject {
    /// The operators that are one: their names, and where each was made. The first one is that which values come to
    /// first.
    package var operators: [(name: String, addresses: [UInt])] {
      var (operators, next, type) = ([(name: String, addresses: [UInt])](), assembly.stack, publisher)
      while let stack = next {
        let fusion = stack.fusion
        operators.append((fusion.map { "\($0.name)" } ?? operatorName(of: type), stack.addresses))
        next = fusion?.stack
        type = fusion?.type ?? type
      }
      return operators.isEmpty ? [(operatorName(of: publisher), attachment)] : operators.reversed()
    }

    /// The names of the operators.
    package var name: String { operators.map(\.name).joined(separator: "+") }

    package var assemblyTrace: String {
      let live = Inspection.live
      var failing = self
      // Of several that lead to one, as the attempts of `retry`, the newest.
      while let upstream = live.last(where: { $0.downstream === failing && $0.state == .failed }) { failing = upstream }
      var end = self
      while let downstream = end.downstream { end = downstream }
      let upstreams = Dictionary(grouping: live) { $0.downstream.map(ObjectIdentifier.init) }
      var (way, waiting) = ([InspectedSubscription](), [end])
      while let subscription = waiting.popLast() {
        way.append(subscription)
        waiting += upstreams[ObjectIdentifier(subscription)] ?? []
      }
      var lines = way.reversed().flatMap { subscription in
        subscription.operators.map { (subscription === failing ? "> " : "  ") + Self.line($0.name, $0.addresses) }
      }
      lines.append("  " + Self.line(end.subscriber, end.attachment))
      return "The stream, from its origin to its end:\n" + lines.joined(separator: "\n")
    }

    private static func line(_ name: String, _ addresses: [UInt]) -> String {
      SourcePlaces.place(of: addresses).map { "\(name) (\($0.text))" } ?? name
    }

    /// Says which way a failure has come that has reached the end of a stream.
    @usableFromInline @inline(never)
    func tellFailure(_ failure: any Error) {
      guard downstream == nil, target == nil, Inspection.tellsFailures else { return }
      complain("\(subscriber) has received \(failure)\n\(assemblyTrace)")
    }
  }
#endif
