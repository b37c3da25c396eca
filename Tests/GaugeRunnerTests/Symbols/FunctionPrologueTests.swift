// How frames are left that no table tells of.

import Testing

@testable import GaugeRunner

@Suite struct FunctionPrologueTests {
  /// The row behind so many bytes of a function that begins at 0x100, in a file where one byte is before it.
  private func row(_ code: [UInt8], behind count: Int? = nil) -> CallFrameRow? {
    FunctionPrologue.row([0x90] + code, function: 0x100, place: 1, at: 0x100 + UInt64(count ?? code.count))
  }

  private func made(_ frame: CallFrameRow.Frame, _ framePointer: Int? = nil) -> CallFrameRow {
    var row = CallFrameRow(frame: frame, rules: [16: .memory(-8)], start: 0x100)
    row.rules[6] = framePointer.map { .memory($0) }
    return row
  }

  @Test func `what a function pushes lies between its stack pointer and its caller`() {
    // push %rax; mov %rdi,%rsi; mov 0x10(%r13),%rdi; call: Dispatch's wait for a semaphore
    let wait: [UInt8] = [0x50, 0x48, 0x89, 0xfe, 0x49, 0x8b, 0x7d, 0x10, 0xe8, 0, 0, 0, 0]
    #expect(row(wait) == made(.register(7, 16)))
    #expect(row(wait, behind: 0) == made(.register(7, 8)))
    // push %r13; push %rbp; sub $0x18,%rsp
    let three: [UInt8] = [0x41, 0x55, 0x55, 0x48, 0x83, 0xec, 0x18]
    #expect(row(three) == made(.register(7, 48), -24))
    #expect(row(three, behind: 3) == made(.register(7, 24), -24))
    #expect(row(three, behind: 5) == made(.register(7, 24), -24))
    // sub $0x1000,%rsp
    #expect(row([0x48, 0x81, 0xec, 0, 0x10, 0, 0]) == made(.register(7, 8 + 0x1000)))
  }

  @Test(arguments: [[0x48, 0x89, 0xe5], [0x48, 0x8b, 0xec]] as [[UInt8]])
  func `a function that has set up its frame pointer has its frame by that`(move: [UInt8]) {
    // endbr64; push %rbp; mov %rsp,%rbp; push %rbx; sub $0x10,%rsp
    let code = [0xf3, 0x0f, 0x1e, 0xfa, 0x55] + move + [0x53, 0x48, 0x83, 0xec, 0x10]
    #expect(row(code) == made(.register(6, 16), -16))
    #expect(row(code, behind: 5) == made(.register(7, 16), -16))
  }

  @Test(arguments: [[0x74, 2], [0xc3], [0xff, 0xe0], [0xe8, 0, 0, 0, 0]] as [[UInt8]])
  func `behind a jump the stack is another one`(leaving: [UInt8]) {
    // push %rbx; ...; pop %rbx; push %rax
    #expect(row([0x53] + leaving + [0x5b, 0x50]) == made(.register(7, 16)))
  }

  @Test func `what is below a frame pointer is counted up to the first call`() {
    func below(_ code: [UInt8], before count: Int? = nil) -> Int? {
      FunctionPrologue.bytesBelowFramePointer(
        [0x90] + code, function: 0x100, place: 1, before: 0x100 + UInt64(count ?? code.count))
    }
    // push %rbp; mov %rsp,%rbp; push %r15; push %rbx; mov %rdi,%rsi; sub $0x18,%rsp; call; push %rax
    let code: [UInt8] = [
      0x55, 0x48, 0x89, 0xe5, 0x41, 0x57, 0x53, 0x48, 0x89, 0xfe, 0x48, 0x83, 0xec, 0x18, 0xe8, 0, 0, 0, 0, 0x50,
    ]
    #expect(below(code) == 8 + 8 + 0x18)
    #expect(below(code, before: 6) == 8)
    #expect(below(code, before: 1) == nil)
    #expect(below([0x53, 0xc3]) == nil)
    #expect(below([0x55, 0x48, 0x89, 0xe5, 0xc3]) == 0)
    #expect(FunctionPrologue.bytesBelowFramePointer([0x50], function: 8, place: 0, before: 7) == nil)
  }

  @Test func `what is no code, or not there, has no row`() {
    #expect(row([0x06, 0x50]) == nil)
    #expect(row([0x50], behind: 2) == nil)
    #expect(FunctionPrologue.row([0x50], function: 8, place: 0, at: 7) == nil)
    #expect(FunctionPrologue.row([0x50], function: 0, place: .max, at: 1) == nil)
    #expect(FunctionPrologue.row([0x50], function: 0, place: -1, at: 1) == nil)
  }
}
