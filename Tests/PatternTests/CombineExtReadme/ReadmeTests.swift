// "CombineExt", the README: all its examples, in its order.
// Long file: the document is.
//
// Corrected, each where it stands below: `pair.old` is optional; nothing declares `model.send(.increment)`; what
// `@UIState` keeps is `Equatable`; `vm2`, which is changed, is a variable; the currency is that of a locale, not of the
// machine; the counter's `count` lives outside of its closure, where it counts; `SafeBinding<T>` needs `any`;
// `withLock` belongs to `$state`, not to the value; `state.count = state.count + 1` is no atomic step. UIKit's types
// have stand-ins that keep the texts; types that the README leaves out are made up; `print` is the tests' own.
// Left out: `swift test` and the installation, which are no Swift.

import Combine
import Foundation
import TestKit
import Testing
import WeirExtras
import WeirState

private struct CounterModel: BehavioralStateContract {
  var displayText: String = "0"
  var count: Int = 0
  var isOdd: Bool = false

  mutating func applyRules() { isOdd = count % 2 != 0 }

  // The README writes `pair.old.count`; `old` is optional.
  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.bindDiffed(to: \.count) { pair in
      pair.new.displayText = "was: \(pair.old?.count ?? 0) - now: \(pair.new.count)"
    }
  }

  @NotificationBuilder
  static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken] {
    // External observers (e.g., NotificationCenter)
  }
}

// The README's is not `Equatable`, which `@UIState` asks for.
private struct ViewState: Equatable { var isOn: Bool }

/// A view controller's bases and controls.
private class UIViewController { func viewDidLoad() {} }
private final class UITextField { var text: String? = "" }
private final class UILabel { var text: String? = "" }
private final class UIButton { let tapPublisher = PassthroughSubject<UIButton, Never>() }

private struct LoginState: BehavioralStateContract {
  var username: String = ""
  var password: String = ""
  var status: String = ""
  @IgnoredState var isLoading = false

  mutating func applyRules() {
    if username.isEmpty || password.isEmpty {
      status = "Please fill all fields"
    } else {
      status = "Ready to login"
    }
  }

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.bind(to: \.username) { model in
      model.status = "Username updated"
    }
    state.bindDiffed(to: \.password) { model, diff in
      print("Password changed from \(diff.old?.count ?? 0) to \(diff.new.count) characters")
    }
  }
}

private final class LoginViewModel: ObservableObject {
  @ManagedState var state = LoginState()
  private var cancellables = Set<AnyCancellable>()

  init() {
    // Observe state changes
    $state.publisher
      .sink { diff in
        print("State changed from \(diff.old?.status ?? "nil") to \(diff.new.status)")
      }
      .store(in: &cancellables)
  }
}

private final class LoginVC: UIViewController {
  let viewModel = LoginViewModel()
  let (statusLabel, usernameField) = (UILabel(), UITextField())
  @UIState var validationMessages = ["Username required", "Password too short", "Invalid email"]
  private var bag = Set<AnyCancellable>()

  override func viewDidLoad() {
    super.viewDidLoad()
    setupBindings()
  }

  private func setupBindings() {
    // Observe status changes
    viewModel.$state.status
      .sink { [weak self] status in
        self?.statusLabel.text = status
      }
      .store(in: &bag)

    // Observe username changes with diff
    viewModel.$state.publisher
      .bindDiffed(to: \.username) { [weak self] model, diff in
        self?.usernameField.text = diff.new
        print("Username changed from '\(diff.old ?? "")' to '\(diff.new)'")
      }
      .store(in: &bag)

    // Safe array access for validation messages; the README declares them as a local constant, which has no `$`
    let messageBinding = $validationMessages.safe(0, default: "No message")
    messageBinding.wrappedValue = "Ready to validate"
  }

  func usernameChanged(_ sender: UITextField) {
    viewModel.state.username = sender.text ?? ""
  }

  func passwordChanged(_ sender: UITextField) {
    viewModel.state.password = sender.text ?? ""
  }
}

@Suite struct ReadmeTests {
  @Test func managedStateForReactiveModels() {
    var cancellables: Set<AnyCancellable> = []
    var printed: [Int] = []
    @ManagedState var model = CounterModel()
    $model.sink { printed.append($0.count) }.store(in: &cancellables)
    // The README calls `model.send(.increment)`, which nothing declares.
    model.count += 1
    #expect(printed == [0, 1])
    #expect(model == .init(displayText: "was: 0 - now: 1", count: 1, isOdd: true))
  }

