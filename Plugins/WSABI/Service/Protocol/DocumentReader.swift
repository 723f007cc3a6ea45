import PluginXML

/// Reads a `result` of a service piece by piece; the data of a sensor goes through while it arrives.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), sections 3 and 4.
final class DocumentReader {
  private let limits: SensorLimits
  private let data: DataReceiver?
  private var guardian = DocumentGuard()
  private var xml: XMLReader?
  private var values = WireValueReader()
  private var frames: [WireFrame] = []
  private var elements = 0
  /// Bytes of text outside the data of a sensor.
  private var textInBytes = 0
  private var isInData = false
  private var seen: Set<String> = []
  private var namespace: ProtocolNamespace?
  private var status: OperationStatus?
  private var answer = SensorAnswer(status: .failure, namespace: .bioserv)

  /// Creates a reader.
  ///
  /// - Parameter data: Takes the data of a sensor; nil to pass over it.
  init(limits: SensorLimits, data: DataReceiver?) throws(SensorFault.Kind) {
    self.limits = limits
    self.data = data
    var bounds = XMLReader.Limits()
    bounds.depth = limits.depth
    bounds.sizeInBytes = limits.answerInBytes(withData: data != nil)
    bounds.nameInBytes = limits.nameInBytes
    bounds.attributes = 256
    do {
      xml = try XMLReader(limits: bounds) { [unowned self] event in try self.take(event) }
    } catch {
      throw Self.kind(error)
    }
  }

  /// Reads the next piece.
  func push(_ bytes: UnsafeRawBufferPointer) throws(SensorFault.Kind) {
    do {
      try guardian.look(at: bytes)
      try xml?.push(bytes)
    } catch {
      throw Self.kind(error)
    }
  }

  /// Says that there are no more pieces.
  ///
  /// - Returns: The answer, with what is strange about it.
  func finish() throws(SensorFault.Kind) -> SensorAnswer {
    do {
      try guardian.finish()
      try xml?.finish()
    } catch {
      throw Self.kind(error)
    }
    guard let status, let namespace else { throw .malformed(reason: "it has no status") }
    answer.status = status
    answer.namespace = namespace
    answer.oddities = values.oddities
    if data?.hasBegun == true {
      let whole = try data?.finish()
      if status == .success { answer.data = whole }
    }
    return answer
  }

  private static func kind(_ error: any Error) -> SensorFault.Kind {
    switch error {
    case let kind as SensorFault.Kind: kind
    case let refusal as DocumentGuard.Refusal:
      refusal.kind == .other ? .notAService(found: refusal.words) : .malformed(reason: refusal.words)
    case XMLError.tooLarge(let limit): .tooLarge(limitInBytes: limit)
    case XMLError.libraryMissing(let reason): .failed(reason: reason)
    case let error as XMLError: .malformed(reason: error.description)
    default: .failed(reason: "the document cannot be read")
    }
  }

  // MARK: Events

  private func take(_ event: XMLEvent) throws(SensorFault.Kind) {
    switch event {
    case .begin(let element): try begin(element)
    case .text(let bytes): try text(bytes)
    case .end: try end()
    @unknown default: break
    }
  }

  private func begin(_ element: XMLElement) throws(SensorFault.Kind) {
    elements += 1
    if elements > limits.elements { throw .malformed(reason: "it has more than \(limits.elements) elements") }
    if isInData { throw .malformed(reason: "elements stand in the data of the sensor") }
    if frames.isEmpty { try beginRoot(element.name) }
    let isKnown = element.name.namespace.isEmpty || ProtocolNamespace(rawValue: element.name.namespace) != nil
    if !isKnown { values.note("an element is of another namespace") }
    var frame = WireFrame(
      local: element.name.local, isKnown: isKnown, type: type(of: element), isNil: isNil(element))
    if frame.type == nil { frame.type = expectedType(of: frame.local) }
    if frames.count == 1, frame.local == "sensorData", isKnown, !frame.isNil { try beginData() }
    frames.append(frame)
  }

  private func beginRoot(_ name: XMLName) throws(SensorFault.Kind) {
    if name.local.lowercased() == "html" { throw .notAService(found: "a web page") }
    if name.local != "result" { throw .notAService(found: "a document '\(name.local)'") }
    guard let known = ProtocolNamespace(rawValue: name.namespace) else { throw .otherNamespace(name.namespace) }
    namespace = known
  }

