// A package whose package manager is a script, so that its answers and its faults can be chosen.

@testable import GaugeRunner

extension TemporaryFolder {
  /// Makes a package with one benchmark executable, `Fast`.
  ///
  /// - Parameters:
  ///   - describe: Script of `swift package describe`.
  ///   - build: Script of `swift build`; the built folder is `$built`.
  func package(
    describe: String =
      "echo '{\"targets\":[{\"name\":\"Fast\",\"type\":\"executable\",\"path\":\"Benchmarks/Fast\"}]}'",
    build: String = "printf '#!/bin/sh\\n' > $built/Fast"
  ) throws -> BenchmarkPackage {
    try write("// manifest", to: "package/Package.swift")
    try write("", to: "package/Sources/deep/file")
    let swift = try script(
      """
      echo "$*" >> '\(self("calls"))'
      built='\(self("package/.gauge/build/release"))'
      mkdir -p "$built"
      case "$1" in
        package) \(describe) ;;
        build) \(build) ;;
      esac
      """, named: "swift")
    return try BenchmarkPackage(around: self("package/Sources/deep"), swift: swift)
  }
}