  @Test func dynamicCallableOfManagedState() {
    @ManagedState var model = CounterModel()
    let binding = $model()
    let countBinding = $model(\.count)
    let displayBinding = $model(\.displayText)
    countBinding.wrappedValue = 10
    displayBinding.wrappedValue = "Updated"
    #expect(binding.wrappedValue == .init(displayText: "Updated", count: 10, isOdd: false))
  }

  @Test func uiStateAndUIBinding() {
    var cancellables: Set<AnyCancellable> = []
    var printed: [Bool] = []
    @UIState var state = ViewState(isOn: false)
    $state.isOn
      .sink { printed.append($0) }
      .store(in: &cancellables)
    state.isOn = true
    #expect(printed == [false, true])
    var text = ""
    $state.isOn.sink { Swift.print("Toggle is now:", $0, to: &text) }.store(in: &cancellables)
    #expect(text == "Toggle is now: true\n")
  }

  @Test func dynamicCallableOfUIState() {
    @UIState var state = ViewState(isOn: false)
    let binding = $state()
    let isOnBinding = $state(\.isOn)
    isOnBinding.wrappedValue = true
    #expect(binding.wrappedValue == ViewState(isOn: true))
  }

  @Test func safeCollectionAccessWithDefault() {
    @UIState var names: [String?] = ["A", "B"]
    let name = $names.safe(10, default: "Fallback")
    #expect(name.wrappedValue == "Fallback")
  }

  @Test func valueSubject() {
    struct Form { var name: String }
    var cancellables: Set<AnyCancellable> = []
    var printed = ""
    @ValueSubject var form = Form(name: "")
    $form.name
      .sink { Swift.print("Name changed to:", $0, to: &printed) }
      .store(in: &cancellables)
    form.name = "Nik"
    #expect(printed == "Name changed to: \nName changed to: Nik\n")
  }

  @Test func dynamicCallableOfValueSubject() {
    struct User {
      var name: String = "John"
      var age: Int = 25
    }
    @ValueSubject var user = User()
    let binding = $user()
    let nameBinding = $user(\.name)
    let ageBinding = $user(\.age)
    nameBinding.wrappedValue = "Jane"
    ageBinding.wrappedValue = 30
    #expect(binding.wrappedValue.name == "Jane" && user.age == 30)
  }

  @Test func ignoredStateForTransientData() {
    final class DataCache {}
    struct ViewModel: Equatable {
      var title: String = "Hello"
      @IgnoredState var cache = DataCache()
      @IgnoredState var timer: Timer?
    }
    let vm1 = ViewModel()
    var vm2 = ViewModel()
    vm2.cache = DataCache()
    #expect(vm1 == vm2)
  }

  @Test func dynamicCallableOfIgnoredState() {
    // Wrapping closures - enables direct call syntax
    @IgnoredState var formatter: (Double) -> String = { value in
      let formatter = NumberFormatter()
      formatter.numberStyle = .currency
      // The README leaves this to the machine.
      formatter.locale = Locale(identifier: "en_US")
      return formatter.string(from: NSNumber(value: value)) ?? "\(value)"
    }

    // Call the wrapped closure directly
    let price = formatter(99.99)  // "$99.99"
    #expect(price == "$99.99")
    // In the README `count` is inside the closure, which therefore returns 1 for ever.
    var count = 0
    @IgnoredState var counter: () -> Int = {
      count += 1
      return count
    }
    #expect(counter() == 1)
    #expect(counter() == 2)
  }

  @Test func ignoredStateWithCustomIDs() {
    struct Model: Hashable {
      @IgnoredState(id: 1) var cache1 = Data()
      @IgnoredState(id: 2) var cache2 = Data()
    }
    #expect(Model().hashValue == Model(cache1: Data([1])).hashValue)
  }

  @Test func diffedValueForStateTransitions() {
    var cancellables: Set<AnyCancellable> = []
    var printed: [String] = []
    @UIState var counter = 0
    $counter.publisher
      .sink { diff in
        printed.append("Changed from \(diff.old ?? 0) to \(diff.new)")
      }
      .store(in: &cancellables)
    counter = 5
    #expect(printed == ["Changed from 0 to 0", "Changed from 0 to 5"])
  }

  @Test func dynamicMemberAccessOfDiffs() {
    struct User: Equatable { var name: String; var age: Int }
    var cancellables: Set<AnyCancellable> = []
    var printed: [String] = []
    @UIState var user = User(name: "Alice", age: 30)
    $user.publisher
      .sink { diff in
        diff.name = "Updated Name"
        printed.append("Age: \(diff.age)")
      }
      .store(in: &cancellables)
    #expect(user == User(name: "Updated Name", age: 30))
    #expect(printed == ["Age: 30", "Age: 30"])
  }

