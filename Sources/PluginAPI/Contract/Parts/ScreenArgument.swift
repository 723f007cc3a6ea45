/// The name and type of an argument of a screen or of a screen's action.
///
/// The code that opens the screen and the code that reads the argument use the same declaration:
///
/// ```swift
/// enum ViewerArgument {
///   static let molecule = ScreenArgument<Int>("molecule")
/// }
/// …
/// ScreenRequest("viewer").with(ViewerArgument.molecule, 7)
/// …
/// let molecule = request.arguments[ViewerArgument.molecule]   // Int?
/// ```
public struct ScreenArgument<Content: Sendable>: Sendable {
  /// The name, in kebab-case.
  public let name: String
  private let read: @Sendable (Value) -> Content?
  private let write: @Sendable (Content) -> Value

  /// Creates an argument from its name and the functions between its type and values.
  ///
  /// - Parameters:
  ///   - name: The name, in kebab-case.
  ///   - read: Returns the content of a value; nil if the value does not fit.
  ///   - write: Returns the value of a content.
  public init(
    _ name: String, read: @escaping @Sendable (Value) -> Content?, write: @escaping @Sendable (Content) -> Value
  ) {
    (self.name, self.read, self.write) = (name, read, write)
  }

  /// Returns the content of a value; nil if the value does not fit.
  public func content(of value: Value) -> Content? { read(value) }

  /// Returns the value of a content.
  public func value(of content: Content) -> Value { write(content) }
}

extension ScreenArgument where Content: ParameterValue {
  /// Creates an argument of a type that arguments and options of commands may have.
  @inlinable public init(_ name: String) {
    self.init(name, read: { Content(parameterValue: $0) }, write: { $0.parameterValue })
  }
}

extension ScreenArgument where Content == Bool {
  /// Creates an argument that is true or false.
  @inlinable public init(_ name: String) {
    self.init(name, read: { $0.bool }, write: { .bool($0) })
  }
}

extension Record {
  /// The typed value of an argument; nil if it is missing or of another type, as key maps and scripts may write it.
  @inlinable public subscript<Content>(_ argument: ScreenArgument<Content>) -> Content? {
    get { self[argument.name].flatMap { argument.content(of: $0) } }
    set { self[argument.name] = newValue.map { argument.value(of: $0) } }
  }
}

extension ScreenRequest {
  /// Returns the same request with an argument; without it if the value is nil.
  @inlinable public func with<Content>(_ argument: ScreenArgument<Content>, _ value: Content?) -> ScreenRequest {
    var copy = self
    copy.arguments[argument] = value
    return copy
  }
}

extension ScreenAction {
  /// Creates an action of a screen whose actions are the cases of an enum.
  ///
  /// The raw value of the case is the id of the action:
  ///
  /// ```swift
  /// enum Action: String, CaseIterable { case turn, undo }
  /// static let actions = [ScreenAction(Action.undo, "Undo the last change", keys: ["u"])]
  /// …
  /// guard let action = Action(rawValue: invocation.action) else { return [] }
  /// switch action { … }
  /// ```
  @inlinable public init<Action: RawRepresentable>(
    _ action: Action, _ title: String, keys: [String] = [], arguments: Record = Record()
  ) where Action.RawValue == String {
    self.init(action.rawValue, title, keys: keys, arguments: arguments)
  }

  /// Returns the same action with an argument; without it if the value is nil.
  @inlinable public func with<Content>(_ argument: ScreenArgument<Content>, _ value: Content?) -> ScreenAction {
    var copy = self
    copy.arguments[argument] = value
    return copy
  }
}
