// Every format with hostile names: what is around a name is as it is around an innocent one.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct HostileNamesTests {
  /// Files of every format for a name, by the name of the file.
  static func files(_ name: String) -> [(name: String, bytes: [UInt8])] {
    let (base, new) = (HostileNames.run(name), HostileNames.run(name, factor: 2))
    let comparison = Comparison(base: base, new: new)
    let texts = ReportFormat.allCases.flatMap { format in
      (format == .junit ? [] : format.files(new, title: name))
        + ([.text, .markdown, .html, .junit, .csv, .json].contains(format)
          ? format.files(comparison, base: base, new: new, width: 200) : [])
    }
    return texts.map { ($0.name, Array($0.text.utf8)) }
      + ProfileFormat.allCases.flatMap { format in
        format.files([HostileNames.profile(name)], title: name).map { ("profile." + $0.ending, $0.bytes) }
      }
  }

  /// What must not depend on a name: lines, elements, members, records.
  static func shape(_ file: String, _ bytes: [UInt8]) throws -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    switch file.split(separator: ".").last {
    case "html":
      // The data of a page that draws is JSON, in which a name has its quotes behind backslashes.
      let quotes = file.hasPrefix("profile") ? 0 : bytes.count { $0 == UInt8(ascii: "\"") }
      return "\(bytes.count { $0 == UInt8(ascii: "<") }) brackets, \(quotes) quotes"
        + (text.unicodeScalars.contains("\0") ? ", zero" : "")
    case "xml":
      let counter = ElementCounter()
      let parser = XMLParser(data: Data(bytes))
      parser.delegate = counter
      guard parser.parse() else { return "not well-formed: \(parser.parserError.map { "\($0)" } ?? "")" }
      return "\(counter.elements)"
    case "json": return Self.shape(try JSONSerialization.jsonObject(with: Data(bytes)))
    case "csv":
      // Records begin on lines of their own; a name may have lines, too.
      return try CSV.records(bytes[...], firstLine: 1).map { "\($0.fields.count)" }.joined(separator: " ")
    case "gz", "hgrm": return ""
    case "txt" where file != "go-benchmark.txt" && file != "openmetrics.txt":
      return lines.contains { $0.contains(where: \.isControl) } ? "control characters" : ""
    case "md":
      // A table's rows and what begins lines; what a launch has printed is indented, and has lines of its own.
      return lines.filter { !$0.starts(with: "  ".unicodeScalars) }.map { line in
        let bars = line.indices.count {
          line[$0] == "|" && ($0 == line.startIndex || line[line.index(before: $0)] != "\\")
        }
        return line.first == "|" ? "\(bars)" : String(String.UnicodeScalarView(line.prefix(2)))
      }.joined(separator: " ") + (lines.contains { $0.contains(where: \.isControl) } ? "control characters" : "")
    default: return lines.map { $0.isEmpty ? "-" : "+" }.joined()
    }
  }

  private static func shape(_ json: Any) -> String {
    switch json {
    case let object as [String: Any]:
      return "{" + object.values.map { shape($0) }.sorted().joined(separator: ",") + "}"
    case let array as [Any]: return "[" + array.map { shape($0) }.joined(separator: ",") + "]"
    default: return "x"
    }
  }

  final class ElementCounter: NSObject, XMLParserDelegate {
    var elements: [String] = []
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { elements.append(name + "\(attributes.count)") }
  }

  @Test func `there are enough of them`() {
    #expect(HostileNames.all.count >= 100)
    #expect(Set(Self.files("a").map(\.name)).count >= 20)
  }

  private static let innocent = files("innocent")

  @Test(arguments: HostileNames.all) func `no format takes a name for more than a name`(name: String) throws {
    let hostile = Self.files(name)
    // The names of percentiles' files are made of benchmarks' names.
    #expect(hostile.count == Self.innocent.count)
    for (one, other) in zip(Self.innocent, hostile) {
      #expect(!other.name.contains("..") || !other.name.dropFirst("hgrm/".count).contains("/"), "\(other.name)")
      let shapes = (try Self.shape(one.name, one.bytes), try Self.shape(one.name, other.bytes))
      #expect(shapes.0 == shapes.1, "\(one.name) of \(name.debugDescription)")
    }
  }

  @Test(arguments: HostileNames.all) func `a result file gives names back as they were`(name: String) throws {
    let results = HostileNames.run(name)
    guard !name.isEmpty else { return }
    let text =
      ResultFormat.head(environment: results.environment) + results.rows.map(ResultFormat.line).joined()
      + results.faults.map(ResultFormat.line).joined()
    let read = try ResultFile.parse(Array(text.utf8), path: "f.csv").results
    func scalars(_ text: String) -> [UInt8] { Array(text.utf8) }
    #expect(read.rows.map { scalars($0.benchmark) } == results.rows.map { scalars($0.benchmark) })
    #expect(read.rows.map { scalars($0.parameters) } == results.rows.map { scalars($0.parameters) })
    #expect(read.environment.map { scalars($0.value) } == results.environment.map { scalars($0.value) })
    #expect(scalars(read.faults[0].output) == scalars(results.faults[0].output))
  }
}
