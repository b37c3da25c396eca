// Help pages made from a verb's syntax.

import Testing

@testable import GaugeRunner

@Suite struct VerbSyntaxTests {
  @Test func `a help page has every part in its place`() {
    let syntax = VerbSyntax(
      name: "weigh", arguments: "THING", summary: "Weighs a thing.", description: "Twice.",
      options: [
        OptionSyntax(name: "--unit", placeholder: "UNIT", help: "The unit,\nor its name."),
        OptionSyntax(name: "--a-very-long-option", placeholder: "VALUE", help: "Long."),
      ],
      examples: [("gauge weigh it", "Weighs it.")], exitCodes: [("0", "weighed"), ("64", "no thing")])
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    #expect(
      syntax.help(stream) == """
        gauge weigh [OPTIONS] THING

        Weighs a thing.

        Twice.

        OPTIONS
          --unit UNIT             The unit,
                                  or its name.
          --a-very-long-option VALUE
                                  Long.

        EXAMPLES
          gauge weigh it
              Weighs it.

        EXIT CODES
          0   weighed
          64  no thing

        """)
  }
}
