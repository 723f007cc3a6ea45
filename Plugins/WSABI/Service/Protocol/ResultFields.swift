import PluginText

/// A collector of the elements of a `result`.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 3 (`Result`).
struct ResultFields {
  private var seen: Set<String> = []
  private var status: OperationStatus?
  private var collected = SensorAnswer(status: .failure, namespace: .bioserv)

  /// Returns the response made of all elements; throws an error if there is no status.
  func answer(_ namespace: ProtocolNamespace?) throws(SensorFault.Kind) -> SensorAnswer {
    guard let status, let namespace else { throw .malformed(reason: "it has no status") }
    var answer = collected
    (answer.status, answer.namespace) = (status, namespace)
    return answer
  }

  /// Adds an element of the result.
  ///
  /// - Parameter values: Notes irregularities.
  mutating func take(
    _ node: WireNode, _ limits: SensorLimits, _ values: inout WireValueReader
  ) throws(SensorFault.Kind) {
    if node.isNil { return }
    let known = ["status", "badFields", "captureIds", "metadata", "message", "sessionId", "contentType"]
    guard known.contains(node.local) else { return values.note("an element stands in the result that is not known") }
    guard seen.insert(node.local).inserted else { throw .malformed(reason: "it has two '\(node.local)'") }
    switch node.local {
    case "status": try setStatus(node.text, &values)
    case "badFields": collected.badFields = texts(node.value).map { SanitizedText.line($0, limit: 200) }
    case "captureIds": setCaptureIDs(texts(node.value), limits, &values)
    case "metadata": if case .dictionary(let dictionary) = node.value { collected.metadata = dictionary }
    case "message": collected.message = SanitizedText.line(node.text.trimmed(), limit: 2000)
    case "sessionId": try setSessionID(node.text)
    default: collected.contentType = SanitizedText.line(node.text.trimmed(), limit: 200)
    }
  }

  private mutating func setStatus(_ text: String, _ values: inout WireValueReader) throws(SensorFault.Kind) {
    let word = text.trimmed()
    if word.isEmpty { throw .malformed(reason: "its status is empty") }
    let status = OperationStatus(word: SanitizedText.line(word, limit: 100))
    if case .unknown = status { values.note("the status is not known; it counts as a failure") }
    self.status = status
  }

  private func texts(_ value: WireValue) -> [String] {
    guard case .array(let values, _) = value else { return [] }
    return values.compactMap(\.plainText)
  }

  private mutating func setCaptureIDs(_ texts: [String], _ limits: SensorLimits, _ values: inout WireValueReader) {
    var known: Set<SensorUUID> = []
    for text in texts {
      guard let id = SensorUUID(text) else {
        values.note("an id of captured data is no UUID; it is left out")
        continue
      }
      if !known.insert(id).inserted {
        values.note("an id of captured data stands twice")
      } else if collected.captureIDs.count == limits.captureIDs {
        return values.note("it has more than \(limits.captureIDs) ids of captured data; the rest is left out")
      } else {
        collected.captureIDs.append(id)
      }
    }
  }

  private mutating func setSessionID(_ text: String) throws(SensorFault.Kind) {
    if text.trimmed().isEmpty { return }
    guard let id = SensorUUID(text) else { throw .malformed(reason: "its session id is no UUID") }
    collected.sessionID = id
  }
}
