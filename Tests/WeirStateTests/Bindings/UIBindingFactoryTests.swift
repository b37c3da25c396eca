// Tests of bindings that stand in for others.

import TestKit
import Testing
import WeirState

@Suite struct UIBindingFactoryTests {
  private struct Screen {
    @UIBinding(.placeholder) var name: String
    @UIBinding(.uninitialized) var age: Int
    init(_ state: UIState<Person>) {
      _name = state.observe(\.name)
      _age = state.observe(\.age)
    }
  }

  @Test func aPlaceholderIsReplacedBeforeItIsUsed() {
    let state = UIState(wrappedValue: Person())
    let screen = Screen(state)
    screen.name = "Bob"
    #expect(state.name == "Bob" && screen.age == 30)
  }

  @Test func aPlaceholderTrapsWhereItIsUsed() async {
    await #expect(processExitsWith: .failure) { _ = UIBindingFactory<Int>.placeholder.make().wrappedValue }
    await #expect(processExitsWith: .failure) { UIBindingFactory<Int>.placeholder.make().wrappedValue = 1 }
  }

  @Test func aFactoryMakesWhatItsClosureMakes() {
    #expect(UIBinding(UIBindingFactory { .constant(3) }).wrappedValue == 3)
  }
}
