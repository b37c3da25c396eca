// The library that the kernel puts into every process, for clocks: in no file, but the same in this process.

/// The kernel's own library.
enum SystemImage {
  /// Its name among what is mapped.
  static let name = "[vdso]"

  /// Its bytes; `nil` where there is none, or it can't be read.
  static func bytes() -> [UInt8]? {
    let map = (Files.text(of: "/proc/self/maps") ?? "").split(separator: "\n")
    let bounds = map.first { $0.hasSuffix(name) }?.prefix { $0 != " " }.split(separator: "-").compactMap {
      UInt64($0, radix: 16)
    }
    guard let bounds, bounds.count == 2, let memory = try? Descriptor.reading("/proc/self/mem")
    else { return nil }
    return memory.bytes(at: Int(bounds[0]), count: Int(bounds[1] - bounds[0]))
  }
}
