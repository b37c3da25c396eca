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
    region.print("cut\t\(isCutShort ? 1 : 0)")
    region.print("choices\t" + schedule.choices.map(String.init).joined(separator: ","))
    region.print("shared\t" + schedule.shared.map(String.init).joined(separator: ","))
    if let failure { region.print("failure\t" + failure.oneLine) }
    for site in sites { region.print("site\t\(site.file)\t\(site.function)\t\(site.line)\t\(site.operation.rawValue)") }
    region.print("end")
  }

  /// What a child has found, or what ended it: one without a result has failed, whatever its code.
  package init(of ended: Ended) {
    self = Finding(written: ended.region.lines) ?? Finding()
    if let crash = ended.crash {
      failure = crash
      (schedules, bound) = ended.region.schedule.run
    } else if ended.region.lines.last != "end" {
      failure = "the exploration has ended without a result: report this as an error of WeirVerify"
    } else {
      return
    }
    schedule = ended.region.schedule.schedule
  }

  /// - Returns: `nil` if the child wrote none, or only a part of one.
  package init?(written lines: [Substring]) {
    self.init()
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
      case "cut": isCutShort = fields[1] == "1"
      case "shared": schedule.shared = fields[1].split(separator: ",").compactMap { Int($0) }
      case "choices": schedule.choices = fields[1].split(separator: ",").compactMap { UInt16($0) }
      case "failure": failure = String(fields[1])
      case "site":
        guard let line = UInt(fields[3]), let operation = Operation(rawValue: String(fields[4])) else { return nil }
        sites.insert(Site(file: String(fields[1]), function: String(fields[2]), line: line, operation: operation))
      default: break
      }
    }
  }
}
