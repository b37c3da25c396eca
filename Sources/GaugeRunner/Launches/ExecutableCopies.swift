// Copies of benchmark executables that are made anew again and again,
// so that none stands for where its file lies in memory.

import Foundation

/// Executables that launches run instead of the originals.
///
/// Two files of the same code lie in different pages of memory, and stay there. What shares a cache set with what
/// depends on that: some benchmarks are slower by per cents in one of the files, in every launch. A copy lies
/// elsewhere, so that over many copies this is noise like any other (Mytkowicz et al., "Producing wrong data without
/// doing anything obviously wrong!", 2009; Curtsinger and Berger, "Stabilizer", 2013). A copy is made beside its
/// original, where it finds the libraries and resources that the original finds.
final class ExecutableCopies {
  private let originals: [String]
  private var copies: [String: String] = [:]

  /// - Parameter originals: Paths of the executables.
  init(of originals: some Sequence<String>) {
    self.originals = Set(originals).sorted()
  }

  /// The path to start instead of an original's: its own before `renew`.
  func path(of original: String) -> String { copies[original] ?? original }

  /// Copies all of them to other pages of memory. Where one can't be copied, launches go on with what there is.
  ///
  /// - Returns: What went wrong, in words; `nil` where nothing did.
  func renew() -> String? {
    for original in originals {
      // A name that nobody can have taken, by a link that the copy would be written through.
      let chance = String(UInt64.random(in: 0 ... .max), radix: 36)
      let name = ".\((original as NSString).lastPathComponent).gauge-\(chance)"
      let copy = (Files.folder(of: original) as NSString).appendingPathComponent(name)
      // A child process writes it: this one may be starting another child meanwhile, which would hold the file open.
      guard let run = try? ProcessRun.capturing(Command(program: "cp", arguments: ["--", original, copy])),
        run.succeeded
      else {
        remove(copy)
        return "\(original) can't be copied to \(copy)"
      }
      // Only now, as the next file would else be given the pages that the last one left.
      copies.updateValue(copy, forKey: original).map { remove($0) }
    }
    return nil
  }

  /// Removes the copies.
  func removeAll() {
    for copy in copies.values { remove(copy) }
    copies = [:]
  }

  private func remove(_ path: String) {
    // One that stays takes up space, nothing else.
    try? FileManager.default.removeItem(atPath: path)
  }
}
