// Findings as text, to come from a child process to its parent.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

extension Finding {
  package func write(to region: Region) {
    region.print("schedules\t\(schedules)")
    region.print("steps\t\(steps)")
    region.print("bound\t\(bound)")
    region.print("whole\t\(wholeBound)")
    region.print("seconds\t\(seconds)")
    region.print("used\t\(hasUsedMutation ? 1 : 0)")
    region.print("choices\t" + schedule.choices.map(String.init).joined(separator: ","))
    region.print("shared\t" + schedule.shared.map(String.init).joined(separator: ","))
    if let failure { region.print("failure\t" + failure.replacing("\n", with: " ")) }
    for site in sites { region.print("site\t\(site.file)\t\(site.function)\t\(site.line)\t\(site.operation.rawValue)") }
    region.print("end")
  }

  /// - Returns: `nil` if the child wrote none, or only a part of one.
  package init?(_ ended: Ended) {
    self.init()
    let lines = ended.region.lines
    guard lines.last == "end" else { return nil }
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      switch fields[0] {
      case "schedules": schedules = Int(fields[1]) ?? 0
      case "steps": steps = Int(fields[1]) ?? 0
      case "bound": bound = Int(fields[1]) ?? 0
      case "whole": wholeBound = Int(fields[1]) ?? -1
      case "seconds": seconds = Double(fields[1]) ?? 0
      case "used": hasUsedMutation = fields[1] == "1"
      case "shared": schedule.shared = fields[1].split(separator: ",").compactMap { Int($0) }
      case "choices": schedule.choices = fields[1].split(separator: ",").compactMap { UInt8($0) }
      case "failure": failure = String(fields[1])
      case "site":
        guard let line = UInt(fields[3]), let operation = Operation(rawValue: String(fields[4])) else { return nil }
        sites.insert(Site(file: String(fields[1]), function: String(fields[2]), line: line, operation: operation))
      default: break
      }
    }
  }
}
