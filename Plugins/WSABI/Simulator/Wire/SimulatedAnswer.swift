/// The words of the protocol's statuses, repeated here: the client has its own list.
enum SimulatedStatus: String, CaseIterable, Sendable {
  case success
  case failure
  case invalidId
  case canceled
  case canceledWithSensorFailure
  case sensorFailure
  case lockNotHeld
  case lockHeldByAnother
  case initializationNeeded
  case configurationNeeded
  case sensorBusy
  case sensorTimeout
  case unsupported
  case badValue
  case noSuchParameter
  case preparingDownload
}

/// A sensor's response, before it becomes a document.
struct SimulatedAnswer: Sendable {
  var status: SimulatedStatus
  var badFields: [String] = []
  var captureIDs: [String]?
  var metadata: [SimulatedItem]?
  var message: String?
  var data: SimulatedData?
  var sessionID: String?

  init(_ status: SimulatedStatus, message: String? = nil) {
    self.status = status
    self.message = message
  }

  static let success = SimulatedAnswer(.success)

  static func bad(_ fields: String..., status: SimulatedStatus = .badValue) -> SimulatedAnswer {
    var response = SimulatedAnswer(status)
    response.badFields = fields
    return response
  }

  static func about(_ metadata: [SimulatedItem]) -> SimulatedAnswer {
    var response = SimulatedAnswer(.success)
    response.metadata = metadata
    return response
  }

  /// Returns the root element, with its parts in the order of the schema.
  func element(_ configuration: SimulatorConfiguration) -> SimulatedElement {
    let isMisspelled = status == .noSuchParameter && configuration.actuallyMisspells
    var children = [SimulatedElement("status", text: isMisspelled ? "noSuchParamter" : status.rawValue)]
    if !badFields.isEmpty {
      children.append(SimulatedElement("badFields", badFields.map { SimulatedElement("element", text: $0) }))
    }
    if let captureIDs {
      children.append(SimulatedElement("captureIds", captureIDs.map { SimulatedElement("element", text: $0) }))
    }
    if let metadata { children.append(SimulatedElement("metadata", metadata.map(SimulatedElement.init))) }
    if message != nil || configuration.style == .jaxb {
      children.append(SimulatedElement("message", text: message ?? ""))
    }
    if let data {
      var element = SimulatedElement("sensorData")
      element.data = data
      children.append(element)
    }
    if let sessionID { children.append(SimulatedElement("sessionId", text: sessionID)) }
    return SimulatedElement("result", children)
  }
}

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
    case .null, .resolution, .range, .resource, .array, .parameter, .dictionary: nil
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
public struct SimulatedParameter: Sendable, Hashable {
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
    case .word, .resolution, .range, .resource, .array, .parameter, .dictionary: false
    }
  }
}

/// Settings of sensors that are not simulated.
extension SimulatedParameter {
  /// Returns a fixed text.
  public static func fixed(_ name: String, text: String) -> SimulatedParameter { .fixed(name, .text(text)) }

  /// Returns a choice of texts, the first of which is the default.
  public static func choice(_ name: String, _ texts: [String]) -> SimulatedParameter {
    SimulatedParameter(
      name: name, type: "string", defaultValue: .text(texts.first ?? ""), allowedValues: texts.map { .text($0) })
  }

  /// Returns a choice of sizes in pixels, the first of which is the default.
  public static func choice(_ name: String, _ sizes: [SceneOrder.Size]) -> SimulatedParameter {
    var values: [SimulatedValue] = []
    for size in sizes {
      let value = SimulatedValue.size(size.width, size.height)
      if !values.contains(value) { values.append(value) }
    }
    return SimulatedParameter(
      name: name, type: "Resolution", isTypeOfSchema: false, defaultValue: values.first ?? .null,
      allowedValues: values)
  }
}
