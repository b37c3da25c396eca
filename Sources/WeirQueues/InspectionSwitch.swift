// Whether the environment asks for inspection, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import CMachine

  /// Whether the environment variable WEIR_INSPECT is there, and neither empty nor 0.
  package func isInspectionWanted() -> Bool { machine_inspection_is_wanted() != 0 }
#endif
