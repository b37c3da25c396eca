// What `--vary` takes, and what it says of what it doesn't.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct VariantTests {
  @Test func `each setting is read`() throws {
    #expect(try Variant("toolchain=/opt/other").build == BuildChange(swift: "/opt/other"))
    #expect(try Variant("option=-Xswiftc  -Ounchecked").build == BuildChange(options: ["-Xswiftc", "-Ounchecked"]))
    #expect(try Variant("variable=A=b=c d").launch == LaunchChange(variables: ["A": "b=c d"]))
    #expect(try Variant("variable=A=").launch == LaunchChange(variables: ["A": ""]))
    #expect(try Variant("preload=/lib/libm.so").launch == LaunchChange(preloads: ["/lib/libm.so"]))
    #expect(
      try Variant("dependency=swift-log@1.2.3-beta.1").build
        == BuildChange(dependencies: [DependencyChange(name: "swift-log", version: "1.2.3-beta.1")]))
    #expect(
      try Variant("dependency=swift-log=/src/log@2").build
        == BuildChange(dependencies: [DependencyChange(name: "swift-log", folder: "/src/log@2")]))
    // A path is one from everywhere.
    let folder = FileManager.default.currentDirectoryPath
    #expect(try Variant("preload=lib/a.so").launch.preloads == [folder + "/lib/a.so"])
  }

  @Test func `settings that change together are one variant`() throws {
    let variant = try Variant(
      "option=-Xswiftc -DA + option=--disable-x + variable=A=1 + variable=B=2 + preload=/a + preload=/b")
    #expect(variant.build == BuildChange(options: ["-Xswiftc", "-DA", "--disable-x"]))
    #expect(variant.launch == LaunchChange(variables: ["A": "1", "B": "2"], preloads: ["/a", "/b"]))
    #expect(
      variant.isSame(
        as: try Variant("preload=/a + variable=B=2 + preload=/x/../b + option=-Xswiftc -DA --disable-x + variable=A=1"))
    )
    #expect(!variant.isSame(as: try Variant("variable=A=1")))
    // What is handed on to another program may be called as an option of gauge's.
    #expect(try Variant("option=-Xswiftc --target").build.options == ["-Xswiftc", "--target"])
  }

  @Test(arguments: [
    ("", "'' has no '='; it takes toolchain=..., option=..., variable=..., preload=..., dependency=..."),
    ("A", "'A' has no '='"),
    ("variable=A=1 + B", "'B' has no '='"),
    ("vairable=A=1", "it knows toolchain, option, variable, preload, dependency, not 'vairable'"),
    ("toolchain=", "what to take instead? toolchain=PATH"),
    ("toolchain=/a + toolchain=/b", "it names two toolchains"),
    ("option= ", "what to take instead? option=WORDS"),
    ("option=Ounchecked", "'Ounchecked' is no option of 'swift build'"),
    ("option=-Xswiftc", "'-Xswiftc' needs a word behind it"),
    ("option=-j 2 --scratch-path=x", "'--scratch-path' decides what is built and where, which gauge does"),
    ("option=--toolchain /a", "toolchain=PATH takes another one"),
    ("option=-c debug", "'-c' decides what is built"),
    ("variable=A", "'A' is no variable with a value; variable=NAME=VALUE"),
    ("variable==1", "'=1' is no variable with a value"),
    ("variable=A=1\n", "a line feed or another control character can't be part of it"),
    ("variable=LD_PRELOAD=/a", "preload=PATH, a library, sets LD_PRELOAD"),
    ("variable=GAUGE_X=1", "begin with GAUGE_ are gauge's own"),
    ("variable=A=1 + variable=A=2", "it sets A twice"),
    ("preload=/a:b", "the loader takes no path with a colon or a blank"),
    ("preload=/a + preload=/a", "it preloads /a twice"),
    ("dependency=log", "'log' names no package and what to take for it"),
    ("dependency=@1.0.0", "names no package"),
    ("dependency=-v@1.0.0", "names no package"),
    ("dependency=log@", "names no package and what to take for it"),
    ("dependency=log@main", "'main' is no version such as 1.2.3"),
    ("dependency=log@1.2", "'1.2' is no version such as 1.2.3"),
    ("dependency=log@1.2.3 + dependency=Log=/a", "it changes Log twice"),
  ])
  func `what is no setting is refused with the reason`(text: String, reason: String) throws {
    let failure = try #require(throws: CommandFailure.self) { try Variant(text) }
    #expect(failure.code == .usage)
    #expect(failure.message.hasPrefix("option '--vary' can't take '\(text)': "), "\(failure.message)")
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(failure.advice == (text.hasPrefix("vairable") ? "Did you mean 'variable'?" : ""))
  }
}
