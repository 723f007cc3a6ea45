import PluginAPI
import PluginText

@testable import WSABI

/// A test service's result, before it is written in one of two styles.
struct WrittenResult: Sendable {
  var status = "success"
  var badFields: [String]?
  var captureIDs: [String]?
  var metadata: [(String, WrittenValue)]?
  var message: String?
  var data: [UInt8]?
  var session: String?
}

/// A value of a test service, and the client's interpretation of it.
indirect enum WrittenValue: Sendable {
  case null
  /// A text with the name of a type of XML Schema.
  case plain(String, String, WireValue)
  case parameter(WrittenParameter)
  case range(minimum: WrittenValue?, maximum: WrittenValue?, minimumIsExclusive: Bool?, maximumIsExclusive: Bool?)
  case resolution(String, String, unit: String?)
  case resource(String, contentType: String?, relationship: String?)
  case array([WrittenValue])
  case strings([String])
  case ids([String])
  case resources([(String, String)])
  case dictionary([(String, WrittenValue)])

  static func string(_ text: String) -> WrittenValue { .plain("string", text, .string(text)) }
  static func int(_ number: Int) -> WrittenValue { .plain("int", "\(number)", .integer(number, type: "int")) }
  static func boolean(_ flag: Bool) -> WrittenValue { .plain("boolean", "\(flag)", .boolean(flag)) }

  /// The value that the client makes of it.
  var expected: WireValue {
    switch self {
    case .null: .null
    case .plain(_, _, let value): value
    case .parameter(let parameter): .parameter(parameter.expected)
    case .range(let minimum, let maximum, let minimumIsExclusive, let maximumIsExclusive):
      .range(
        WireRange(
          minimum: minimum?.expected, maximum: maximum?.expected, minimumIsExclusive: minimumIsExclusive,
          maximumIsExclusive: maximumIsExclusive))
    case .resolution(let width, let height, let unit):
      .resolution(WireResolution(width: width, height: height, unit: unit))
    case .resource(let uri, let type, let relationship):
      .resource(WireResource(uri: uri, contentType: type, relationship: relationship))
    case .array(let values): .array(values.map(\.expected), type: "Array")
    case .strings(let texts): .array(texts.map { .string($0) }, type: "StringArray")
    case .ids(let texts): .array(texts.map { .string($0) }, type: "UuidArray")
    case .resources(let pairs):
      .array(pairs.map { .resource(WireResource(uri: $0.0, contentType: $0.1)) }, type: "ResourceArray")
    case .dictionary(let items): .dictionary(WireDictionary(items.map { .init($0.0, $0.1.expected) }))
    }
  }
}

/// A parameter of a service of the tests.
struct WrittenParameter: Sendable {
  var name: String
  /// A type of XML Schema, or one of the protocol.
  var type = "string"
  var isReadOnly = false
  var supportsMultiple = false
  var defaultValue = WrittenValue.null
  var allowedValues: [WrittenValue] = []

  var expected: SensorParameter {
    SensorParameter(
      name: name, type: type, isReadOnly: isReadOnly, supportsMultiple: supportsMultiple,
      defaultValue: defaultValue.expected, allowedValues: allowedValues.map(\.expected))
  }

  /// True if the type is one of the protocol.
  var isOwnType: Bool { ["Resolution", "Resource", "ResourceArray", "Range", "Dictionary"].contains(type) }
}

/// The two ways in which services write.
enum DocumentStyle: String, CaseIterable, Sendable {
  /// Windows Communication Foundation: one line, prefixes declared where they are used, nil for missing values.
  case wcf
  /// Java Architecture for XML Binding: prefixes at the top, indented, base64 in lines of 76.
  case jaxb

  /// The media type of its responses.
  var type: String { self == .wcf ? "application/xml; charset=utf-8" : "text/xml" }

  func document(_ result: WrittenResult, _ namespace: ProtocolNamespace) -> [UInt8] {
    switch self {
    case .wcf: Array(WCFWriter(namespace: namespace.rawValue).document(result).utf8)
    case .jaxb: Array(JAXBWriter(namespace: namespace.rawValue).document(result).utf8)
    }
  }
}

/// Returns bytes as base64, in lines of a number of characters; 0 for one line.
func base64Text(_ bytes: [UInt8], line: Int = 0, end: String = "\n") -> String {
  let text = Base64.encoded(bytes)
  if line == 0 || text.isEmpty { return String(decoding: text, as: UTF8.self) }
  let lines = stride(from: 0, to: text.count, by: line).map { text[$0..<min($0 + line, text.count)] }
  return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: end)
}
