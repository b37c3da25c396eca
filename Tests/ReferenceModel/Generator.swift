// Random scenarios, each made of its seed alone.

/// Random numbers that depend on the seed alone: SplitMix64 (Steele, Lea, Flood, 2014).
private struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return range.lowerBound + Int((z ^ (z >> 31)) % UInt64(range.count))
  }

  mutating func happens(oneIn chances: Int) -> Bool { roll(1...chances) == 1 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(0...(elements.count - 1))] }
}

extension Scenario {
  /// Makes up a scenario.
  package init(seed: UInt64) {
    var dice = Dice(seed: seed)
    let sources = (0..<3).map { _ in SourceScript(&dice) }
    let operators = (1...dice.roll(1...6)).map { _ in Operator(&dice) }
    var initial: Want? = dice.happens(oneIn: 3) ? nil : Want(dice.roll(1...3))
    if dice.happens(oneIn: 3) { initial = .all }
    let reactions = (0..<dice.roll(0...6)).map { _ in Reaction(&dice) }
    let actions = (0..<dice.roll(0...12)).map { _ in Action(&dice) }
    self.init(sources: sources, operators: operators, initial: initial, reactions: reactions, actions: actions)
  }
}

extension SourceScript {
  fileprivate init(_ dice: inout Dice) {
    var events = (0..<dice.roll(0...7)).map { _ in ScriptEvent.value(dice.roll(0...60)) }
    switch dice.roll(0...9) {
    case 0...4: events.append(.end(.finished))
    case 5...7: events.append(.end(.failed(Fault(dice.roll(1...30)))))
    default: break
    }
    self.init(isCold: dice.happens(oneIn: 2), events: events)
  }
}

extension Reaction {
  fileprivate init(_ dice: inout Dice) {
    self.init(
      requests: dice.happens(oneIn: 5) ? Want(dice.roll(1...3)) : nil, cancels: dice.happens(oneIn: 25),
      returns: dice.happens(oneIn: 20) ? .all : dice.happens(oneIn: 2) ? Want(dice.roll(1...2)) : .none)
  }
}

extension Action {
  fileprivate init(_ dice: inout Dice) {
    switch dice.roll(0...19) {
    case 0...12: self = .tick(dice.pick([0, 0, 0, 1, 1, 2]))
    case 13...17: self = .request(Want(dice.roll(1...3)))
    case 18: self = .request(.all)
    default: self = .cancel
    }
  }
}

extension Inner {
  fileprivate init(_ dice: inout Dice) {
    switch dice.roll(0...9) {
    case 0...4: self = .numbers(dice.roll(0...4))
    case 5: self = .failing
    default: self = .source(dice.roll(1...2))
    }
  }
}

extension Operator {
  fileprivate init(_ dice: inout Dice) {
    let group = dice.roll(0...4)
    switch group {
    case 0: self = .ofEachValue(&dice)
    case 1: self = .ofOneValue(&dice)
    case 2: self = .ofEnds(&dice)
    default: self = .ofStreams(&dice)
    }
  }

  private static func ofEachValue(_ dice: inout Dice) -> Operator {
    let (small, bad, limit) = (dice.roll(2...4), dice.roll(5...40), dice.roll(5...60))
    let position = dice.roll(0...4)
    return dice.pick([
      .map(small), .tryMap(bad), .mapError(small), .filter(small), .tryFilter(small, bad), .compactMap(small),
      .tryCompactMap(small, bad), .replaceNil(small), .scan, .tryScan(bad), .removeDuplicates(20),
      .tryRemoveDuplicates(20, bad), .collectByCount(dice.roll(1...3)), .prefix(position), .prefixWhile(limit),
      .tryPrefixWhile(limit, bad), .dropFirst(position), .dropWhile(limit), .tryDropWhile(limit, bad),
      .outputAt(position), .outputIn(position, position + dice.roll(0...3)), .handleEvents,
    ])
  }

  private static func ofOneValue(_ dice: inout Dice) -> Operator {
    let (small, bad) = (dice.roll(2...4), dice.roll(5...40))
    return dice.pick([
      .collect, .reduce, .tryReduce(bad), .count, .ignoreOutput, .minimum, .maximum, .tryMinimum(bad),
      .tryMaximum(bad), .first, .firstWhere(small), .tryFirstWhere(small, bad), .last, .lastWhere(small),
      .tryLastWhere(small, bad), .contains(dice.roll(0...60)), .containsWhere(small), .tryContainsWhere(small, bad),
      .allSatisfy(small), .tryAllSatisfy(small, bad), .collectByCount(dice.roll(1...3)),
    ])
  }

  private static func ofEnds(_ dice: inout Dice) -> Operator {
    let values = (0..<dice.roll(0...3)).map { 100 + $0 }
    let source = dice.roll(1...2)
    return dice.pick([
      .replaceEmpty(70), .replaceError(71), .catch(Inner(&dice)), .tryCatch(Inner(&dice), dice.roll(2...4)),
      .retry(dice.roll(0...3)), .append(values), .prepend(values), .appendSource(source), .prependSource(source),
      .prefixUntil(source), .dropUntil(source),
    ])
  }

  private static func ofStreams(_ dice: inout Dice) -> Operator {
    let source = dice.roll(1...2)
    return dice.pick([
      .merge(source), .merge3(1, 2), .zip(source), .zip3(1, 2), .combineLatest(source), .combineLatest3(1, 2),
      .flatMap(dice.pick([.all, Want(1), Want(2)]), Inner(&dice)), .switchToLatest(Inner(&dice)),
      .buffer(dice.roll(1...3), keepsFull: dice.happens(oneIn: 2), dice.pick(WhenFull.allCases)), .share, .mergeShared,
      .zipShared,
    ])
  }
}
