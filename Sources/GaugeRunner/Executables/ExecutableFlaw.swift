// No test file: a declaration of an error; ElfFileTests and ProgramImageTests expect it.

/// Why the code of an executable can't be looked at.
struct ExecutableFlaw: Error, Hashable, CustomStringConvertible {
  /// Path of the file.
  var path: String
  /// What is wrong with it, with the place.
  var reason: String

  var description: String { "\(path): \(reason)" }
}
