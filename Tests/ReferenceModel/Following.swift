// Operators that put another stream, or the same one again, in the place of one that has ended.

/// What comes after a stream.
enum Next {
  case stream(Stream)
  case end(End)
}

extension Model {
  /// An operator with a stream and, depending on how that ends, a successor: append, prepend, catch.
  ///
  /// - Parameter trapping: The operator's name, if a value that it had not asked for is a violation to it; it is
  ///   dropped otherwise.
  func following(
    _ first: @escaping Stream, _ journal: Journal, trapping: String? = nil,
    by successor: @escaping (End) -> Next
  ) -> Stream {
    { down in
      var upstream: Control?
      var wanted = Want.none
      var isOver = false
      var isFollowed = false
      let control = Control(
        request: { more in
          if isOver { return }
          wanted += more
          upstream?.request(more)
        },
        cancel: {
          if isOver { return }
          isOver = true
          upstream?.cancel()
        })
      let last = Receiver(
        begin: { control in
          if isOver { return control.cancel() }
          upstream = control
          isFollowed = true
          if wanted.isSome { control.request(wanted) }
        }, value: { value in isOver ? .none : down.value(value) },
        end: { end in
          if isOver { return }
          isOver = true
          down.end(end)
        })
      first(
        Receiver(
          begin: {
            upstream = $0
            down.begin(control)
          },
          value: { value in
            if isOver { return .none }
            guard wanted.take() else {
              if let trapping { journal.violate(trapping) }
              return .none
            }
            let more = down.value(value)
            wanted += more
            if !isFollowed { return more }
            // The stream has ended meanwhile, and its successor has begun.
            if more.isSome, !isOver { upstream?.request(more) }
            return .none
          },
          end: { end in
            if isOver { return }
            upstream = nil
            switch successor(end) {
            case .stream(let next): next(last)
            case .end(let end):
              isOver = true
              down.end(end)
            }
          }))
    }
  }

  func retry(_ up: @escaping Stream, _ attempts: Int, _ journal: Journal) -> Stream {
    { down in
      var left = attempts
      var upstream: Control?
      var wanted = Want.none
      var isOver = false
      var hasBegun = false
      var isSubscribing = false
      var isDue = false
      func subscribe() {
        up(
          Receiver(
            begin: { control in
              if isOver { return control.cancel() }
              upstream = control
              // What is asked for from now on goes to the stream at once.
              let early = wanted
              if !hasBegun {
                hasBegun = true
                down.begin(
                  Control(
                    request: { more in
                      if isOver { return }
                      wanted += more
                      upstream?.request(more)
                    },
                    cancel: {
                      if isOver { return }
                      isOver = true
                      upstream?.cancel()
                    }))
              }
              if early.isSome { control.request(early) }
            },
            value: { value in
              if isOver { return .none }
              guard wanted.take() else {
                journal.violate("retry")
                return .none
              }
              let more = down.value(value)
              if more.isSome, !isOver {
                wanted += more
                upstream?.request(more)
              }
              return .none
            },
            end: { end in
              if isOver { return }
              guard case .failed = end, left > 0 else {
                isOver = true
                return down.end(end)
              }
              left -= 1
              upstream = nil
              isDue = true
              if isSubscribing { return }
              isSubscribing = true
              while isDue {
                isDue = false
                subscribe()
              }
              isSubscribing = false
            }))
      }
      subscribe()
    }
  }
}
