// Tests of the names of functions: what is shown, what is the program's, and what stays the same between builds.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FunctionNameTests {
  @Test(
    arguments: [
      ("Corpus.Series.rank(_: Swift.Int, of: [Swift.Int]) -> Swift.Int", "Series.rank(_:of:)"),
      ("Corpus.sum<A where A: Swift.AdditiveArithmetic>([A]) -> A", "sum(_:)"),
      ("Corpus.benchmarks.getter : [Gauge.Benchmark]", "benchmarks.getter"),
      (
        "protocol witness for static Gauge.Shape.area(of: Swift.Int) -> Swift.Int in conformance <A> Corpus.Square<A> : "
          + "Gauge.Shape in Corpus", "Square.area(of:)"
      ),
      ("static Corpus.Table<A>.empty<B>() -> Corpus.Table<B>", "Table.empty()"),
      (
        "closure #1 (Swift.Int) -> Swift.Int in closure #2 () -> () in Corpus.run() -> ()",
        "closure #1 in closure #2 in run()"
      ),
      (
        "digit #1 (Swift.UInt8) -> Swift.UInt8 in Corpus.hexadecimal(_: Swift.UInt8) -> ()",
        "digit #1 in hexadecimal(_:)"
      ),
      ("Corpus.(hidden in _0123456789ABCDEF)(Swift.Int, to: (Swift.Int) -> ()) -> ()", "hidden(_:to:)"),
      ("generic specialization <Swift.Int> of Corpus.Box.get() -> A", "Box.get()"),
      ("function signature specialization <Arg[0] = Dead> of Corpus.Box.get() -> Swift.Int", "Box.get()"),
      (
        "function signature specialization <Arg[0] = [Closure Propagated : $s6Corpus, Argument Types : []> of Corpus.Box.get()",
        "Box.get()"
      ),
      ("(extension in Corpus):Swift.Array.second.getter : A?", "Array.second.getter"),
      ("static Corpus.Point.== infix(Corpus.Point, Corpus.Point) -> Swift.Bool", "Point.=="),
      ("static Corpus.Point.... infix(Corpus.Point, Corpus.Point) -> Swift.Bool", "Point...."),
    ])
  func `types, modules and specialisations are left out`(declaration: String, text: String) {
    let name = FunctionName(declaration: declaration)
    #expect(name.text == text)
    #expect(name.module == "Corpus")
    #expect(name.isProgram)
  }

  @Test(
    arguments: [
      (
        "partial apply forwarder for closure #1 () -> Swift.Int in Corpus.run() -> ()",
        "forwarder of closure #1 in run()"
      ),
      ("outlined init with copy of Corpus.Shape", "copy of Shape"),
      ("outlined consume of Corpus.Shape", "destruction of Shape"),
      ("outlined destroy of Swift.Optional<Corpus.Shape<Swift.Int>>", "destruction of Shape?"),
      ("Corpus.Node.__deallocating_deinit", "Node.__deallocating_deinit"),
      ("Corpus.Node.__allocating_init(Swift.Int) -> Corpus.Node", "Node.__allocating_init(_:)"),
    ])
  func `what the compiler has made is not the program's`(declaration: String, text: String) {
    let name = FunctionName(declaration: declaration)
    #expect(name.text == text)
    #expect(name.isGlue)
    #expect(!name.isProgram)
  }

  @Test(
    arguments: [
      ("$sSa5countSivg", "Array.count.getter", "Swift"),
      ("$sSis18AdditiveArithmeticssAAP4zeroxvgZTW", "witness of AdditiveArithmetic.zero.getter", "Swift"),
      ("$s5Gauge18InstructionBatchesC3endyyF", "InstructionBatches.end()", "Gauge"),
    ])
  func `libraries and the harness are not the program's`(symbol: String, text: String, module: String) {
    let name = FunctionName(symbol: symbol)
    #expect(name.text == text)
    #expect(name.module == module)
    #expect(!name.isProgram)
  }

  @Test(
    arguments: [
      ("malloc", "malloc"), ("", "unknown"), ("memcpy@GLIBC_2.2.5", "memcpy"),
      (
        "_ZN5swift9RefCountsINS_13RefCountBitsTILNS_19RefCountInlinednessE1EEEE15doDecrementSlowILNS_13PerformDeinitE1EEEbS3_j",
        "swift::RefCounts::doDecrementSlow"
      ),
      ("_ZL19_destroyErrorObjectPN5swift10HeapObjectE", "_destroyErrorObject"),
    ])
  func `symbols of C and C++ are nobody's`(symbol: String, text: String) {
    let name = FunctionName(symbol: symbol)
    #expect(name.text == text)
    #expect(name.module == nil)
    #expect(!name.isProgram)
  }

  @Test func `numbers of closures may differ between builds`() {
    #expect(FunctionName.stable("closure #12 in closure #3 in run()") == "closure in closure in run()")
    #expect(FunctionName.stable("digit #1 in hexadecimal(_:)") == "digit in hexadecimal(_:)")
    #expect(FunctionName.stable("run()") == "run()")
  }

  @Test func `of functions within functions the innermost are told`() {
    let text = String(repeating: "a #1 () -> () in ", count: 5000) + "Corpus.run() -> ()"
    let name = FunctionName(declaration: text).text
    #expect(name.hasPrefix("a #1 in a #1 in ") && name.hasSuffix(" in a"))
    #expect(name.components(separatedBy: " in ").count == FunctionName.deepest + 1)
  }

  @Test func `a declaration is read as far as any symbol needs`() {
    let name = FunctionName(declaration: "Corpus." + String(repeating: "a", count: 1 << 20) + "() -> ()").text
    #expect(name.unicodeScalars.count == FunctionName.longestDeclaration - "Corpus.".count)
  }
}
