// `gauge list`, over a package and over given executables.

import Testing

@testable import GaugeRunner

@Suite struct ListVerbTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `benchmarks of an executable are listed with their passes`() throws {
    let gauge = CapturedProgram(in: folder.path)
    #expect(gauge("list", "--executable", try folder.fakeBenchmarks(), "good*", "--filter", "traps") == 0)
    #expect(
      gauge.output == """
        good            time,latency,allocations,counts
        good/grid[n=1]  time
        good/grid[n=2]  time
        traps           time,latency,allocations,counts

        """)
    #expect(gauge.error == "")
  }

  @Test func `a package's benchmarks are built and listed`() throws {
    let script = #"printf '#!/bin/sh\nprintf "benchmark\\ta/b\\t\\ttime\\n"\n' > "$built/Fast"; chmod +x "$built/Fast""#
    let package = try folder.package(build: script)
    let gauge = CapturedProgram(in: folder("package/Sources"), swift: package.swift)
    #expect(gauge("list") == 0, "\(gauge.error)")
    #expect(gauge.output == "a/b  time\n")
  }

  @Test func `no package, a broken build and a missing executable have their codes`() throws {
    let gauge = CapturedProgram(in: folder.path)
    #expect(gauge("list") == 66)
    #expect(gauge.error.hasPrefix("gauge list: error: there is no Package.swift in \(folder.path)"))
    #expect(gauge("list", "--executable", folder("none")) == 66)
    #expect(gauge.error == "gauge list: error: \(folder("none")): no such benchmark executable\n")
    let broken = try folder.package(build: "exit 1")
    let program = CapturedProgram(in: broken.folder, swift: broken.swift)
    #expect(program("list") == 3)
    #expect(program.error.hasPrefix("gauge list: error: the build of the benchmarks failed: "))
  }
}
