// What recorded launches say of a benchmark: the functions that were executed,
// and what another launch may do otherwise.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RecordedLaunchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func node(_ symbol: String, _ object: String = "/lib/libc.so.6", at addresses: [UInt64] = [])
    -> CallgrindGraph.Node
  {
    CallgrindGraph.Node(
      symbol: symbol, object: object, own: Dictionary(uniqueKeysWithValues: addresses.map { ($0, 1) }))
  }

  @Test func `executed addresses are those of functions`() throws {
    let image = try CodeComparisonTests.base.image("/somewhere/program")
    let starts = try ["work", "help"].map { name in
      image.objects[try #require(image.object(ProgramImage.Key(name: name, number: 0)))].start
    }
    let nodes = [
      node("work", "/elsewhere/program", at: [starts[0], starts[0] + 5]),
      node("help", "/elsewhere/program", at: [starts[1], 3]), node("malloc", at: [starts[0] + 40]),
    ]
    let launch = RecordedLaunch(nodes, threads: 1, of: image)
    #expect(launch.functions == [3] + starts.sorted())
    #expect(launch.chances.isEmpty)
  }

  @Test(arguments: [
    ("pthread_create@@GLIBC_2.34", "it has threads"), ("clock_gettime@@GLIBC_2.17", "it reads a clock (clock_gettime)"),
    ("gettimeofday", "it reads a clock (gettimeofday)"), ("getrandom", "it draws random numbers (getrandom)"),
    ("arc4random_buf", "it draws random numbers (arc4random_buf)"), ("nanosleep", "it waits for a time (nanosleep)"),
    ("posix_spawn@@GLIBC_2.15", "it starts processes"),
    ("swift_stdlib_random", "it draws random numbers (swift_stdlib_random)"),
  ])
  func `what launches may differ by is told`(symbol: String, reason: String) throws {
    let launch = RecordedLaunch([node(symbol)], threads: 1, of: try CodeComparisonTests.base.image())
    #expect(launch.chances == [reason])
  }

  @Test func `threads that nothing else tells of are counted, and instructions are looked at`() throws {
    let image = try WrittenProgram(
      functions: [("clocked", [.bytes([0x0f, 0x31])]), ("drawing", [.bytes([0x0f, 0xc7, 0xf0])])]
    ).image("/program")
    #expect(RecordedLaunch([], threads: 2, of: image).chances == ["it has threads"])
    for (object, reason) in zip(image.objects, ["it reads the processor's clock", "it draws random numbers"]) {
      let launch = RecordedLaunch([node("", "/program", at: [object.start])], threads: 1, of: image)
      #expect(launch.chances == [reason])
    }
  }

  @Test func `what Gauge and the C library do for themselves is none of the benchmark's`() throws {
    let image = try CodeComparisonTests.base.image()
    for (caller, callee, chance) in [
      ("probe_fork_per_line", "fork", "it starts processes"),
      ("probe_run_empty_thread", "pthread_create@@GLIBC_2.34", "it has threads"),
      ("ptmalloc_init", "getrandom", "it draws random numbers (getrandom)"),
      ("__clone_internal", "clone3", "it has threads"),
    ] {
      var nodes = [node(caller, "/lib/libc.so.6"), node(callee)]
      nodes[0].calls = [CallgrindGraph.Call(address: 1, callee: 1, count: 1, inclusive: 1)]
      #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == [])
      nodes = [node("work", "/bin/program"), node(callee)]
      nodes[0].calls = [CallgrindGraph.Call(address: 1, callee: 1, count: 1, inclusive: 1)]
      #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == [chance])
    }
    let own = node("probe_run_empty_thread", "/bin/program")
    #expect(RecordedLaunch([own], threads: 2, of: image).chances.isEmpty)
    #expect(RecordedLaunch([own], threads: 3, of: image).chances == ["it has threads"])
  }

  @Test func `a library that is loaded and not used makes no launches differ`() throws {
    let image = try CodeComparisonTests.base.image()
    var nodes = [
      node("_dl_init", "/lib/ld-linux-x86-64.so.2"), node("set_up", "/lib/libgnutls.so.30"), node("getrandom"),
      node("work", "/bin/program"), node("encrypt", "/lib/libgnutls.so.30"),
    ]
    nodes[0].calls = [CallgrindGraph.Call(address: 1, callee: 1, count: 1, inclusive: 1)]
    nodes[1].calls = [CallgrindGraph.Call(address: 2, callee: 2, count: 1, inclusive: 1)]
    #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == [])
    // The program ends, and the C library has the loader call what each library does at its end.
    nodes.append(node("exit"))
    nodes.append(node("_dl_fini", "/lib/ld-linux-x86-64.so.2"))
    nodes[3].calls = [CallgrindGraph.Call(address: 3, callee: 5, count: 1, inclusive: 1)]
    nodes[5].calls = [CallgrindGraph.Call(address: 5, callee: 6, count: 1, inclusive: 1)]
    nodes[6].calls = [CallgrindGraph.Call(address: 6, callee: 4, count: 1, inclusive: 1)]
    #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == [])
    // A library that the program loads itself may be loaded for what it does then.
    nodes.append(node("dlopen@@GLIBC_2.34"))
    nodes[3].calls.append(CallgrindGraph.Call(address: 7, callee: 7, count: 1, inclusive: 1))
    #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == ["it draws random numbers (getrandom)"])
    // What it has drawn may become the program's.
    nodes[3].calls = [CallgrindGraph.Call(address: 3, callee: 4, count: 1, inclusive: 1)]
    #expect(RecordedLaunch(nodes, threads: 1, of: image).chances == ["it draws random numbers (getrandom)"])
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `launches of real benchmarks are recorded as a whole`() throws {
    let callgrind = try #require(
      Callgrind(folder: folder("scratch"), path: ProcessInfo.processInfo.environment["PATH"] ?? ""))
    // Of the executable only the name is looked at, as reading all of it would take longer than the launch.
    let image = try CodeComparisonTests.base.image(CallgrindTests.benchmarks)
    let points = ["gauge/empty", "none"].map {
      BenchmarkPoint.sample($0, passes: [.counts], executable: CallgrindTests.benchmarks)
    }
    let outcomes = callgrind.recordings(of: points, image, environment: [:], stoppingOn: nil)
    guard case .recorded(let empty, let libraries)? = outcomes["gauge/empty"] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(empty.chances == [])
    #expect(libraries.contains { $0.contains("/libc") })
    #expect(empty.functions.count > 1000)
    guard case .unavailable(let reason)? = outcomes["none"] else {
      Issue.record("a benchmark that is not there was recorded")
      return
    }
    #expect(reason.contains("there is no benchmark 'none'"))
  }
}
