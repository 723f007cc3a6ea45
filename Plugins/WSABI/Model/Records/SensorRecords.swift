import PluginAPI
import PluginText

/// The response of a sensor that was checked, or its absence.
struct CheckedSensor: Model {
  /// The normalized address.
  let address: String
  /// True if a WS-BD service responded.
  let isReachable: Bool
  /// The modality, as the sensor spells it; nil if it has none.
  let modality: String?
  let submodality: String?
  /// True if it can capture the given submodality; nil if none was given.
  let isSupported: Bool?
  /// The result as a sentence.
  let message: String
  /// The XML namespace of its responses.
  let namespace: String?
  let parameters: [SensorKey]
  /// The time to the response, in milliseconds; nil without one.
  let latency: Double?
  /// The reason why it is not reachable, and what to do.
  let problem: String?

  static let typeName = WSABIValueType.sensorCheck
  static let fields = Fields<CheckedSensor> {
    Field("address", \.address, "Normalized address")
    Field("reachable", \.isReachable, "True if a WS-BD service responded")
    Field("modality", \.modality, "Modality, as the sensor spells it")
    Field("submodality", \.submodality, "Submodality, as named by the sensor")
    Field("supported", \.isSupported, "True if it can capture the given submodality; null if none was given")
    Field("message", \.message, "Result as a sentence")
    Field("namespace", \.namespace, "XML namespace of its responses")
    Field("parameters", \.parameters, "Parameters of the service")
    Field("latencyMilliseconds", \.latency, "Time to the response")
    Field("problem", \.problem, "Reason why it is not reachable, and what to do")
  }
}

/// A key of a sensor's information.
struct SensorKey: Model {
  let key: String
  let content: WireValue

  private var parameter: SensorParameter? {
    if case .parameter(let parameter) = content { parameter } else { nil }
  }

  var isReadOnly: Bool { parameter?.isReadOnly ?? true }
  /// The allowed values; empty for any.
  var allowed: [String] { parameter?.allowedValues.map(\.shownText) ?? [] }

  static let typeName = "wsabi.sensor-key"
  static let fields = Fields<SensorKey> {
    Field("name", \.key, "Key")
    Field("type", { $0.parameter?.type ?? "" }, "Type of the values")
    Field("isReadOnly", \.isReadOnly, "True if read-only")
    Field("value", \.content.shownText, "Default or current value")
    Field("allowed", \.allowed, "Allowed values; empty for any")
  }
}

extension DiscoveredSensor: Model {
  static let typeName = "wsabi.discovered-sensor"
  static let fields = Fields<DiscoveredSensor> {
    Field("name", \.name, "Name that the sensor announces")
    Field("address", \.address, "Address of the sensor")
    Field("modality", \.modality, "Modality, as the sensor spells it")
    Field("source", \.source.rawValue, "'network', or 'camera' for a camera of this machine")
    Field("interface", \.interface, "Network interface, or the camera's device")
  }
}

/// A sensor's response to an operation, as commands emit it.
struct SensorResponse: Model {
  let address: SensorAddress
  let operation: SensorOperation
  let answer: SensorAnswer
  /// The session, if still open; a secret.
  let session: SensorUUID?
  /// The time to the response.
  let milliseconds: Double

  var metadata: WireDictionary { answer.metadata ?? WireDictionary() }
  /// The message of the service, sanitized.
  var message: String { SanitizedText.line(answer.message, limit: 2000) }

  static let typeName = WSABIValueType.sensorAnswer
  static let fields = Fields<SensorResponse> {
    return declared(
      { $0 }, operation: \.operation.rawValue, status: \.answer.status.word, session: \.session?.text,
      metadata: \.metadata, message: \.message)
  }

  /// Returns the fields of a response, for a response or a model that contains one.
  private static func declared<Root: Sendable>(
    _ response: @escaping @Sendable (Root) -> SensorResponse, operation: any KeyPath<Root, String> & Sendable,
    status: any KeyPath<Root, String> & Sendable, session: any KeyPath<Root, String?> & Sendable,
    metadata: any KeyPath<Root, WireDictionary> & Sendable, message: any KeyPath<Root, String> & Sendable
  ) -> [Field<Root>] {
    [
      Field("address", { response($0).address.text }, "Address of the sensor"),
      Field("operation", operation, "Protocol operation"),
      Field("status", status, "Status of the response"),
      Field("session", session, "Session, if still open; a secret"),
      Field("metadata", metadata, "Metadata of the response"),
      Field("message", message, "Message of the service"),
      Field("milliseconds", { response($0).milliseconds }, "Time to the response"),
    ]
  }

  /// A response that names captured data.
  struct WithCaptures: Model {
    let response: SensorResponse

    /// The capture ids; secrets, as they give access to the data.
    var captureIDs: [String] { response.answer.captureIDs.map(\.text) }

    static let typeName = WSABIValueType.sensorAnswer
    static let fields = Fields<WithCaptures> {
      let response: [Field<WithCaptures>] = declared(
        \.response, operation: \.response.operation.rawValue, status: \.response.answer.status.word,
        session: \.response.session?.text, metadata: \.response.metadata, message: \.response.message)
      return response + [
        Field("captureIds", \.captureIDs, "Capture ids; secrets, as they give access to the data")
      ]
    }
  }
}
