/// A value as a service writes it; independent of the client's type.
indirect enum SimulatedValue: Sendable, Hashable {
  /// `xsi:nil`.
  case null
  /// The text of a type of XML Schema, such as `int`.
  case plain(String, type: String)
  /// The text of a type of the protocol, such as `SensorStatus`.
  case word(String, type: String)
  case resolution(width: String, height: String, unit: String?)
  case range(SimulatedRange)
  case resource(uri: String, contentType: String?, relationship: String?)
  /// An `Array`, or `StringArray`, `ResourceArray` and the like.
  case array([SimulatedValue], type: String)
  case parameter(SimulatedParameter)
  case dictionary([SimulatedItem])

  static func text(_ text: String) -> Self { .plain(text, type: "string") }
  static func int(_ number: Int, type: String = "int") -> Self { .plain(String(number), type: type) }
  static func flag(_ flag: Bool) -> Self { .plain(flag ? "true" : "false", type: "boolean") }
  static func size(_ width: Int, _ height: Int) -> Self {
    .resolution(width: String(width), height: String(height), unit: nil)
  }

  /// The text of a plain value; nil for others.
  var plainText: String? {
    switch self {
    case .plain(let text, _), .word(let text, _): text
    default: nil
    }
  }
}

/// A key with its value.
struct SimulatedItem: Sendable, Hashable {
  var key: String
  var value: SimulatedValue

  init(_ key: String, _ value: SimulatedValue) { (self.key, self.value) = (key, value) }
}

/// From a least to a greatest value, either of which may be open.
struct SimulatedRange: Sendable, Hashable {
  var minimum: SimulatedValue?
  var maximum: SimulatedValue?
  var minimumIsExclusive: Bool?
  var maximumIsExclusive: Bool?
}

/// A service's description of one of its settings.
struct SimulatedParameter: Sendable, Hashable {
  var name: String
  /// A type of XML Schema, or of the protocol if ``isTypeOfSchema`` is false.
  var type: String
  var isTypeOfSchema = true
  var isReadOnly = false
  var supportsMultiple = false
  var defaultValue = SimulatedValue.null
  var allowedValues: [SimulatedValue] = []

  /// Returns a read-only property of a service.
  static func fixed(_ name: String, _ value: SimulatedValue) -> SimulatedParameter {
    SimulatedParameter(
      name: name, type: value.typeName, isTypeOfSchema: value.isOfSchema, isReadOnly: true, defaultValue: value)
  }
}

extension SimulatedValue {
  /// The name of its type without prefix.
  var typeName: String {
    switch self {
    case .null: "anyType"
    case .plain(_, let type), .word(_, let type), .array(_, let type): type
    case .resolution: "Resolution"
    case .range: "Range"
    case .resource: "Resource"
    case .parameter: "Parameter"
    case .dictionary: "Dictionary"
    }
  }

  /// True if its type is one of XML Schema.
  var isOfSchema: Bool {
    switch self {
    case .plain, .null: true
    default: false
    }
  }
}
