// Attacks on what happens between threads; see scripts/attack.

import CAttacks

let head = [
  "attack", "parameters", "outcome", "rounds", "failures", "slowest_send_us", "sent", "off_thread", "early",
  "handed_over", "excused", "let_through", "circles", "untold", "no_first_value",
  "disorder", "most_in_one_send", "resident_before_kb", "resident_after_kb", "note",
]

/// What the command line says.
struct Options {
  var seconds = 10.0
  var sends: Int?
  var lists = false
  var isMutant = false
  var alone: String?
  var trial: String?
  var names: [String] = []

  init?(_ arguments: [String]) {
    var left = arguments[...]
    while let argument = left.popFirst() {
      switch argument {
      case "--list": lists = true
      case "--mutant": isMutant = true
      case "--seconds":
        guard let seconds = left.popFirst().flatMap(Double.init), seconds > 0 else { return nil }
        self.seconds = seconds
      case "--sends":
        guard let sends = left.popFirst().flatMap(Int.init), sends > 0 else { return nil }
        self.sends = sends
      case "--alone": alone = left.popFirst()
      case "--trial": trial = left.popFirst()
      case "--":
        names += left
        left = []
      case _ where argument.hasPrefix("-"): return nil
      default: names.append(argument)
      }
    }
  }
}

/// What a child printed, and how it ended.
func inChild(_ attack: Attack, seconds: Double, sends: Int?, isMutant: Bool) -> [String] {
  var arguments = [CommandLine.arguments[0], "--alone", attack.fullName, "--seconds", "\(seconds)"]
  if isMutant { arguments.append("--mutant") }
  if let sends { arguments += ["--sends", "\(sends)"] }
  let ended = Child(arguments).end(milliseconds: sends == nil ? Int(seconds * 1000) + 40_000 : 86_400_000)
  let columns = ended.output.split(separator: "\n").last.map {
    $0.split(separator: ",", omittingEmptySubsequences: false)
  }
  if let columns, columns.count == head.count - 2 { return columns.map(String.init) }
  let reason =
    ended.isOutOfTime ? "did not end" : ended.code < 0 ? "crashed: signal \(-ended.code)" : "ended: \(ended.code)"
  let words = ended.errors.split(separator: "\n").first { $0.contains("atal error") }.map(String.init) ?? ""
  return [reason] + Array(repeating: "", count: head.count - 4) + [words.replacing(",", with: ";")]
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: Attacks [--seconds N] [--sends N] [--mutant] [--list] [NAME...]")
  attack_exit(64)
}
if let trial = options.trial {
  runTrial(trial)
  attack_exit(0)
}
if let alone = options.alone {
  guard let attack = Attack.all.first(where: { $0.fullName == alone }) else { attack_exit(64) }
  runAlone(attack, seconds: options.seconds, sends: options.sends)
  attack_exit(0)
}
let chosen = Attack.all.filter { attack in
  if options.isMutant, !attack.findsMutant { return false }
  return options.names.isEmpty
    || options.names.contains { attack.fullName == $0 || attack.fullName.hasPrefix($0 + "/") }
}
if chosen.isEmpty {
  print("no attack has that name; there are:")
  for attack in Attack.all { print(attack.fullName) }
  attack_exit(64)
}
if options.lists {
  for attack in chosen { print(attack.fullName) }
  attack_exit(0)
}
print(head.joined(separator: ","))
var failed = 0
for attack in chosen {
  // The time is that of the attack: its rows share it, whether or not all of them were chosen.
  let rows = chosen.count { $0.name == attack.name }
  let columns = inChild(
    attack, seconds: max(options.seconds / Double(rows), 1), sends: options.sends.map { $0 / rows },
    isMutant: options.isMutant)
  print(([attack.name, attack.parameters] + columns).joined(separator: ","))
  flushOutput()
  if options.isMutant {
    // A row that does not find the mutant could not find a defect either.
    if columns[0] != "failed" { failed += 1 }
  } else if columns[0] != "passed", !columns[0].hasPrefix("skipped") {
    failed += 1
  }
}
attack_exit(failed == 0 ? 0 : 1)