  private func beginData() throws(SensorFault.Kind) {
    guard seen.insert("sensorData").inserted else { throw .malformed(reason: "it has two 'sensorData'") }
    isInData = true
    if data == nil { values.note("data of a sensor came that was not asked for") }
    data?.begin()
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(SensorFault.Kind) {
    if isInData {
      try data?.take(base64: bytes)
      return
    }
    guard !frames.isEmpty else { return }
    textInBytes += bytes.count
    if textInBytes > limits.documentInBytes { throw .tooLarge(limitInBytes: limits.documentInBytes) }
    frames[frames.count - 1].text.append(contentsOf: bytes)
  }

  private func end() throws(SensorFault.Kind) {
    guard let frame = frames.popLast() else { return }
    if isInData {
      isInData = false
      return
    }
    if frames.isEmpty || !frame.isKnown { return }
    if ["key", "name", "type"].contains(frame.local), frame.text.count > limits.nameInBytes {
      throw .malformed(reason: "a '\(frame.local)' is longer than \(limits.nameInBytes) bytes")
    }
    let named = frame.local == "type" ? resolved(String(decoding: frame.text, as: UTF8.self)) : nil
    let node = values.node(frame, namedType: named)
    if frames.count == 1 { try field(node) } else { frames[frames.count - 1].children.append(node) }
  }

  // MARK: Types

  private func type(of element: XMLElement) -> WireType? {
    element.attributes.first { $0.name.local == "type" && $0.name.namespace == ProtocolNamespace.instance }
      .flatMap { resolved($0.value) }
  }

  private func isNil(_ element: XMLElement) -> Bool {
    element.attributes.contains { attribute in
      attribute.name.local == "nil" && attribute.name.namespace == ProtocolNamespace.instance
        && WireScalar.boolean(WireScalar.collapsed(attribute.value)) == true
    }
  }

  /// What a name with a prefix stands for where the reader is.
  ///
  /// Where prefix or default namespace are missing, the usual ones are taken: some services forget them.
  private func resolved(_ text: String) -> WireType? {
    let parts = WireScalar.collapsed(text).split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let local = parts.last, !local.isEmpty, parts.count <= 2, local.utf8.count <= limits.nameInBytes else {
      return nil
    }
    let prefix = parts.count == 2 ? parts[0] : ""
    if let space = xml?.namespace(of: prefix), !space.isEmpty { return WireType(namespace: space, local: local) }
    values.note("the prefix of a type is not declared")
    let isOfSchema = prefix == "xs" || prefix == "xsd" || prefix.isEmpty && WireScalar.knows(local)
    let isCompound = WireType.Compound(rawValue: local) != nil
    return WireType(
      namespace: isOfSchema ? ProtocolNamespace.schema : isCompound ? namespace?.rawValue ?? "" : prefix, local: local)
  }

  /// The type of an element that does not say one, by where it stands.
  private func expectedType(of local: String) -> WireType? {
    if frames.count == 1 {
      switch local {
      case "metadata": return protocolType(.dictionary)
      case "badFields": return protocolType(.stringArray)
      case "captureIds": return protocolType(.uuidArray)
      default: return nil
      }
    }
    guard local == "element", let around = frames.last?.type?.compound else { return nil }
    switch around {
    case .stringArray, .uuidArray: return WireType(namespace: ProtocolNamespace.schema, local: "string")
    case .resourceArray: return protocolType(.resource)
    default: return nil
    }
  }

  private func protocolType(_ compound: WireType.Compound) -> WireType {
    WireType(namespace: namespace?.rawValue ?? "", local: compound.rawValue)
  }

  // MARK: Fields of the result

  private func field(_ node: WireNode) throws(SensorFault.Kind) {
    if node.isNil { return }
    let known = ["status", "badFields", "captureIds", "metadata", "message", "sessionId", "contentType"]
    guard known.contains(node.local) else { return values.note("an element stands in the result that is not known") }
    guard seen.insert(node.local).inserted else { throw .malformed(reason: "it has two '\(node.local)'") }
    switch node.local {
    case "status": try setStatus(node.text)
    case "badFields": answer.badFields = texts(node.value).map { ShownText.cleaned($0, limit: 200) }
    case "captureIds": setCaptureIDs(texts(node.value))
    case "metadata": if case .dictionary(let dictionary) = node.value { answer.metadata = dictionary }
    case "message": answer.message = ShownText.cleaned(WireScalar.collapsed(node.text))
    case "sessionId": try setSessionID(node.text)
    default: answer.contentType = ShownText.cleaned(WireScalar.collapsed(node.text), limit: 200)
    }
  }

  private func setStatus(_ text: String) throws(SensorFault.Kind) {
    let word = WireScalar.collapsed(text)
    if word.isEmpty { throw .malformed(reason: "its status is empty") }
    let status = OperationStatus(word: ShownText.cleaned(word, limit: 100))
    if case .unknown = status { values.note("the status is not known; it counts as a failure") }
    self.status = status
  }

  private func texts(_ value: WireValue) -> [String] {
    guard case .array(let values, _) = value else { return [] }
    return values.compactMap(\.plainText)
  }

  private func setCaptureIDs(_ texts: [String]) {
    var known: Set<SensorUUID> = []
    for text in texts {
      guard let id = SensorUUID(text) else {
        values.note("an id of captured data is no UUID; it is left out")
        continue
      }
      if !known.insert(id).inserted {
        values.note("an id of captured data stands twice")
      } else if answer.captureIDs.count == limits.captureIDs {
        return values.note("it has more than \(limits.captureIDs) ids of captured data; the rest is left out")
      } else {
        answer.captureIDs.append(id)
      }
    }
  }

  private func setSessionID(_ text: String) throws(SensorFault.Kind) {
    if WireScalar.collapsed(text).isEmpty { return }
    guard let id = SensorUUID(text) else { throw .malformed(reason: "its session id is no UUID") }
    answer.sessionID = id
  }
}

extension SensorLimits {
  /// How large an answer may be as it is sent.
  func answerInBytes(withData: Bool) -> Int {
    // Base64 takes four characters for three bytes, and a line end after 64 of them.
    withData ? documentInBytes + dataInBytes / 3 * 4 + dataInBytes / 16 : documentInBytes
  }
}