  @Test func filteringAndMapping() {
    var cancellables: Set<AnyCancellable> = []
    let button = UIButton()
    let lines = printed {
      // Filter out nil values
      Just<String?>(nil)
        .filterNils()
        .sink { print($0) }  // Won't be called
        .store(in: &cancellables)

      Just("Hello")
        .filterNils()
        .sink { print($0) }  // Prints "Hello"
        .store(in: &cancellables)

      // Map to Void for side effects
      button.tapPublisher
        .mapVoid()
        .sink { print("Button tapped") }
        .store(in: &cancellables)
      button.tapPublisher.send(button)
    }
    #expect(lines == ["Hello", "Button tapped"])
  }

  @Test func advancedBindingMethods() {
    struct Profile: Equatable { var name = "ann" }
    struct Model: BehavioralStateContract {
      var username = ""
      var count = 0
      var lastUpdated = 0
      var profile = Profile()
      var readOnlyProperty: String { "<\(username)>" }
      var computedProperty: String { "[\(username)]" }
    }
    var cancellables: Set<AnyCancellable> = []
    var printed: [String] = []
    let state = ManagedState(wrappedValue: Model())
    state.bind(to: \.username) { model in
      model.lastUpdated += 1
    }.store(in: &cancellables)
    state.bindDiffed(to: \.count) { model, diff in
      printed.append("Count changed from \(diff.old ?? 0) to \(diff.new)")
    }.store(in: &cancellables)
    state.bind(to: \.profile.name) { name in
      name = name.uppercased()
    }.store(in: &cancellables)
    state.bind(to: \.readOnlyProperty) { value in
      printed.append("Read-only property changed to: \(value.username)")
    }.store(in: &cancellables)
    state.bindDiffed(to: \.computedProperty) { model, diff in
      printed.append("Computed property changed from \(diff.old ?? "nil") to \(diff.new)")
    }.store(in: &cancellables)
    printed = []
    state.username = "nik"
    state.wrappedValue.count = 3
    #expect(state.wrappedValue == Model(username: "nik", count: 3, lastUpdated: 2, profile: Profile(name: "ANN")))
    #expect(
      printed == [
        "Read-only property changed to: nik", "Computed property changed from [] to [nik]",
        "Count changed from 0 to 3",
      ])
  }

  @Test func combineLatest5() {
    var cancellables: Set<AnyCancellable> = []
    let lines = printed {
      let name = PassthroughSubject<String, Never>()
      let age = PassthroughSubject<Int, Never>()
      let email = PassthroughSubject<String, Never>()
      let isActive = PassthroughSubject<Bool, Never>()
      let lastLogin = PassthroughSubject<Date, Never>()

      Publishers.CombineLatest5(name, age, email, isActive, lastLogin)
        .sink { name, age, email, isActive, lastLogin in
          print("User: \(name), \(age), \(email), active: \(isActive)")
        }
        .store(in: &cancellables)
      name.send("Nik")
      age.send(30)
      email.send("nik@example.org")
      isActive.send(false)
      lastLogin.send(Date(timeIntervalSince1970: 0))
      isActive.send(true)
    }
    #expect(
      lines == ["User: Nik, 30, nik@example.org, active: false", "User: Nik, 30, nik@example.org, active: true"])
  }

  @Test func zip5() {
    var cancellables: Set<AnyCancellable> = []
    let lines = printed {
      let step1 = PassthroughSubject<String, Never>()
      let step2 = PassthroughSubject<String, Never>()
      let step3 = PassthroughSubject<String, Never>()
      let step4 = PassthroughSubject<String, Never>()
      let step5 = PassthroughSubject<String, Never>()

      Publishers.Zip5(step1, step2, step3, step4, step5)
        .sink { step1, step2, step3, step4, step5 in
          print("All steps completed: \([step1, step2, step3, step4, step5])")
        }
        .store(in: &cancellables)
      for (number, step) in [step1, step2, step3, step4, step5].enumerated() { step.send("\(number + 1)") }
    }
    #expect(lines == [#"All steps completed: ["1", "2", "3", "4", "5"]"#])
  }

  @Test func safeCollectionAccess() {
    @UIState var items = ["A", "B", "C"]
    let item = $items.safe(10, default: "Not Found")
    #expect(item.wrappedValue == "Not Found")
    let safeItem = $items.safe(1)
    #expect(safeItem.wrappedValue == "B")
    let unsafeItem = $items.unsafe(1)
    #expect(unsafeItem.wrappedValue == "B")
    let bindings = $items.bindingArray()
    bindings[0].wrappedValue = "Updated"
    #expect(items == ["Updated", "B", "C"])
  }

  @Test func eventSubjectAndActionSubject() {
    let messageSubject: EventSubject<String> = .init()
    let didTapButton = ActionSubject()
    var log: [String] = []
    var cancellables: Set<AnyCancellable> = []
    messageSubject.sink { log.append($0) }.store(in: &cancellables)
    didTapButton.sink { log.append("tap") }.store(in: &cancellables)
    messageSubject.send("Hello World")
    didTapButton.send(())
    #expect(log == ["Hello World", "tap"])
  }

  @Test func safeBindingProtocol() {
    var cancellables: Set<AnyCancellable> = []
    var log: [Any] = []
    // The README leaves out `any`, and the protocol there names no primary type.
    func observeState<T>(_ binding: any SafeBinding<T>) {
      binding.justNew()
        .sink { newValue in log.append(newValue) }
        .store(in: &cancellables)
    }
    @UIState var uiState = 1
    @ManagedState var managedState = CounterModel()
    @ValueSubject var valueSubject = "three"
    observeState($uiState)
    observeState($managedState)
    observeState($valueSubject)
    #expect(log.count == 3 && log[0] as? Int == 1 && log[2] as? String == "three")
  }

  @Test func mvvmExample() {
    var screen: LoginVC?
    let lines = printed {
      screen = LoginVC()
      screen?.viewDidLoad()
      let (name, password) = (UITextField(), UITextField())
      name.text = "nik"
      password.text = "secret"
      screen?.usernameChanged(name)
      screen?.passwordChanged(password)
    }
    #expect(screen?.statusLabel.text == "Ready to login")
    #expect(screen?.usernameField.text == "nik")
    #expect(screen?.validationMessages[0] == "Ready to validate")
    #expect(
      lines.filter { $0.hasPrefix("State") } == [
        "State changed from nil to Please fill all fields",
        "State changed from Please fill all fields to Please fill all fields",
        "State changed from Please fill all fields to Ready to login",
      ])
    #expect(
      lines.filter { $0.hasPrefix("Username") } == [
        "Username changed from '' to ''", "Username changed from '' to 'nik'",
      ])
    #expect(lines.contains("Password changed from 0 to 6 characters"))
  }

  @Test func managedStateLocking() {
    @ManagedState var first = CounterModel()
    @ManagedState(lock: .absent) var second = CounterModel()
    @ManagedState(lock: .custom(NSRecursiveLock())) var third = CounterModel()
    first.count = 1
    second.count = 1
    third.count = 1
    #expect(first == second && second == third)
  }

  @Test func threadSafetyAndRaceConditions() {
    @ManagedState var state = CounterModel()
    let storage = $state
    onThreads(4) { _ in
      for _ in 0..<100 {
        // The README says that this is not safe; with these states it is one step.
        storage.wrappedValue.count += 1
        storage.withLock { value in  // Atomic operation
          value.count += 1
        }
      }
    }
    #expect(state.count == 800)
    // The README calls this safe; it is two steps, which one thread may well make.
    state.count = state.count + 1  // Direct assignment
    #expect(state.count == 801)
  }

  @Test func atomicOperationsWithWithLock() {
    struct CounterModel: BehavioralStateContract {
      var count = 0
      var lastUpdated = Date(timeIntervalSince1970: 0)
      var isEven = true
      var displayText = ""
    }
    @ManagedState var counter = CounterModel()

    // Atomic increment
    $counter.withLock { value in
      value.count += 1
      value.lastUpdated = Date()
    }

    // Complex atomic operations
    $counter.withLock { value in
      value.count += 1
      value.isEven = value.count % 2 == 0
      value.displayText = "Count: \(value.count)"
    }
    #expect(counter.count == 2 && counter.isEven && counter.displayText == "Count: 2")
    #expect(counter.lastUpdated > Date(timeIntervalSince1970: 0))
  }

  /// The settings are the process's: it has one of its own.
  @Test func cyclicDependencyDetection() async {
    await #expect(processExitsWith: .success) {
      // Disable warnings in tests
      ManagedStateCyclicDependencyWarning = false
      ManagedStateCyclicDependencyMaxDepth = 50
      precondition(!ManagedStateCyclicDependencyWarning && ManagedStateCyclicDependencyMaxDepth == 50)
    }
  }
}
