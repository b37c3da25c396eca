// Damages files and has them read, in this process, until one of them ends it; see scripts/fuzz.

import CFuzz
import Foundation
import HostileFiles

@testable import GaugeRunner

/// What the command line says.
struct Options {
  var seconds = Double.infinity
  var mutants = Int.max
  var seed: UInt64 = 1
  var corpus: String?
  var found = "."
  var input: String?
  var lists = false
  var names: [String] = []

  init?(_ arguments: [String]) {
    var left = arguments[...]
    func number<Number: LosslessStringConvertible & Comparable>(above least: Number) -> Number? {
      left.popFirst().flatMap(Number.init).flatMap { $0 > least ? $0 : nil }
    }
    while let argument = left.popFirst() {
      switch argument {
      case "--seconds":
        guard let seconds: Double = number(above: 0) else { return nil }
        self.seconds = seconds
      case "--mutants":
        guard let mutants: Int = number(above: 0) else { return nil }
        self.mutants = mutants
      case "--seed":
        guard let seed: UInt64 = number(above: 0) else { return nil }
        self.seed = seed
      case "--corpus": corpus = left.popFirst()
      case "--found": found = left.popFirst() ?? found
      case "--input": input = left.popFirst()
      case "--list": lists = true
      case _ where argument.hasPrefix("-"): return nil
      default: names.append(argument)
      }
    }
  }
}

/// Kilobytes that one reader may take beyond what it began with.
let mostMemory = 1 << 19
/// Files beyond which no more are kept to be damaged further.
let mostFiles = 20_000

/// Reads a file under the watch.
///
/// - Returns: Whether it led to where no other has.
func read(_ bytes: [UInt8], by reader: Reader, from start: Int) -> Bool {
  bytes.withUnsafeBufferPointer { buffer in
    // An empty file has a place, too.
    let none: UInt8 = 0
    return withUnsafePointer(to: none) { empty in
      fuzz_begin(buffer.baseAddress ?? empty, buffer.count)
      reader.read(bytes)
      if fuzz_peak() - start > mostMemory { giveUp("it took \((fuzz_peak() - start) / 1024) MB") }
      return fuzz_end() > 0
    }
  }
}

/// The files of a folder, in a fixed order.
func files(in folder: String) -> [[UInt8]] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.sorted().compactMap { try? Files.contents(of: folder + "/" + $0) }
}

/// Damages and reads until the time or the number is reached.
func fuzz(_ reader: Reader, _ options: Options) {
  let folder = options.corpus.map { $0 + "/" + reader.name }
  let others = folder.map(files) ?? []
  var mutations = reader.mutations(adding: others, seed: options.seed)
  let start = fuzz_peak()
  "\(options.found)/\(reader.name)-\(options.seed)".withCString { fuzz_watch(strdup($0), 1) }
  for original in reader.originals + others { _ = read(original, by: reader, from: start) }
  let began = fuzz_now()
  var (number, new): (Int, [[UInt8]]) = (0, [])
  while number < options.mutants, fuzz_now() - began < options.seconds {
    let bytes = mutations.next()
    number += 1
    if read(bytes, by: reader, from: start), mutations.count < mostFiles {
      mutations.add(bytes)
      new.append(bytes)
    }
  }
  fuzz_rest()
  if let folder {
    try? Files.makeFolder(folder)
    for bytes in new { _ = try? Files.replace("\(folder)/\(SHA256.hexadecimal(bytes).prefix(16))", with: bytes) }
  }
  let seconds = Int((fuzz_now() - began).rounded())
  print(
    "ok      \(reader.name): \(number) mutants in \(seconds) s, \(fuzz_places()) places in the code, "
      + "\(new.count) files led to new ones, \((fuzz_peak() - start) / 1024) MB")
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(
    "usage: Fuzz [--seconds N] [--mutants N] [--seed N] [--corpus DIR] [--found DIR] [--input FILE] [--list] READER...")
  exit(64)
}
if options.lists {
  for reader in Reader.all { print(reader.name) }
  exit(0)
}
let chosen = Reader.all.filter { options.names.contains($0.name) }
guard !chosen.isEmpty, chosen.count == options.names.count else {
  print("Fuzz: name readers, of: \(Reader.all.map(\.name).joined(separator: ", "))")
  exit(64)
}
for reader in chosen {
  if let input = options.input {
    guard let bytes = try? Files.contents(of: input) else {
      print("Fuzz: \(input) can't be read")
      exit(66)
    }
    reader.read(bytes)
    print("\(reader.name): it was read, or refused")
  } else {
    fuzz(reader, options)
  }
}
