// The model's graph: what passes between each operator and the next one.

/// What passes between a stream of the model and its subscriber.
package final class Wire {
  /// Which stream it is.
  package let name: String
  /// How many streams of the pipeline lie between it and the target.
  package let depth: Int
  package fileprivate(set) var requested = Want.none
  package fileprivate(set) var delivered = 0
  package fileprivate(set) var isActive = false
  private var isOver = false

  fileprivate init(_ name: String, depth: Int) {
    self.name = name
    self.depth = depth
  }

  fileprivate func begin() { isActive = !isOver }

  fileprivate func end() {
    isOver = true
    isActive = false
  }
}

/// All wires of a pipeline.
package final class Wiring {
  private var wires: [Wire] = []

  package init() {}

  /// Those that values may pass.
  package var active: [Wire] { wires.filter(\.isActive) }

  /// A stream that notes what passes, for each of its subscribers.
  func noting(_ stream: @escaping Stream, _ name: String, depth: Int) -> Stream {
    { [self] down in
      let wire = Wire(name, depth: depth)
      wires.append(wire)
      stream(
        Receiver(
          begin: { control in
            wire.begin()
            down.begin(
              Control(
                request: {
                  wire.requested += $0
                  control.request($0)
                },
                cancel: {
                  wire.end()
                  control.cancel()
                }))
          },
          value: { value in
            wire.delivered += 1
            let more = down.value(value)
            wire.requested += more
            return more
          },
          end: {
            wire.end()
            down.end($0)
          }))
    }
  }
}

extension Scenario {
  /// What the model does, with all that passes noted.
  ///
  /// - Parameters:
  ///   - wiring: Notes it.
  ///   - look: Called with each line of the journal.
  package func runModel(noting wiring: Wiring, _ look: @escaping (String) -> Void) -> Journal {
    run { sources, target, journal in
      journal.look = look
      func named(_ depth: Int) -> [Stream] { sources.map { wiring.noting($0.stream, "source", depth: depth) } }
      var stream = named(operators.count)[0]
      for (index, next) in operators.enumerated() {
        let depth = operators.count - index - 1
        let model = Model(sources: named(depth + 1), journal: journal)
        stream = wiring.noting(model.apply(next, to: stream), "\(next)", depth: depth)
      }
      stream(target.receiver)
    }
  }
}
