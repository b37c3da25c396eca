// Whole files and folders by path.

import Testing

@testable import GaugeRunner

@Suite struct FilesTests {
  @Test func `a large file is read whole`() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "0123456789", count: 100_000)
    try folder.write(text, to: "file")
    #expect(Files.text(of: folder("file")) == text)
    #expect(Files.stamp(of: folder("file"))?.size == 1_000_000)
  }

  @Test(arguments: [
    ("a/b[n=1;k=é]", "a-b-n=1-k=é-"), ("../../x", "..-..-x"), ("\u{0D4E}/\u{0D4E}/../x", "\u{0D4E}-\u{0D4E}-..-x"),
    ("a\u{0}b\nc\u{0600}/", "a-b-c--"), ("e\u{0301}", "e\u{0301}"), ("", ""),
  ])
  func `a title is one name of a file, scalar by scalar`(title: String, name: String) {
    #expect(Array(Files.name(of: title).unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test func `long titles have short names that are told apart`() {
    let names = ["é", "ê"].map { Files.name(of: String(repeating: "é", count: 300) + $0) }
    #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count < 200 })
  }

  @Test func `what can't be read is told by its reason`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SystemError("read \(folder("none"))", code: 2)) { try Files.contents(of: folder("none")) }
    #expect(throws: SystemError("read \(folder.path)", code: 21)) { try Files.contents(of: folder.path) }
    #expect(Files.text(of: folder("none")) == nil)
    #expect(Files.stamp(of: folder("none")) == nil)
  }

  @Test(arguments: [
    ("a/b/c", "a/b"), ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", ""), ("t/x", "t"), ("a/b/", "a"), ("a//b", "a"),
    ("//", "/"), ("", ""), ("t/", ""), ("é\u{301}/b", "é\u{301}"), ("a/\u{301}b", "a"),
  ])
  func `the folder of a path is what stands before its last part`(path: String, folder: String) {
    #expect(Files.folder(of: path) == folder)
  }

  @Test func `a device is no file, and a file may be too large`() throws {
    for path in ["/dev/zero", "/dev/tty"] { #expect(throws: SystemError.self) { try Files.contents(of: path) } }
    let folder = try TemporaryFolder()
    let file = try folder.write("0123456789", to: "file")
    #expect(throws: SystemError("read \(file)", code: 27)) { try Files.contents(of: file, limit: 5) }
  }

  @Test func `a file takes another's name and place`() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a")
    try folder.write("new", to: "b")
    try Files.rename(folder("b"), to: folder("a"))
    #expect(try folder.read("a") == "new")
    #expect(Files.stamp(of: folder("b")) == nil)
    #expect(throws: SystemError("rename \(folder("b")) to \(folder("a"))", code: 2)) {
      try Files.rename(folder("b"), to: folder("a"))
    }
    Files.remove(folder("a"))
    Files.remove(folder("a"))
    #expect(Files.stamp(of: folder("a")) == nil)
  }

  @Test func `folders are made with those above them, and may be there already`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try Files.makeFolder(folder("a/b/c")) }
    #expect(Files.stamp(of: folder("a/b/c")) != nil)
    try folder.write("", to: "file")
    #expect(throws: SystemError("make the folder \(folder("file"))", code: 20)) {
      try Files.makeFolder(folder("file/a"))
    }
  }

  @Test func `a folder is removed where nothing is in it`() throws {
    let folder = try TemporaryFolder()
    try Files.makeFolder(folder("a/b"))
    Files.removeFolder(folder("a"))
    #expect(Files.stamp(of: folder("a/b")) != nil)
    Files.removeFolder(folder("a/b"))
    Files.removeFolder(folder("a"))
    #expect(Files.stamp(of: folder("a")) == nil)
  }
}
