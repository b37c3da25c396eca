// Known answers of SHA-256, from FIPS 180-4's examples, and every padding against the system's tool.

import Testing

@testable import GaugeRunner

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `known answers`(text: String, hash: String) {
    #expect(SHA256.hexadecimal(Array(text.utf8)) == hash)
  }

  @Test(arguments: [55, 56, 63, 64, 65, 119, 120, 128, 1000])
  func `lengths around a block's end agree with sha256sum`(length: Int) throws {
    let text = String(repeating: "x", count: length)
    let run = try ProcessRun.capturing(
      Command(program: "/bin/sh", arguments: ["-c", "printf %s \"$1\" | sha256sum", "sh", text]))
    #expect(run.output.hasPrefix(SHA256.hexadecimal(Array(text.utf8)) + " "))
  }
}
