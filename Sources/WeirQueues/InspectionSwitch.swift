// Whether the environment asks for inspection, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import CMachine

  /// Whether the environment variable WEIR_INSPECT is there, and neither empty nor 0.
  package func isInspectionWanted() -> Bool { machine_inspection_is_wanted() != 0 }

  /// When the value was sent that the calling thread delivers, if it is timed; else 0.
  @usableFromInline
  package var threadStart: Int { Int(machine_start()) }

  /// Replaces that time, and returns the former one.
  package func exchangeThreadStart(_ start: Int) -> Int { Int(machine_exchange_start(Int64(start))) }

  /// Where the environment variable WEIR_INSPECT asks for the live streams to be served: `serve:` is before the path of
  /// a socket, which is empty for the usual place; `nil` if it doesn't ask.
  package func placeOfInspection() -> String? {
    guard let place = unsafe machine_inspection_place() else { return nil }
    // SAFETY: a part of the environment that ends with a zero; a program that changes its environment beside other
    // threads breaks the rules of the C library.
    return unsafe String(cString: place)
  }

  /// Has WeirExtras serve the live streams.
  ///
  /// - Returns: `false` in a program without WeirExtras.
  package func serveInspection() -> Bool { machine_serve_inspection() != 0 }
#endif
