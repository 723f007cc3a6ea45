/// An argument or option of a command, with the type of its values.
///
/// ```swift
/// static let station = Argument("station", String.self, "Name of the station")
///   .completed(by: "list", column: "name")
/// static let step = Option("step", in: 1...1440, "Minutes between heights", unit: "minute", default: 60)
/// …
/// let minutes = call[step]   // Int
/// ```
public protocol CommandInput: Sendable {
  /// The type of the value in a call.
  associatedtype Content: Sendable

  /// The name, kind, wording and default.
  var parameter: Parameter { get set }

  /// A Boolean value indicating whether the input is positional.
  static var isPositional: Bool { get }

  /// Creates an input from its parts.
  init(_ parameter: Parameter, read: @escaping @Sendable (Value) -> Content?)

  /// Returns the typed value from a checked call.
  ///
  /// - Returns: nil if the value does not fit, which a call that the host has checked never contains.
  func content(of value: Value) -> Content?
}

extension CommandInput {
  /// Returns the same input, completed on the command line with the values that a command lists.
  ///
  /// ```swift
  /// static let station = Argument("station", String.self, "Name of the station")
  ///   .completed(by: "list", column: "name", summaryColumn: "latitude")
  /// ```
  ///
  /// The host refuses the plugin with the error `host.plugin-bad-contributions` if the plugin has no such command, if
  /// the command needs arguments or does more than read, or if its table lacks a column.
  ///
  /// - Parameters:
  ///   - command: The name of a command of the same plugin that only reads and needs no arguments.
  ///   - column: The column of its table that holds the values.
  ///   - summaryColumn: The column that describes each value in a line; nil for none.
  ///   - otherColumns: Columns with other names for the same values. They are offered once a name is begun.
  @inlinable public func completed(
    by command: String, column: String, summaryColumn: String? = nil, otherColumns: [String] = []
  ) -> Self {
    var copy = self
    copy.parameter = parameter.completed(
      by: command, column: column, summaryColumn: summaryColumn, otherColumns: otherColumns)
    return copy
  }

  /// Returns the same input, marked as personal data.
  @inlinable public func personal() -> Self {
    var copy = self
    copy.parameter.isPersonal = true
    return copy
  }

  /// Returns the same input with another summary, for a command in which it has another meaning.
  @inlinable public func summarized(_ summary: String) -> Self {
    var copy = self
    copy.parameter.summary = summary
    return copy
  }
}

extension CommandInput {
  @inlinable init(single parameter: Parameter) where Content: ParameterValue {
    self.init(parameter) { Content(parameterValue: $0) }
  }

  @inlinable init<Wrapped: ParameterValue>(optional parameter: Parameter) where Content == Wrapped? {
    self.init(parameter) { $0.isNull ? .some(nil) : Wrapped(parameterValue: $0).map(Swift.Optional.some) }
  }

  @inlinable init<Element: ParameterValue>(list parameter: Parameter) where Content == [Element] {
    self.init(parameter) { value in
      let values = value.isNull ? [] : value.list ?? [value]
      let contents = values.compactMap { Element(parameterValue: $0) }
      return contents.count == values.count ? contents : nil
    }
  }
}

/// A Swift type that can be the value of an argument or option.
public protocol ParameterValue: Sendable {
  /// The kind of parameter.
  static var parameterKind: Parameter.Kind { get }

  /// Creates an instance from a checked value.
  init?(parameterValue: Value)

  /// The value form.
  var parameterValue: Value { get }
}

/// A positional argument.
public struct Argument<Content: Sendable>: CommandInput {
  /// The name, kind, wording and default.
  public var parameter: Parameter
  private let read: @Sendable (Value) -> Content?

  /// True: arguments are positional.
  public static var isPositional: Bool { true }

  /// Creates an argument from its parts.
  public init(_ parameter: Parameter, read: @escaping @Sendable (Value) -> Content?) {
    (self.parameter, self.read) = (parameter, read)
  }

  /// Returns the typed value from a checked call.
  public func content(of value: Value) -> Content? { read(value) }
}

/// A named option.
public struct Option<Content: Sendable>: CommandInput {
  /// The name, kind, wording and default.
  public var parameter: Parameter
  private let read: @Sendable (Value) -> Content?

  /// False: options are named.
  public static var isPositional: Bool { false }

  /// Creates an option from its parts.
  public init(_ parameter: Parameter, read: @escaping @Sendable (Value) -> Content?) {
    (self.parameter, self.read) = (parameter, read)
  }

  /// Returns the typed value from a checked call.
  public func content(of value: Value) -> Content? { read(value) }
}

extension Argument {
  /// Creates a required argument.
  @inlinable public init(
    _ name: String, _ type: Content.Type, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil
  ) where Content: ParameterValue {
    self.init(single: Parameter(name, kind ?? Content.parameterKind, summary, unit: unit, isRequired: true))
  }

  /// Creates an optional argument.
  @inlinable public init<Wrapped: ParameterValue>(
    _ name: String, optional type: Wrapped.Type, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil
  ) where Content == Wrapped? {
    self.init(optional: Parameter(name, kind ?? Wrapped.parameterKind, summary, unit: unit))
  }

