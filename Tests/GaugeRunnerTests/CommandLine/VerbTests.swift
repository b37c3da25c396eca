// Help pages made from a verb's syntax.

import Testing

@testable import GaugeRunner

@Suite struct VerbTests {
  @Test func `help pages have every part in its place`() {
    let verb = Verb(
      name: "weigh", arguments: "THING", summary: "Weighs a thing.", description: "Twice.\n\nAnd once more.",
      options: [
        OptionSyntax(name: "--unit", placeholder: "UNIT", help: "The unit,\nor its name. Grams else."),
        OptionSyntax(name: "--a-very-long-option", placeholder: "VALUE", help: "Long."),
      ],
      examples: [("gauge weigh it", "Weighs it.")], exitCodes: [("0", "weighed"), ("64", "no thing")]
    ) { _, _ in 0 }
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    #expect(
      verb.help(stream) == """
        gauge weigh [OPTIONS] THING
        Weighs a thing. More: gauge help --long weigh

        Twice.

        OPTIONS
          --unit UNIT                 The unit, or its name.
          --a-very-long-option VALUE  Long.

        EXAMPLES
          gauge weigh it  Weighs it.

        EXIT CODES
          0   weighed
          64  no thing

        """)
    #expect(
      verb.help(stream, .long) == """
        gauge weigh [OPTIONS] THING
        Weighs a thing.

        Twice.

        And once more.

        OPTIONS
          --unit UNIT             The unit,
                                  or its name. Grams else.
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
  @Test(
    arguments: [
      ("[GLOB ...]", []), ("save|list [NAME]", ["save", "list"]), ("", []), ("FILE.csv", []),
    ] as [(String, [String])])
  func `actions are the choices of the first argument`(arguments: String, actions: [String]) {
    let verb = Verb(
      name: "v", arguments: arguments, summary: "", description: "", options: [], examples: [], exitCodes: []
    ) { _, _ in 0 }
    #expect(verb.actions == actions)
  }
}
