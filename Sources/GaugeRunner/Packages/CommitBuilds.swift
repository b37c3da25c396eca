// Builds of many commits of a package, each file kept once, so that nothing is built twice.

import Foundation

/// The builds that a search among commits measures.
///
/// What `Revisions` has built is kept as a baseline's build is, apart from those: each file once, held against its hash
/// before it runs. It is found again by what it was made of: a commit that takes another one back is not built, and
/// what another toolchain has built is never measured beside what this one builds. Several commits are measured in
/// turn, so that each is laid out in a folder of its own.
struct CommitBuilds {
  /// What builds them.
  let revisions: Revisions
  /// What takes debug information apart; `nil` leaves it in the files.
  let stripper: DebugStripper?
  /// What the toolchain calls itself.
  let toolchain: String

  private var package: String { revisions.package.folder }
  private var kept: KeptBuilds { KeptBuilds(package: package, place: ".gauge/bisect") }
  private static let places = ".gauge/ab/commits"

  /// Takes what is kept of a commit, or builds it.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - filters: Patterns of benchmarks; executables that they don't need may be left out.
  /// - Throws: `PackageFailure` where it can't be built.
  func build(_ commit: String, filters: [String]) throws(PackageFailure) -> Revisions.Side {
    let terms = ([toolchain] + filters).joined(separator: "\n")
    let name = try revisions.content(of: commit) + "-" + SHA256.hexadecimal(Array(terms.utf8)).prefix(16)
    let place = "\(Self.places)/\(commit)"
    if let executables = laidOut(name, in: place) { return Revisions.Side(commit: commit, executables: executables) }
    let side = try revisions.build(commit, as: "commit", filters: filters)
    // Which executables didn't compile is no part of what is kept.
    if side.uncompiled.isEmpty, keep(side, as: name), let executables = laidOut(name, in: place) {
      return Revisions.Side(commit: commit, executables: executables)
    }
    let executables = try BuiltFiles(of: side.executables).copy(
      to: "\(package)/\(place)", below: package, stripper: stripper)
    return Revisions.Side(commit: commit, executables: executables, uncompiled: side.uncompiled)
  }

  /// Removes what was laid out; what is kept stays.
  func clear() {
    // What stays takes up space, nothing else.
    try? FileManager.default.removeItem(atPath: "\(package)/\(Self.places)")
  }

  /// Lays out what is kept.
  ///
  /// - Returns: Paths of the executables; `nil` where nothing is kept, or what is kept can't be measured here.
  private func laidOut(_ name: String, in place: String) -> [String]? {
    guard let build = try? kept.build(named: name),
      build.terms.refusals(here: BuildTerms(of: [], toolchain: { toolchain }), toolchain: { toolchain }).isEmpty
    else { return nil }
    return try? kept.layOut(build, in: place)
  }

  /// Keeps a build, in place of those of earlier searches where there is no more room.
  private func keep(_ side: Revisions.Side, as name: String) -> Bool {
    let source = KeptBuilds.Source(
      results: [], commit: side.commit, executables: side.executables,
      terms: BuildTerms(of: side.executables, toolchain: { toolchain }), date: Date())
    for other in [nil] + kept.names.map(Optional.some) {
      if let other, (try? kept.remove(other)) == nil { continue }
      do throws(KeptBuilds.Failure) {
        _ = try kept.keep(name, source, stripper: stripper, limit: KeptBuilds.usualLimit)
        return true
      } catch {
        guard case .full = error else { return false }
      }
    }
    return false
  }
}
