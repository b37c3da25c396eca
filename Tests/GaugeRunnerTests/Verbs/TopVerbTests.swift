// `gauge top` from the command line to its codes.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct TopVerbTests {
  let folder: TemporaryFolder
  let gauge = CapturedProgram()

  init() throws { folder = try TemporaryFolder() }

  @Test func `two looks are one table`() {
    let server = FakeInspector(at: folder("s"), ShopLooks.texts)
    #expect(gauge("top", "--once", "--interval", "0.1", "--sort", "waiting", server.path) == 0)
    let lines = gauge.output.split(separator: "\n")
    #expect(lines.first == "7 Shop: 3 streams, 6 subscriptions, 1 with findings")
    #expect(lines.dropFirst(2).first?.hasPrefix("   1  PassthroughSubject -> Buffer -> eve") == true)
    #expect(gauge.error == "")
  }

  @Test(arguments: ["table", "json"])
  func `a program that ends between two looks is told, and nothing is shown`(format: String) {
    let server = FakeInspector(at: folder("s"), [ShopLooks.texts[0]])
    #expect(gauge("top", "--interval", "0.1", "--format", format, server.path) == 66)
    #expect(gauge.error == "gauge top: error: 7 Shop has ended\n", "\(gauge.error)")
    #expect(gauge.output == "")
  }

  @Test func `a program that answers too many others is told apart from one that answers nobody`() {
    let failure = CommandFailure(.busy("process 7"))
    #expect(failure.code == .missingFile && failure.message.hasPrefix("process 7 answers too many others"))
  }

  @Test func `a program without a stream says so`() {
    let empty = ShopLooks.text(LiveGraph(time: 1, subscriptions: []))
    let server = FakeInspector(at: folder("s"), [empty, empty])
    #expect(gauge("top", "--interval", "0.1", server.path) == 0)
    #expect(gauge.output.hasPrefix("7 Shop: 0 streams, 0 subscriptions\nNo stream is alive"))
  }

  @Test func `failures say what to do next`() {
    #expect(gauge("top", "\(Int32.max)") == 66)
    #expect(gauge.error.contains("there is no process \(Int32.max)\n'pgrep -a NAME'"))
    #expect(gauge("top", "\(getpid())") == 66)
    #expect(gauge.error.contains("does not serve its streams\nBuild it with WeirExtras and the trait Inspection"))
    #expect(gauge.error.contains("WEIR_INSPECT=serve"))
    #expect(gauge("top", folder("none")) == 66)
    #expect(gauge.error.contains("nobody answers at \(folder("none")): No such file or directory"))
    let refusing = FakeInspector(at: folder("r"), greeting: #"{"error":"this program belongs to another user"}"#, [])
    #expect(gauge("top", refusing.path) == 66)
    #expect(gauge.error.contains("belongs to another user, whose streams are not yours to see\nAsk as that user"))
    let newer = FakeInspector(at: folder("n"), greeting: #"{"version":9}"#, [])
    #expect(gauge("top", newer.path) == 65)
    #expect(gauge.error.contains("it speaks version 9 of the format"))
    let server = FakeInspector(at: folder("s"), ShopLooks.texts)
    #expect(gauge("top", "--interval", "0.1", "--stream", "77", server.path) == 66)
    #expect(gauge.error.contains("there is no stream 77"))
  }

  @Test func `a wrong line has its code`() {
    #expect(gauge("top") == 64)
    #expect(gauge("top", "1", "2") == 64)
    #expect(gauge("top", "--sort", "rat", "1") == 64)
    #expect(gauge.error.contains("Did you mean 'rate'?"))
    #expect(gauge("top", "--interval", "0", "1") == 64)
    #expect(gauge("top", "--stream", "x", "1") == 64)
  }
}
