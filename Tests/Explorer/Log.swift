// What happens in a run, line by line, for people.

/// Describes the steps of a run.
final class Log {
  private let print: (String) -> Void
  /// Addresses in the order of their appearance: they are called p1, p2, ... so that a run reads the same every time.
  private var addresses: [Int] = []
  private var count = 0

  init(_ print: @escaping (String) -> Void) { self.print = print }

  func reset() {
    addresses = []
    count = 0
  }

  func note(_ text: String) { print(text) }

  func note(_ thread: SimulatedThread, _ text: String) {
    count += 1
    print(pad("\(count)", 4) + pad(thread.name, 12) + text)
  }

  func note(_ thread: SimulatedThread, _ text: String, _ value: Int, _ remark: String, _ place: Place? = nil) {
    let isWordless = text.hasSuffix(" ")
    var line = isWordless && !text.contains("= ") && !text.contains(": ") ? text : text + describe(value) + " "
    line += remark
    note(thread, pad(line, 46) + describe(place))
  }

  func note(_ thread: SimulatedThread, _ operation: Operation, _ word: Word, _ old: Int, _ new: Int?, _ place: Place) {
    let change = new.map { "\(describe(old)) -> \(describe($0))" } ?? "\(describe(old)), fails"
    note(thread, pad("\(operation.rawValue) w\(word.number): \(change)", 46) + describe(place))
  }

  private func describe(_ place: Place?) -> String {
    guard let place else { return "" }
    let file = "\(place.file)".split(separator: "/").last ?? ""
    return "\(file):\(place.line) \(place.function)"
  }

  private func describe(_ value: Int) -> String {
    if value == .max { return "max" }
    if value == .min { return "min" }
    guard value > 0xFFFF_FFFF else { return "\(value)" }
    let tag = value & 15, address = value - tag
    let number = addresses.firstIndex(of: address) ?? addresses.count
    if number == addresses.count { addresses.append(address) }
    return "p\(number + 1)" + (tag == 0 ? "" : "+\(tag)")
  }
}

package func pad(_ text: String, _ width: Int) -> String {
  text.count < width ? text + String(repeating: " ", count: width - text.count) : text + " "
}
