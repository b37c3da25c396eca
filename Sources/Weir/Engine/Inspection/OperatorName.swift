// What the publishers of live streams are called.
// No test file: StreamGraphTests, of WeirExtras, tests it.

/// The name of a publisher's type without its module, the namespace and what it is generic over.
package func operatorName(of type: Any.Type) -> String {
  var (name, depth, former) = ("", 0, Character(" "))
  for character in String(reflecting: type) {
    switch character {
    case "<", "(": depth += 1
    case ")": depth -= 1
    case ">": if former != "-" { depth -= 1 }
    default: if depth == 0 { name.append(character) }
    }
    former = character
  }
  let parts = name.split(separator: ".").dropFirst().drop { $0 == "Publishers" }
  return parts.isEmpty ? name : parts.joined(separator: ".")
}
