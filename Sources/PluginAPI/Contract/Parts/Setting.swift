/// A setting of a plugin, with the type of its value.
///
/// ```swift
/// static let unit = Setting("unit", "Unit of heights", default: TideUnit.metre)
/// …
/// parts.settings = [TideUnit.setting.parameter]
/// …
/// let unit = context[TideUnit.setting]   // TideUnit
/// ```
public struct Setting<Content: Sendable>: Sendable {
  /// The name, kind, wording and default.
  public let parameter: Parameter
  private let standard: Content
  private let read: @Sendable (Value) -> Content?

  /// Creates a setting from its parts.
  ///
  /// - Parameters:
  ///   - parameter: The name, kind, wording and default.
  ///   - standard: The content used in place of a value that cannot be read.
  ///   - read: Returns the content of a value; nil if it cannot be read.
  public init(_ parameter: Parameter, default standard: Content, read: @escaping @Sendable (Value) -> Content?) {
    (self.parameter, self.standard, self.read) = (parameter, standard, read)
  }

  /// Returns the typed value, or the default in place of a value that cannot be read: users edit settings by hand.
  public func content(of value: Value) -> Content { read(value) ?? standard }
}

extension Setting {
  /// Creates a setting with a default.
  @inlinable public init(
    _ name: String, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil, default content: Content
  ) where Content: ParameterValue {
    let parameter = Parameter(
      name, kind ?? Content.parameterKind, summary, unit: unit, defaultValue: content.parameterValue)
    self.init(parameter, default: content) { Content(parameterValue: $0) }
  }

  /// Creates a setting without a default.
  @inlinable public init<Wrapped: ParameterValue>(
    _ name: String, _ type: Wrapped.Type, kind: Parameter.Kind? = nil, _ summary: String, unit: String? = nil
  ) where Content == Wrapped? {
    let parameter = Parameter(name, kind ?? Wrapped.parameterKind, summary, unit: unit)
    self.init(parameter, default: nil) { Wrapped(parameterValue: $0) }
  }
}

extension Setting<Bool> {
  /// Creates a setting that is on or off.
  public init(flag name: String, _ summary: String, default isOn: Bool = false) {
    self.init(Parameter(name, .flag, summary, defaultValue: .bool(isOn)), default: isOn) { $0.bool }
  }
}

extension Setting<Int> {
  /// Creates a setting for a whole number between two bounds.
  public init(
    _ name: String, in bounds: ClosedRange<Int>, _ summary: String, unit: String? = nil, default content: Int
  ) {
    self.init(
      name, kind: .integer(minimum: bounds.lowerBound, maximum: bounds.upperBound), summary, unit: unit,
      default: content)
  }
}

extension Setting<Double> {
  /// Creates a setting for a number between two bounds.
  public init(
    _ name: String, in bounds: ClosedRange<Double>, _ summary: String, unit: String? = nil, default content: Double
  ) {
    // A whole number has no decimals in JSON: 15, not 15.0.
    let standard = Int(exactly: content).map(Value.integer) ?? .number(content)
    self.init(
      Parameter(
        name, .number(minimum: bounds.lowerBound, maximum: bounds.upperBound), summary, unit: unit,
        defaultValue: standard),
      default: content
    ) { $0.number }
  }
}

extension PluginContext {
  /// The value of one of the plugin's settings: the user's, or else the declared default.
  public subscript<Content>(setting: Setting<Content>) -> Content {
    setting.content(of: self.setting(setting.parameter.name))
  }
}
