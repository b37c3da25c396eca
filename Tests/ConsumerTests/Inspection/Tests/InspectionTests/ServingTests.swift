// Tests of the server of live streams, and of what is timed, in a build with the trait Inspection.

import Foundation
import Testing
import Weir
import WeirDispatch
import WeirExtras
import WeirTesting

/// Asks at a socket by lines.
private struct Asking {
  let descriptor: Int32

  init?(_ path: String) {
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let number = descriptor
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { return nil }
  }

  func callAsFunction(_ request: String) -> Data {
    let bytes = Array((request + "\n").utf8)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    var (answer, byte) = (Data(), UInt8(0))
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
    return answer
  }
}

extension LiveGraphTests {
  /// What was timed at the ends of streams: how many values.
  private var samples: [Int] { WeirInspector.snapshot().subscriptions.compactMap { $0.latency?.samples } }

  @Test func theLiveStreamsAreServed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    WeirInspector.isOn = false
    let server = try WeirInspector.serve(at: folder + "/s")
    #expect(WeirInspector.isOn)
    keep(subject.map { $0 * 2 }.sink { _ in })
    let ask = try #require(Asking(server.path))
    #expect(String(decoding: ask("version"), as: UTF8.self).hasPrefix(#"{"isOn":true,"process":\#(getpid()),"#))
    let before = try JSONDecoder().decode(StreamGraph.self, from: ask("snapshot"))
    subject.send(1)
    let after = try JSONDecoder().decode(StreamGraph.self, from: ask("snapshot"))
    #expect(before.subscriptions.map(\.publisher) == ["Map", "PassthroughSubject"])
    #expect(after.changes(since: before).delivered.values.sorted() == [1, 1])
    server.stop()
    close(ask.descriptor)
    #expect(!FileManager.default.fileExists(atPath: folder + "/s"))
  }

  @Test func valuesAreTimedToTheEndOfTheirStream() throws {
    keep(subject.map { $0 * 2 }.scan(0, +).sink { _ in })
    #expect(samples == [])
    subject.send(1)
    #expect(samples == [1])
    // The first one behind each look, and one of 64.
    subject.send(2)
    subject.send(3)
    #expect(samples == [2])
    for number in 4...200 { subject.send(number) }
    #expect(samples == [6])
    let ends = WeirInspector.snapshot().subscriptions.filter { $0.latency != nil }
    #expect(ends.map(\.publisher) == ["Scan"])
  }

  @Test func valuesThatWaitOnASchedulerAreFollowed() {
    let scheduler = TestScheduler()
    keep(subject.receive(on: scheduler).map { $0 }.sink { _ in })
    subject.send(1)
    subject.send(2)
    #expect(samples == [])
    scheduler.advance()
    #expect(samples == [1])
  }

  @Test func valuesThatWaitInABufferAreFollowed() throws {
    let slow = Slow()
    subject.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(slow)
    for number in 1...5 { subject.send(number) }
    #expect(samples == [])
    slow.subscription?.request(.max(1))
    #expect(samples == [1])
    slow.subscription?.request(.max(9))
    subject.send(6)
    #expect(samples == [2])
    slow.subscription?.cancel()
    slow.subscription = nil
  }

  @Test func whatNobodyCanFollowIsNotTimed() {
    let scheduler = TestScheduler()
    let slow = Slow()
    keep(subject.debounce(for: .seconds(1), scheduler: scheduler).sink { _ in })
    subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).subscribe(slow)
    for number in 1...5 { subject.send(number) }
    scheduler.advance(by: .seconds(2))
    slow.subscription?.request(.max(9))
    #expect(samples == [])
    slow.subscription?.cancel()
    slow.subscription = nil
  }

  @Test func aSinkThatSendsTimesTheStreamItSendsTo() {
    let other = PassthroughSubject<Int, Never>()
    keep(other.map { $0 }.sink { _ in })
    keep(subject.sink { other.send($0) })
    subject.send(1)
    #expect(samples == [1, 1])
  }
}