  /// Creates an argument that may be given any number of times.
  @inlinable public init<Element: ParameterValue>(
    _ name: String, list type: Element.Type, kind: Parameter.Kind? = nil, _ summary: String, isRequired: Bool = false
  ) where Content == [Element] {
    self.init(
      list: Parameter(name, kind ?? Element.parameterKind, summary, isRequired: isRequired, isRepeatable: true))
  }
}

extension Option {
  /// Creates an option with a default.
  @inlinable public init(
    _ name: String, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil, default content: Content
  ) where Content: ParameterValue {
    self.init(
      single: Parameter(
        name, kind ?? Content.parameterKind, summary, unit: unit, defaultValue: content.parameterValue))
  }

  /// Creates an option without a default.
  @inlinable public init<Wrapped: ParameterValue>(
    _ name: String, _ type: Wrapped.Type, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil
  ) where Content == Wrapped? {
    self.init(optional: Parameter(name, kind ?? Wrapped.parameterKind, summary, unit: unit))
  }

  /// Creates an option that may be given any number of times.
  @inlinable public init<Element: ParameterValue>(
    _ name: String, list type: Element.Type, kind: Parameter.Kind? = nil, _ summary: String
  ) where Content == [Element] {
    self.init(list: Parameter(name, kind ?? Element.parameterKind, summary, isRepeatable: true))
  }
}

extension Option<Bool> {
  /// Creates a flag; it is false unless given.
  public init(flag name: String, _ summary: String) {
    self.init(Parameter(name, .flag, summary)) { $0.bool }
  }
}

extension Option<Int> {
  /// Creates an option for a whole number between two bounds, with a default.
  public init(
    _ name: String, in bounds: ClosedRange<Int>, _ summary: String, unit: String? = nil, default content: Int
  ) {
    self.init(
      name, kind: .integer(minimum: bounds.lowerBound, maximum: bounds.upperBound), summary, unit: unit,
      default: content)
  }
}

extension Option<Double> {
  /// Creates an option for a number between two bounds, with a default.
  public init(
    _ name: String, in bounds: ClosedRange<Double>, _ summary: String, unit: String? = nil, default content: Double
  ) {
    self.init(
      name, kind: .number(minimum: bounds.lowerBound, maximum: bounds.upperBound), summary, unit: unit, default: content
    )
  }
}

extension String: ParameterValue {
  /// Any text.
  public static var parameterKind: Parameter.Kind { .text }
  /// Creates a text.
  public init?(parameterValue value: Value) {
    guard let text = value.text else { return nil }
    self = text
  }
  /// The text.
  public var parameterValue: Value { .text(self) }
}

extension Int: ParameterValue {
  /// Any whole number.
  public static var parameterKind: Parameter.Kind { .integer(minimum: .min, maximum: .max) }
  /// Creates a number.
  public init?(parameterValue value: Value) {
    guard let integer = value.integer else { return nil }
    self = integer
  }
  /// The number.
  public var parameterValue: Value { .integer(self) }
}

extension Double: ParameterValue {
  /// Any finite number.
  public static var parameterKind: Parameter.Kind {
    .number(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)
  }
  /// Creates a number.
  public init?(parameterValue value: Value) {
    guard let number = value.number else { return nil }
    self = number
  }
  /// The number.
  public var parameterValue: Value { .number(self) }
}

extension Instant: ParameterValue {
  /// A date.
  public static var parameterKind: Parameter.Kind { .date }
  /// Creates an instant.
  public init?(parameterValue value: Value) {
    guard let instant = value.date else { return nil }
    self = instant
  }
  /// The date.
  public var parameterValue: Value { .date(self) }
}

extension ParameterValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// One of the raw values.
  public static var parameterKind: Parameter.Kind { .choice(allCases.map(\.rawValue)) }
  /// Creates the case of a raw value.
  public init?(parameterValue value: Value) {
    guard let text = value.text else { return nil }
    self.init(rawValue: text)
  }
  /// The raw value.
  public var parameterValue: Value { .text(rawValue) }
}

extension CommandCall {
  /// The typed value of an argument or option of the command.
  ///
  /// The host checks a call before the command runs, so a value that does not fit is a programming mistake: the command
  /// reads a parameter that it does not declare.
  public subscript<Input: CommandInput>(input: Input) -> Input.Content {
    guard let content = input.content(of: self[input.parameter.name]) else {
      preconditionFailure("the command reads '\(input.parameter.name)' differently than it declares it")
    }
    return content
  }
}

extension CommandDescription {
  /// Returns the same description with these arguments and options.
  public func taking(_ inputs: any CommandInput...) -> CommandDescription { taking(inputs) }

  /// Returns the same description with the inputs of a list after those it has.
  public func taking(_ inputs: [any CommandInput]) -> CommandDescription {
    var copy = self
    for input in inputs {
      if type(of: input).isPositional {
        copy.arguments.append(input.parameter)
      } else {
        copy.options.append(input.parameter)
      }
    }
    return copy
  }
}
