// The kernel's own library.

import Testing

@testable import GaugeRunner

@Suite struct SystemImageTests {
  #if os(Linux)
    @Test func `it names the clock`() throws {
      // A kernel may come without; then there is nothing to read.
      guard let bytes = SystemImage.bytes() else { return }
      let object = try #require(LoadedObject(path: SystemImage.name, bytes: bytes))
      let names = object.elf.functions().symbols.map { object.elf.file.text(at: $0.nameOffset) }
      #expect(names.contains { $0.contains("clock_gettime") }, "\(names)")
    }
  #endif
}
