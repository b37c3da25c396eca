// Where in the program a publisher was made, in builds with the trait Inspection.
// No test file: Tests/ConsumerTests/inspection tests what is built with the trait.

#if WEIR_INSPECTION
  import WeirQueues

  /// Where in the program a publisher was made, if inspection was on.
  ///
  /// It is no part of what a publisher is: all are equal.
  public struct _AssemblySite: Sendable, Equatable {
    /// The functions that were being called, and the operator, if it was made into one with others.
    package final class Stack: @unchecked Sendable {
      // SAFETY (Sendable): what changes does so before anybody but its maker knows the publisher.

      /// Where they return to, from the innermost outwards.
      package let addresses = returnAddresses(most: 12)
      /// The operator's name; `nil` if it is that of the publisher's type.
      package fileprivate(set) var name: StaticString?
      /// The type and the place of the operator that came before, in the same step.
      package fileprivate(set) var former: (type: Any.Type, stack: Stack)?

      fileprivate init() {}
    }

    package let stack: Stack?

    /// The line of the program that is being run; nothing if inspection is off.
    @inline(never)
    public static func here() -> _AssemblySite { _AssemblySite(stack: isInspectionOn ? Stack() : nil) }

    /// Whether they are equal, which they are.
    public static func == (left: _AssemblySite, right: _AssemblySite) -> Bool { true }

    /// Notes that an operator has become part of the one that was made here.
    @usableFromInline
    func follow(_ former: _AssemblySite, of type: Any.Type, as name: StaticString) {
      guard let stack, let before = former.stack else { return }
      stack.name = name
      stack.former = (type, before)
    }

    /// No place.
    @usableFromInline static let unknown = _AssemblySite(stack: nil)
  }

  extension Publisher {
    /// Where it was made; not known here.
    @inlinable public var _assembly: _AssemblySite { .unknown }

    /// This publisher, which does what another operator did and one more.
    @_alwaysEmitIntoClient
    public func _fused<Former: Publisher>(with former: Former, as name: StaticString) -> Self {
      _assembly.follow(former._assembly, of: Former.self, as: name)
      return self
    }
  }
#endif
