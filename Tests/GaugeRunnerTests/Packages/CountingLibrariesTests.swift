// Finding the libraries of counting launches.

import Testing

@testable import GaugeRunner

@Suite struct CountingLibrariesTests {
  #if arch(arm64)
    static let processor = "AArch64"
  #else
    static let processor = "x86-64"
  #endif
  static let cache = """
    3 libs found in cache `/etc/ld.so.cache'
    \tlibjemalloc.so.2 (libc6) => /lib/i386/libjemalloc.so.2
    \tlibjemalloc.so.2 (libc6,\(processor)) => /opt/lib with space/libjemalloc.so.2
    \tlibc.so.6 (libc6,\(processor), OS ABI: Linux 3.2.0) => /lib/libc.so.6
    """

  @Test func `the linker's cache is asked for this processor's library`() {
    #expect(
      CountingLibraries.paths(of: "libjemalloc.so.2", in: Self.cache) == ["/opt/lib with space/libjemalloc.so.2"])
    #expect(CountingLibraries.paths(of: "libc.so.6", in: Self.cache) == ["/lib/libc.so.6"])
    #expect(CountingLibraries.paths(of: "libnone.so", in: Self.cache).isEmpty)
  }

  @Test func `hooks and jemalloc are preloaded in front of what the environment asks for`() {
    let libraries = CountingLibraries(beside: "/build/Fast", cache: Self.cache, exists: { _ in true })
    #expect(libraries.hooks == "/build/libGaugeHooks.so")
    let environment = libraries.environment(from: ["A": "1", "LD_PRELOAD": "/own.so"])
    #expect(
      environment == [
        "A": "1", "LD_PRELOAD": "/build/libGaugeHooks.so:/opt/lib with space/libjemalloc.so.2:/own.so",
      ])
    #expect(libraries.description == "hooks over jemalloc (/opt/lib with space/libjemalloc.so.2)")
  }

  @Test func `a library that the cache doesn't know is found in the usual folders`() {
    let libraries = CountingLibraries(
      beside: "/build/Fast", cache: "", exists: { $0 == "/usr/local/lib/libjemalloc.so.2" })
    #expect(libraries.jemalloc == "/usr/local/lib/libjemalloc.so.2")
    #expect(libraries.hooks == nil)
  }

  @Test func `without jemalloc the hooks count alone`() {
    let libraries = CountingLibraries(beside: "/build/Fast", cache: "", exists: { $0.hasPrefix("/build") })
    #expect(libraries.environment(from: [:]) == ["LD_PRELOAD": "/build/libGaugeHooks.so"])
    #expect(libraries.description == "hooks over the C library's allocator")
  }

  @Test func `without hooks nothing is preloaded`() {
    let libraries = CountingLibraries(beside: "/build/Fast", cache: Self.cache, exists: { !$0.hasPrefix("/build") })
    #expect(libraries.environment(from: ["A": "1"]) == ["A": "1"])
    #expect(libraries.description == "unavailable: libGaugeHooks.so is not beside the benchmark executables")
  }

  @Test func `this system's linker cache can be read`() {
    #expect(!CountingLibraries.paths(of: "libc.so.6", in: CountingLibraries.linkerCache()).isEmpty)
  }
}
