import Glibc
import PluginText
import PluginXML

/// A reader of a service's `result` in pieces; the data of a sensor is passed on as it arrives.
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
  private var finder = TagEndFinder()
  /// True while incoming bytes are taken as sensor data without the XML parser, which is slower than all other steps.
  private var isDirect = false
  /// The number of bytes taken that way.
  private(set) var directBytes = 0
  private var hasSeenData = false
  private var namespace: ProtocolNamespace?
  private var fields = ResultFields()

  /// Creates a reader.
  ///
  /// - Parameter data: The receiver of sensor data; nil to skip it.
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
      var remaining = bytes[...]
      while !remaining.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: remaining)
        remaining = remaining.dropFirst(isDirect ? try takeDirectly(piece) : try read(piece))
      }
    } catch {
      throw Self.kind(error)
    }
  }

  /// Passes bytes to the XML parser, up to a point where sensor data may begin.
  ///
  /// - Returns: The number of bytes.
  private func read(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    guard data != nil, guardian.isPlainText, !hasSeenData else {
      try xml?.push(bytes)
      return bytes.count
    }
    let (count, isEnd) = finder.next(bytes)
    try xml?.push(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    isDirect = isEnd && isInData
    return count
  }

  /// Decodes bytes as base64 up to the next tag or reference, where the XML parser resumes.
  ///
  /// Characters that are not allowed in XML are not base64 either, and are refused with it.
  /// - Returns: The number of bytes consumed.
  private func takeDirectly(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var count = bytes.count
    for mark: Int32 in [0x3C, 0x26] {
      if let found = memchr(base, mark, count) {
        count = UnsafeRawPointer(found) - base
        isDirect = false
      }
    }
    directBytes += count
    try data?.take(base64: UnsafeRawBufferPointer(rebasing: bytes[..<count]).bindMemory(to: UInt8.self))
    return count
  }

  /// Marks the end of the pieces.
  ///
  /// - Returns: The response, with its irregularities.
  func finish() throws(SensorFault.Kind) -> SensorAnswer {
    do {
      try guardian.finish()
      try xml?.finish()
    } catch {
      throw Self.kind(error)
    }
    var response = try fields.response(namespace)
    response.oddities = values.oddities
    if data?.hasBegun == true {
      let whole = try data?.finish()
      if response.status == .success { response.data = whole }
    }
    return response
  }

  private static func kind(_ error: any Error) -> SensorFault.Kind {
    switch error {
    case let kind as SensorFault.Kind: kind
    case let refusal as DocumentGuard.Refusal:
      refusal.kind == .other ? .notAService(found: refusal.message) : .malformed(reason: refusal.message)
    case XMLError.tooLarge(let limit): .tooLarge(limitInBytes: limit)
    case XMLError.libraryMissing(let reason): .failed(reason: reason)
    case let error as XMLError: .malformed(reason: error.description)
    default: .failed(reason: "cannot read the document")
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
    if elements > limits.elements { throw .malformed(reason: "more than \(limits.elements) elements") }
    let names = [element.name] + element.attributes.map(\.name)
    if names.contains(where: { $0.namespace.isEmpty && !$0.prefix.isEmpty }) {
      throw .malformed(reason: "the prefix of an element or attribute is not declared")
    }
    if isInData { throw .malformed(reason: "the data of the sensor contains elements") }
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
    if hasSeenData { throw .malformed(reason: "two 'sensorData' elements") }
    (isInData, hasSeenData) = (true, true)
    if data == nil { values.note("the response contains sensor data that was not requested") }
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
    if frames.count == 1 {
      try fields.take(node, limits, &values)
    } else {
      frames[frames.count - 1].children.append(node)
    }
  }

  // MARK: Types

  private func type(of element: XMLElement) -> WireType? {
    element.attributes.first { $0.name.local == "type" && $0.name.namespace == ProtocolNamespace.instance }
      .flatMap { resolved($0.value) }
  }

  private func isNil(_ element: XMLElement) -> Bool {
    element.attributes.contains { attribute in
      attribute.name.local == "nil" && attribute.name.namespace == ProtocolNamespace.instance
        && WireScalar.boolean(attribute.value.trimmed()) == true
    }
  }

  /// Returns the meaning of a prefixed name at the reader's position.
  ///
  /// If the prefix or the default namespace is missing, the usual one is assumed: some services forget it.
  private func resolved(_ text: String) -> WireType? {
    let parts = text.trimmed().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
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

  /// Returns the type of an element that does not state one, by its position.
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
    case .dictionary, .parameter, .range, .resolution, .resource, .array: return nil
    }
  }

  private func protocolType(_ compound: WireType.Compound) -> WireType {
    WireType(namespace: namespace?.rawValue ?? "", local: compound.rawValue)
  }
}

