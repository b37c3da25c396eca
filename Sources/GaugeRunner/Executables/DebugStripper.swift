// Executables without their debug information, which is most of some files and is needed only to explain a verdict.

/// The toolchain's program that takes debug information out of a file.
struct DebugStripper: Sendable {
  /// Path of the program.
  let program: String

  /// Names of the program: the toolchain's, and the system's.
  private static let names = ["llvm-objcopy", "objcopy"]

  /// Looks for the program.
  ///
  /// - Parameters:
  ///   - swift: The package manager, beside which it may lie.
  ///   - path: Folders to look in, joined by colons.
  /// - Returns: `nil` where there is none: files are kept as they are then.
  init?(besides swift: String, path: String) {
    let found = Self.names.lazy.compactMap { ToolchainProgram.path(of: $0, besides: swift, path: path) }.first
    guard let found else { return nil }
    program = found
  }

  /// Where the debug information that was taken out of a file lies.
  static func path(ofDebugInformationOf path: String) -> String { path + ".debug" }

  /// Moves a file's debug information into a file beside it. Symbols stay: the counting of references needs them.
  ///
  /// - Parameter path: The file, which is replaced.
  /// - Returns: Whether it had any; a file of another format, or one that the program refuses, stays as it is.
  func strip(_ path: String) -> Bool {
    guard let bytes = try? Files.contents(of: path), let elf = ElfFile(bytes), elf.section(".debug_info") != nil else {
      return false
    }
    let (apart, stripped) = (Self.path(ofDebugInformationOf: path), path + ".stripped")
    do throws(SystemError) {
      for arguments in [["--only-keep-debug", path, apart], ["--strip-debug", path, stripped]] {
        guard try ProcessRun.capturing(Command(program: program, arguments: arguments)).succeeded else {
          throw SystemError("strip \(path)", code: 0)
        }
      }
      try Files.rename(stripped, to: path)
      return true
    } catch {
      Files.remove(apart)
      Files.remove(stripped)
      return false
    }
  }
}
