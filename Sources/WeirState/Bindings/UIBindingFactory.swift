// Makes bindings that stand in for others.

/// Makes a binding for a property that gets its real one later.
public struct UIBindingFactory<Value> {
  private let creator: () -> UIBinding<Value>

  /// Creates a factory.
  ///
  /// - Parameter creator: Makes a binding.
  public init(creator: @escaping () -> UIBinding<Value>) { self.creator = creator }

  /// Makes a binding that traps where it is read, written or subscribed to before it was replaced.
  ///
  ///     @UIBinding(.placeholder) var name: String
  ///     init(state: UIState<User>) { _name = state.observe(\.name) }
  public static var placeholder: Self {
    func trap() -> Never {
      preconditionFailure("a UIBinding made with .placeholder was used before it was replaced: _name = $state.name")
    }
    return Self { UIBinding(get: { trap() }, set: { _ in trap() }) }
  }

  /// The same as ``placeholder``.
  public static var uninitialized: Self { placeholder }

  /// The same as ``placeholder``.
  @available(*, deprecated, renamed: "placeholder", message: "use 'placeholder', which says what it is")
  public static var lazy: Self { placeholder }

  /// Makes a binding.
  public func make() -> UIBinding<Value> { creator() }
}
