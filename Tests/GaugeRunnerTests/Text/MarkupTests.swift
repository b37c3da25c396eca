// Text within markup.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct MarkupTests {
  @Test(arguments: [
    ("<b>", "&lt;b&gt;"), ("a\u{0600}<script>", "a\u{0600}&lt;script&gt;"),
    ("<\u{0301}b>\u{0338}", "&lt;\u{0301}b&gt;\u{0338}"),
    ("\"\u{0301} onload=x", "&quot;\u{0301} onload=x"), ("a\r\n<", "a\u{fffd}\n&lt;"), ("&amp;", "&amp;amp;"),
  ]) func `a text is escaped scalar by scalar`(text: String, escaped: String) {
    let markup: Markup = "<p title=\"\(text)\">\(text)</p>"
    #expect(Array(markup.text.utf8) == Array("<p title=\"\(escaped)\">\(escaped)</p>".utf8))
  }

  @Test func `attributes are escaped, and control characters are replaced`() {
    #expect(("\("<a&\"b\">\n\u{1}é")" as Markup).text == "&lt;a&amp;&quot;b&quot;&gt;\n\u{fffd}é")
    #expect(Markup(attributes: [("a", "\""), ("b", "")]).text == " a=\"&quot;\" b=\"\"")
  }

  @Test func `markup within markup stays as it is`() {
    let inner: Markup = "<i>\("<")</i>"
    #expect(("<b>\(inner)</b> \(3)" as Markup).text == "<b><i>&lt;</i></b> 3")
    #expect(("\([inner, "x"])" as Markup).text == "<i>&lt;</i>\nx")
  }

  @Test func `data for a script can't end it`() throws {
    let json = JSONText.string("</script><\u{0338}!--").text()
    let markup: Markup = "<script>\(json: json)</script>"
    #expect(!markup.text.dropFirst("<script>".count).dropLast("</script>".count).unicodeScalars.contains("<"))
    let held = markup.text.dropFirst("<script>".count).dropLast("</script>".count)
    #expect(try JSONDecoder().decode(String.self, from: Data(held.utf8)) == "</script><\u{0338}!--")
  }

  @Test func `a policy knows the page's own style and script by their hashes`() {
    #expect(
      contentSecurityPolicy(style: "", script: "alert('x');").hasPrefix(
        "default-src 'none'; img-src data:; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; script-src "
      ))
  }
}
