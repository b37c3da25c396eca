// The program that a start is measured against: prints a number.

@main struct Nothing {
  static func main() { print(CommandLine.arguments.count) }
}
