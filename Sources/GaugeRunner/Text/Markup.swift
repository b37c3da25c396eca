// Text and markup told apart by their types: what is put into markup is escaped, whoever has named it.

import Foundation

/// A piece of an HTML page, of an SVG picture, or of another XML document.
///
/// A literal is markup as it stands. A string put into it is text, and escaped scalar by scalar, so that neither a
/// combining mark nor a line ending of two characters hides a bracket or a quotation mark.
struct Markup: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The markup.
  private(set) var text: String

  init(stringLiteral literal: String) { text = literal }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Pieces in order.
  ///
  /// - Parameter separator: What stands between them.
  init(_ pieces: [Markup], between separator: Markup = "\n") {
    text = pieces.map(\.text).joined(separator: separator.text)
  }

  /// Attributes of an element, each with a space in front.
  init(attributes: [(name: Markup, value: String)]) {
    self.init(attributes.map { " \($0.name)=\"\($0.value)\"" }, between: "")
  }

  /// A text within XML or HTML; characters that XML can't hold become the replacement character, and so do those that
  /// turn the direction of reading.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.isControl || scalar.value == 0xfffe || scalar.value == 0xffff: escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Markup with values in it.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Puts in text.
    mutating func appendInterpolation(_ plain: String) { text += Markup.escaped(plain) }

    /// Puts in a number.
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

    /// Puts in markup.
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

    /// Puts in pieces of markup, a line feed between them.
    mutating func appendInterpolation(_ pieces: [Markup]) { text += Markup(pieces).text }

    /// Puts in a constant style sheet or script of this program.
    mutating func appendInterpolation(constant: String) { text += constant }

    /// Puts in data for a script, within an element that is none: no bracket of it is taken for a tag.
    mutating func appendInterpolation(json: String) {
      for scalar in json.unicodeScalars {
        if scalar == "<" { text += "\\u003c" } else { text.unicodeScalars.append(scalar) }
      }
    }
  }
}

/// What a page is allowed: its own style sheet and script, known by their hashes, and nothing from outside.
///
/// - Parameters:
///   - style: The text of its `style` element.
///   - script: The text of its `script` element; `nil` where its scripts are files beside it, which a browser that
///     opens files knows by their scheme only.
func contentSecurityPolicy(style: String, script: String?) -> String {
  "default-src 'none'; img-src data:; style-src \(hash(of: style)); script-src "
    + (script.map { hash(of: $0) } ?? "'self' file:") + "; base-uri 'none'; form-action 'none'"
}

/// The hash of an element's text, as a policy names it.
private func hash(of text: String) -> String {
  "'sha256-\(Data(SHA256.bytes(Array(text.utf8))).base64EncodedString())'"
}

/// The beginning of a page, up to its body: nothing is fetched, not even an icon.
///
/// - Parameters:
///   - title: Its title.
///   - style: Its style sheet, a constant.
///   - script: Its only script, a constant; `nil` where its scripts are files beside it.
func htmlHead(title: String, style: String, script: String?) -> Markup {
  """
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="\(constant: contentSecurityPolicy(style: style, script: script))">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="icon" href="data:,">
  <title>\(title)</title>
  <style>\(constant: style)</style>
  </head>
  """
}