extension SensorLimits {
  /// Returns the largest encoded size of a response, in bytes.
  func answerInBytes(withData: Bool) -> Int {
    // Base64 takes four characters for three bytes, and a line end after 64 of them.
    withData ? documentInBytes + dataInBytes / 3 * 4 + dataInBytes / 16 : documentInBytes
  }
}

/// A finder of the possible end of the sensor data's start tag, so that the bytes after it can bypass the XML parser.
private struct TagEndFinder {
  private static let name = Array("sensorData".utf8)

  /// The number of characters of the name matched before the next byte.
  private var matched = 0
  /// True if the name followed the last `<`.
  private var hasName = false

  /// Inspects the next bytes.
  ///
  /// - Returns: The number of bytes up to such an end, and true if there is one; otherwise all bytes.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> (count: Int, isEnd: Bool) {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"): (matched, hasName) = (0, false)
      case UInt8(ascii: ">") where hasName: return (index + 1, true)
      case Self.name[matched]:
        matched += 1
        if matched == Self.name.count { (matched, hasName) = (0, true) }
      default: matched = byte == Self.name[0] ? 1 : 0
      }
    }
    return (bytes.count, false)
  }
}

/// A collector of the elements of a `result`.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 3 (`Result`).
private struct ResultFields {
  private var seen: Set<String> = []
  private var status: OperationStatus?
  private var collected = SensorAnswer(status: .failure, namespace: .bioserv)

  /// Returns the response made of all elements; throws an error if there is no status.
  func response(_ namespace: ProtocolNamespace?) throws(SensorFault.Kind) -> SensorAnswer {
    guard let status, let namespace else { throw .malformed(reason: "the status is missing") }
    var result = collected
    (result.status, result.namespace) = (status, namespace)
    return result
  }

  /// Adds an element of the result.
  ///
  /// - Parameter values: Notes irregularities.
  mutating func take(
    _ node: WireNode, _ limits: SensorLimits, _ values: inout WireValueReader
  ) throws(SensorFault.Kind) {
    if node.isNil { return }
    let known = ["status", "badFields", "captureIds", "metadata", "message", "sessionId", "contentType"]
    guard known.contains(node.local) else { return values.note("the result has an unknown element") }
    guard seen.insert(node.local).inserted else { throw .malformed(reason: "two '\(node.local)' elements") }
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
    if word.isEmpty { throw .malformed(reason: "the status is empty") }
    let status = OperationStatus(word: SanitizedText.line(word, limit: 100))
    if case .unknown = status { values.note("the status is unknown and is treated as a failure") }
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
        values.note("a capture id that is not a UUID was ignored")
        continue
      }
      if !known.insert(id).inserted {
        values.note("a capture id occurs twice")
      } else if collected.captureIDs.count == limits.captureIDs {
        return values.note("more than \(limits.captureIDs) capture ids; the others were ignored")
      } else {
        collected.captureIDs.append(id)
      }
    }
  }

  private mutating func setSessionID(_ text: String) throws(SensorFault.Kind) {
    if text.trimmed().isEmpty { return }
    guard let id = SensorUUID(text) else { throw .malformed(reason: "the session id is not a UUID") }
    collected.sessionID = id
  }
}
