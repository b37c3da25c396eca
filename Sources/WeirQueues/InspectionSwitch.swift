// Whether the environment asks for inspection, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import CMachine

  /// Whether the environment variable WEIR_INSPECT is there, and neither empty nor 0.
  package func isInspectionWanted() -> Bool { machine_inspection_is_wanted() != 0 }

  /// Where the environment variable WEIR_INSPECT asks for the live streams to be served: `serve:` is before the path of
  /// a socket, which is empty for the usual place; `nil` if it doesn't ask.
  package func placeOfInspection() -> String? {
    guard let place = unsafe machine_inspection_place() else { return nil }
    // SAFETY: a part of the environment that ends with a zero; a program that changes its environment beside other
    // threads breaks the rules of the C library.
    return unsafe String(cString: place)
  }

  /// Whether the environment asks for the live streams to be watched by the rules: WEIR_INSPECT is `watch`.
  package func isWatchWanted() -> Bool { machine_inspection_is_watched() != 0 }

  private let switched = AtomicWord(isInspectionWanted() ? 1 : 0)

  /// Whether inspection is on.
  package var isInspectionOn: Bool {
    get { switched.relaxedLoad() != 0 }
    set { switched.relaxedStore(newValue ? 1 : 0) }
  }

  /// Where the functions return to that the calling thread is in, from the innermost outwards.
  ///
  /// - Parameter most: How many are told.
  /// - Returns: The addresses; none where the system doesn't tell.
  package func returnAddresses(most: Int) -> [UInt] {
    unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: most) { addresses in
      // SAFETY: there is room for as many as are told, and all that were told have been written.
      guard let base = addresses.baseAddress else { return [] }
      let count = unsafe Int(machine_return_addresses(base, Int32(clamping: most)))
      return (0..<count).map { unsafe UInt(bitPattern: base[$0]) }
    }
  }

  /// The file that code was loaded from, and how far into it the address is.
  ///
  /// - Parameter address: An address of code.
  /// - Returns: `nil` if that isn't known.
  package func fileOfCode(at address: UInt) -> (path: String, offset: UInt)? {
    var start: UInt = 0
    // SAFETY: the address is only looked up; the path lives as long as the file is loaded, and is copied here.
    guard let path = unsafe machine_file_of_code(UnsafeRawPointer(bitPattern: address), &start) else { return nil }
    return unsafe (String(cString: path), address &- start)
  }

  /// Has WeirExtras serve the live streams, or watch them.
  ///
  /// - Returns: `false` in a program without WeirExtras.
  package func serveInspection() -> Bool { machine_serve_inspection() != 0 }
#endif
