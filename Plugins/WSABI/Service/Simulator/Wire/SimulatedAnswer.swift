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
    var answer = SimulatedAnswer(status)
    answer.badFields = fields
    return answer
  }

  static func about(_ metadata: [SimulatedItem]) -> SimulatedAnswer {
    var answer = SimulatedAnswer(.success)
    answer.metadata = metadata
    return answer
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
