// Text within Markdown.

import Testing

@testable import GaugeRunner

@Suite struct MarkdownTests {
  /// Scalars, as `==` of strings takes some that differ for the same.
  func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test(arguments: [
    ("a_b machine_id (v1.2), +3 %, [n=2]: x|y", "a_b machine_id (v1.2), +3 %, [n=2]: x|y"),
    ("_a_ *b* `c` ~~d~~ <b> \\", "\\_a\\_ \\*b\\* \\`c\\` \\~\\~\u{200b}d\\~\\~ \\<b> \\\\"),
    ("\u{600}<\u{338}b", "\u{600}\\<\u{338}b"), ("&lt; & &#60;", "\\&\u{200b}lt; & \\&#\u{200b}60;"),
    ("[a](b) ![c][d] [[e]]", "[a\\](b) ![c\\][d] \\[[e]]"),
    ("x\r\n/approve\r\n@org/team", "x /approve @\u{200b}org/team"),
    ("#12 !3 GH-4", "#\u{200b}12 !\u{200b}3 GH-\u{200b}4"),
    ("https://a.b www.c.d e@f.g", "https:\u{200b}//a.b www\u{200b}.c.d e@\u{200b}f.g"),
    ("[vulnerability:1] [n:1", "[vulnerability:\u{200b}1] [n:\u{200b}1"), ("$1 ~bug", "\\$\u{200b}1 \\~\u{200b}bug"),
    (
      "@.a @-a ~-x ~?y ~&z %-z $(x)$ 5 %. 5 %-",
      "@\u{200b}.a @\u{200b}-a \\~\u{200b}-x \\~\u{200b}?y "
        + "\\~\u{200b}\\&\u{200b}z %\u{200b}-z \\$(x)\\$ 5 %. 5 %\u{200b}-"
    ),
    (":smile: a:b :+1:", ":\u{200b}smile: a:b :\u{200b}+1:"), ("{+a+} [-b-]", "{\u{200b}+a+} [\u{200b}-b-]"),
    ("in 0123abc, not abcdef or 0123abcx", "in 0\u{200b}123abc, not abcdef or 0123abcx"),
  ])
  func `a text is text, on one line`(text: String, markdown: String) {
    #expect(scalars(("\(text)" as Markdown).text) == scalars(markdown))
  }

  @Test(arguments: [
    ("a/b", "`a/b`"), ("", ""), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("``a", "``` ``a ```"), (" a ", "`  a  `"),
    ("a`\u{301}", "``a`\u{301}``"), ("x\r\n@team", "`x @team`"), ("\\", "`\\`"),
  ])
  func `code stands between longer runs of backticks`(text: String, markdown: String) {
    #expect(scalars(("\(code: text)" as Markdown).text) == scalars(markdown))
  }

  @Test func `what stands between backticks in prose can be copied, and the rest is text`() {
    let prose = "up: `gauge ab --vary dependency=log@1.0.0 'a*'` decides @me; `<b>"
    #expect(
      scalars(("\(prose: prose)" as Markdown).text)
        == scalars("up: `gauge ab --vary dependency=log@1.0.0 'a*'` decides @\u{200b}me; `<b>`"))
    #expect(("\(prose: "*")" as Markdown).text == "\\*")
  }

  @Test func `a cell ends where the table says`() {
    #expect(("\(code: "a|b")" as Markdown).cell.text == "`a\\|b`")
    #expect(("\(code: "a\\|b")" as Markdown).cell.text == "`a\\\u{200b}\\|b`")
    #expect(("\("a|b")" as Markdown).cell.text == "a\\|b")
  }

  @Test func `a line of a block can't end it`() {
    #expect(("\(line: "a```\u{301}b``")" as Markdown).text == "a'''\u{301}b``")
    #expect(("\(line: "\u{600}````")" as Markdown).text == "\u{600}''''")
  }

  @Test func `Markdown within Markdown stays as it is`() {
    let inner: Markdown = "**\("*")**"
    #expect(("# \(inner) \(3)" as Markdown).text == "# **\\*** 3")
    #expect(Markdown([inner, "x"]).text == "**\\***\nx")
  }
}
