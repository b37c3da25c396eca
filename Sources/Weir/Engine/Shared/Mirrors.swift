// How the engine's objects show themselves in mirrors.
// No test file: ReflectionTests asks all operators.

extension Mirror {
  /// Shows an object by the labels that Combine gives it, and nothing of what the engine's superclasses keep.
  @usableFromInline
  init<Subject>(of subject: Subject, children: some Collection<Child> = []) {
    self.init(subject, children: children, ancestorRepresentation: .suppressed)
  }

  /// Shows an object by the labels that Combine gives it, and nothing of what the engine's superclasses keep.
  @usableFromInline
  init<Subject>(of subject: Subject, children: KeyValuePairs<String, Any>) {
    self.init(subject, children: children, ancestorRepresentation: .suppressed)
  }
}
