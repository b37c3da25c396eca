// What a kept build asks of a machine, and why it is refused.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct BuildTermsTests {
  private func terms(_ flags: String, of executables: [String] = [], _ toolchain: String = "Swift 1") -> BuildTerms {
    var source = Fingerprint.Source()
    source.text = { $0 == "/proc/cpuinfo" ? "processor : 0\nflags\t: \(flags)\n" : nil }
    return BuildTerms(of: executables, toolchain: { toolchain }, source: source)
  }

  @Test func `of the processor only what a compiler may use counts`() {
    #expect(terms("fpu avx2 nopl sse4_2 hypervisor constant_tsc popcnt").features == ["avx2", "popcnt", "sse4_2"])
    #expect(BuildTerms.features(in: "Features : fp asimd atomics cpuid\n") == ["asimd", "atomics"])
    #expect(BuildTerms.features(in: "nothing") == [])
  }

  @Test func `a machine that can do more will do, one that can do less will not`() {
    let here = terms("avx avx2")
    #expect(terms("avx").refusals(here: here) { "Swift 1" } == [])
    #expect(
      terms("avx avx512f bmi2").refusals(here: here) { "Swift 1" } == [
        "this processor lacks what the one that it was built on has: avx512f, bmi2"
      ])
  }

  @Test func `another protocol and another architecture are refused`() {
    var kept = terms("avx")
    kept.launchProtocol = "gauge-launch 0"
    kept.architecture = "riscv64"
    let reasons = kept.refusals(here: terms("")) { "Swift 1" }
    #expect(reasons.count == 2)
    #expect(reasons.first?.hasPrefix("its launches speak 'gauge-launch 0', this gauge 'gauge-launch ") == true)
    #expect(reasons.last?.hasPrefix("it is a build for riscv64, this machine is ") == true)
  }

  #if os(Linux)
    @Test func `a shared runtime must be that of the same toolchain`() throws {
      let kept = terms("", of: [GaugeExecutableTests.gauge])
      #expect(kept.sharedRuntime == "Swift 1")
      #expect(kept.refusals(here: terms("")) { "Swift 1" } == [])
      #expect(
        kept.refusals(here: terms("")) { "Swift 2" } == ["it shares the runtime of 'Swift 1', here is 'Swift 2'"])
    }
  #endif

  @Test func `what brings its runtime asks for no toolchain`() throws {
    let folder = try TemporaryFolder()
    let kept = terms("", of: [try folder.script("exit 0")])
    #expect(kept.sharedRuntime == nil)
    #expect(kept.refusals(here: terms("")) { "Swift 2" } == [])
  }
}
