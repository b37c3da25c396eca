// Programs that come with the toolchain, or that the system has instead.

import Foundation

/// Where a program of the toolchain is.
enum ToolchainProgram {
  /// Looks for a program: beside the compiler, then in `PATH`.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - swift: The package manager, a path or a name that is looked for in `PATH`.
  ///   - path: Folders to look in, joined by colons.
  /// - Returns: Its path; `nil` where there is none.
  static func path(of name: String, besides swift: String, path: String) -> String? {
    let folders = path.split(separator: ":").map(String.init)
    let candidates = swift.contains("/") ? [swift] : folders.map { "\($0)/\(swift)" }
    let compiler = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    let beside = compiler.map {
      (URL(fileURLWithPath: $0).resolvingSymlinksInPath().path as NSString).deletingLastPathComponent
    }
    return ([beside].compactMap { $0 } + folders).map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
