// What the publishers of live streams are called.
// No test file: StreamGraphTests, of WeirExtras, tests it.

import WeirQueues

/// The name of a publisher's type without its module, the namespace and what it is generic over.
package func operatorName(of type: Any.Type) -> String {
  if let name = knownNames.withLock({ $0[ObjectIdentifier(type)] }) { return name }
  let name = newOperatorName(of: type)
  knownNames.withLock { $0[ObjectIdentifier(type)] = name }
  return name
}

/// A snapshot asks for the name of each publisher again, and a description of a type takes long.
private let knownNames = Lock([ObjectIdentifier: String]())

private func newOperatorName(of type: Any.Type) -> String {
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

/// A name without the addresses that stand in those of types which are local to a function.
package func nameWithoutAddresses(_ name: String) -> String {
  let mark = "(unknown context at "
  guard name.contains(mark) else { return name }
  return name.split(separator: mark, omittingEmptySubsequences: false).enumerated().map { index, part in
    guard index > 0, let end = part.firstIndex(of: ")") else { return part }
    let rest = part[end...].dropFirst()
    return rest.hasPrefix(".") ? rest.dropFirst() : rest
  }.joined()
}
