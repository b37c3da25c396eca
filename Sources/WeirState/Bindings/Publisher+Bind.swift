// Reactions to changes of parts of a state.

public import Weir

/// Closures that get a value `inout` change the state the diffs come from, as `withLock` does, while it belongs to
/// their thread, also in a task; closures that get a diff or a value run like any other subscriber. A reaction to a
/// part runs when a diff comes without `old`, as the first one does, and whenever the part has changed, as
/// ``DiffedValue/hasChanged(keyPath:)`` says.
extension Publisher where Failure == Never {
  /// Calls a closure with each new value.
  @inlinable
  public func sink<Value>(receiveValue block: @escaping (Value) -> Void) -> AnyCancellable
  where Output == DiffedValue<Value> {
    map(\.new).sink(receiveValue: block)
  }

  /// Calls a closure for each diff, the first included.
  @inlinable
  public func sink<Value>(receiveValue block: @escaping () -> Void) -> AnyCancellable
  where Output == DiffedValue<Value> {
    map { _ in }.sink(receiveValue: block)
  }

  @inlinable
  func changes<Value>(of keyPath: KeyPath<Value, some Equatable>) -> Publishers.Filter<Self>
  where Output == DiffedValue<Value> {
    filter { $0.hasChanged(keyPath: keyPath) }
  }

  /// Changes a part whenever it has changed.
  @inlinable
  public func bind<S: Equatable, Value>(
    to keyPath: WritableKeyPath<Value, S>, onChange: @escaping (inout S) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in
      change.access.change { onChange(&$0[keyPath: keyPath]) }
    }
  }

  /// Changes the value whenever a part has changed.
  @inlinable
  public func bind<Value>(
    to keyPath: KeyPath<Value, some Equatable>, onChange: @escaping (inout Value) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in change.access.change { onChange(&$0) } }
  }

  /// Changes the value for each diff, the first included, until that changes nothing: where each write is a change, as
  /// of a `ValueSubject`, without end.
  @inlinable
  public func bind<Value>(onChange: @escaping (inout Value) -> Void) -> AnyCancellable
  where Output == DiffedValue<Value> {
    sink { (change: Output) in change.access.change { onChange(&$0) } }
  }

  /// Calls a method of the value with a part that has changed: `bind(to: \.name, onChange: Value.nameChanged)`.
  @inlinable
  public func bind<Value, NEW: Equatable>(
    to keyPath: KeyPath<Value, NEW>, onChange: @escaping (Value) -> (NEW) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in
      let new = change.new
      onChange(new)(new[keyPath: keyPath])
    }
  }

  /// Calls a method of the value when a part has changed.
  @inlinable
  public func bind<Value>(
    to keyPath: KeyPath<Value, some Equatable>, onChange: @escaping (Value) -> () -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in onChange(change.new)() }
  }

  /// Changes the value whenever a part has changed, given the part as the diff has it.
  @inlinable
  public func bind<Value, NEW: Equatable>(
    to keyPath: KeyPath<Value, NEW>, onChange: @escaping (inout Value, NEW) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in
      let part = change.new[keyPath: keyPath]
      change.access.change { onChange(&$0, part) }
    }
  }

  /// Calls a closure with each diff.
  @inlinable
  public func bindDiffed<Value>(onChange: @escaping (DiffedValue<Value>) -> Void) -> AnyCancellable
  where Output == DiffedValue<Value> {
    sink { (change: Output) in onChange(change) }
  }

  /// Calls a closure with the diff of the value whenever a part has changed.
  @inlinable
  public func bindDiffed<Value>(
    to keyPath: KeyPath<Value, some Equatable>, onChange: @escaping (DiffedValue<Value>) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in onChange(change) }
  }

  /// Changes the value whenever a part has changed, given the part's diff.
  ///
  /// The diff shows the part as it is when the closure is called, and may be written as well: the part that is written
  /// there is put into the value behind the closure, as a whole. Writing a member of a diff that was kept beyond the
  /// closure is a read and a write, two steps. In CombineExt one of the two is lost.
  @inlinable
  public func bindDiffed<Value, NEW: Equatable>(
    to keyPath: WritableKeyPath<Value, NEW>, onChange: @escaping (inout Value, DiffedValue<NEW>) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in
      let whole = change.access
      let late = whole.part(keyPath)
      whole.change { value in
        let part = Candidate(
          value[keyPath: keyPath], turn: nil, late: .init(read: late.read, write: late.write),
          overwritten: change.overwritten?.map { $0[keyPath: keyPath] })
        onChange(&value, DiffedValue(old: change.old?[keyPath: keyPath], live: part))
        if let written = part.close() { value[keyPath: keyPath] = written }
      }
    }
  }

  /// Changes the value whenever a part that can only be read has changed, given the part's diff, which can't be
  /// written.
  @inlinable
  @_disfavoredOverload
  public func bindDiffed<Value, NEW: Equatable>(
    to keyPath: KeyPath<Value, NEW>, onChange: @escaping (inout Value, DiffedValue<NEW>) -> Void
  ) -> AnyCancellable where Output == DiffedValue<Value> {
    changes(of: keyPath).sink { (change: Output) in
      let part = change.new[keyPath: keyPath]
      let diff = DiffedValue(
        old: change.old?[keyPath: keyPath], snapshot: part, access: Access(turn: nil, read: { part }, write: { _ in }),
        overwritten: change.overwritten?.map { $0[keyPath: keyPath] })
      change.access.change { onChange(&$0, diff) }
    }
  }
}
