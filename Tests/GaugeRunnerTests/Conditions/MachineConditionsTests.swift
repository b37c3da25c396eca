// Warnings about a machine, from facts that a test gives.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MachineConditionsTests {
  private func conditions(_ files: [String: String], processors: Int = 4) -> MachineConditions {
    MachineConditions(source: MachineConditions.Source(text: { files[$0] }, processors: { processors }))
  }

  private static let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"

  @Test func `a quiet machine is not warned of, and is written down`() {
    let quiet = conditions([
      "/proc/loadavg": "0.50 0.40 0.30 1/200 999\n", Self.governor: "performance\n",
      "/proc/sys/kernel/randomize_va_space": "2\n",
    ])
    #expect(quiet.warnings.isEmpty)
    #expect(
      quiet.fields.map { "\($0.name): \($0.value)" }
        == ["load: 0.5", "governor: performance", "address_randomisation: on"])
  }

  @Test func `a warning says what to do`() {
    let busy = conditions(["/proc/loadavg": "3.00 2 1 1/2 3", Self.governor: "powersave\n"])
    #expect(
      busy.warnings == [
        "the load is 3.0 on 4 processors: end other programs, or measure what does not depend on time (--counts)",
        "the governor 'powersave' saves power: 'cpupower frequency-set -g performance' keeps the frequency up",
      ])
  }

  @Test func `what can't be read is told and not warned of`() {
    let nothing = conditions([:])
    #expect(nothing.warnings.isEmpty && nothing.warnings(since: nil).isEmpty && nothing.processorTime == nil)
    #expect(nothing.fields.allSatisfy { $0.value.hasPrefix("unavailable: /") })
    #expect(conditions(["/proc/stat": "cpu  1 2 3\n"]).processorTime == nil)
  }

  @Test func `time that the hypervisor gave to others is told`() {
    let end = conditions(["/proc/stat": "cpu  600 0 100 200 0 0 0 100 50 0\ncpu0 1\n"])
    #expect(end.processorTime == ProcessorTime(total: 1000, idle: 200, stolen: 100))
    #expect(end.warnings(since: ProcessorTime(total: 0, idle: 0, stolen: 95)).isEmpty)
    let warnings = end.warnings(since: ProcessorTime(total: 500, idle: 0, stolen: 0))
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("the hypervisor took 20.0 % of the processors' time for others: ") == true)
  }

  @Test func `a machine that changes during a run is told`() {
    #expect(MachineConditions.drift(Array(repeating: 1, count: 11)).isEmpty)
    #expect(MachineConditions.drift(Array(repeating: 1, count: 10) + Array(repeating: 1.04, count: 10)).isEmpty)
    let slower = MachineConditions.drift(Array(repeating: 1, count: 10) + Array(repeating: 1.2, count: 10))
    #expect(slower.first?.hasPrefix("the machine became 20.0 % slower during the run") == true)
    let faster = MachineConditions.drift(Array(repeating: 1, count: 10) + Array(repeating: 0.9, count: 10))
    #expect(faster.first?.hasPrefix("the machine became 10.0 % faster") == true)
  }
}
