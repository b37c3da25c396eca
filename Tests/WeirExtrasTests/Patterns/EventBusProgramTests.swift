// Random programs for a bus and its channels, each compared with a list of those who listen.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct EventBusProgramTests {
  private struct Numbered: CasedEvent {
    let number: Int
    var eventCase: Int { number % 3 }
  }

  /// What somebody listens to; the first ones come first.
  private enum Place: Int { case bus, channel, part, eventCase }

  private struct Listener {
    let number: Int
    let place: Place
    let eventCase: Int

    func wants(_ event: Int) -> Bool {
      switch place {
      case .bus, .channel: true
      case .part: event % 2 == 0
      case .eventCase: event % 3 == eventCase
      }
    }

    /// The place in the order of calls: who wants a part listens to everything, and is asked.
    var rank: Int { place == .part ? Place.channel.rawValue : place.rawValue }
  }

  @Test(arguments: 0..<4) func aBusIsAListOfListeners(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let bus = EventBus()
      let log = Shared<[String]>([])
      var (model, expected): ([Listener], [String]) = ([], [])
      var tokens: [Int: AnyCancellable] = [:]
      for step in 0..<20 {
        let chosen = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3:
          let place = Place(rawValue: chosen)!
          let listener = Listener(number: step, place: place, eventCase: Int.random(in: 0..<3, using: &random))
          tokens[step] = listen(listener, bus, log)
          model.append(listener)
        case 3:
          guard let gone = model.randomElement(using: &random) else { continue }
          tokens[gone.number] = nil
          model.removeAll { $0.number == gone.number }
        case 4:
          // Of another type: for those who listen to all.
          bus.send("\(step)")
          expected += model.filter { $0.place == .bus }.map { "\($0.number): ?" }
        default:
          if chosen == 0 { bus.channel(Numbered.self).send(Numbered(number: step)) }
          if chosen > 0 { bus.send(Numbered(number: step)) }
          let heard = model.filter { $0.wants(step) }.sorted { ($0.rank, $0.number) < ($1.rank, $1.number) }
          expected += heard.map { "\($0.number): \(step)" }
        }
        #expect(log.value == expected, "seed \(seed)")
        guard log.value == expected else { return }
      }
    }
  }

  private func listen(_ listener: Listener, _ bus: EventBus, _ log: Shared<[String]>) -> AnyCancellable {
    func note(_ number: Int?) { log.value.append("\(listener.number): \(number.map { "\($0)" } ?? "?")") }
    let channel = bus.channel(Numbered.self)
    switch listener.place {
    case .bus: return bus.events.sink { (event: Any) in note((event as? Numbered)?.number) }
    case .channel: return bus.events(Numbered.self).sink { note($0.number) }
    case .part: return channel.publisher { $0.number % 2 == 0 ? $0.number : nil }.sink { note($0) }
    case .eventCase: return channel.events(for: listener.eventCase).sink { note($0.number) }
    }
  }
}
