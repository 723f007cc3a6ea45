/// A maker of a response's document, with its faults and oddities.
struct FaultyDocument: Sendable {
  let configuration: SimulatorConfiguration
  let faults: [SimulatorFaultRule]
  /// The id of the first capture there was.
  let earlier: String?

  /// Returns the document, with the faults of its elements applied.
  ///
  /// - Parameter word: An unknown status; nil for that of the response.
  func document(_ answer: SimulatedAnswer, word: String?) -> SimulatedDocument {
    var answer = answer
    for rule in faults { change(&answer, rule) }
    var element = answer.element(configuration)
    if let word { element["status"]?.text = word }
    for rule in faults { change(&element, rule) }
    var document = writer.document(element)
    for rule in faults {
      if let form = Self.dataForms[rule.fault] { document.dataForm = form }
    }
    return document
  }

  private static let dataForms: [SimulatorFault: SimulatedDocument.DataForm] = [
    .wrappedData: .wrapped, .cdataData: .inCDATA, .junkData: .junk, .cutData: .cut, .paddedData: .paddedInside,
    .emptyData: .empty,
  ]

  private var writer: SimulatedWriter {
    var writer = SimulatedWriter(namespace: configuration.namespace.rawValue, style: configuration.style)
    for rule in faults {
      switch rule.fault {
      case .unknownNamespace: writer.namespace = rule.value ?? "urn:example:not-a-sensor"
      case .noNamespace: writer.namespace = ""
      case .otherNamespace:
        writer.namespace = (configuration.namespace == .nist ? ProtocolNamespace.bioserv : .nist).rawValue
      case .prefixed: writer.isPrefixed = true
      case .otherStyle: writer.style = configuration.style == .wcf ? .jaxb : .wcf
      case .cdata: writer.textForm = .inCDATA
      case .comments: writer.textForm = .withComments
      case .references: writer.textForm = .asReferences
      case .padded: writer.textForm = .padded
      default: break
      }
    }
    return writer
  }

  // MARK: Responses

  private func change(_ answer: inout SimulatedAnswer, _ rule: SimulatorFaultRule) {
    switch rule.fault {
    case .noSession: answer.sessionID = nil
    case .badSession: answer.sessionID = answer.sessionID.map { _ in "session-42" }
    case .pathSession: answer.sessionID = answer.sessionID.map { _ in "../../admin" }
    case .blankSession: answer.sessionID = answer.sessionID.map { "\($0.prefix(18)) \($0.dropFirst(18))" }
    case .noCaptures: answer.captureIDs = nil
    case .emptyCaptures: answer.captureIDs = answer.captureIDs.map { _ in [] }
    case .doubleCaptures: answer.captureIDs = answer.captureIDs.map { $0.flatMap { [$0, $0.uppercased()] } }
    case .manyCaptures:
      var chance = SeededChance(configuration.seed, 10_000)
      answer.captureIDs = answer.captureIDs.map { $0 + (0..<10_000).map { _ in chance.identifier() } }
    case .foreignCapture:
      if let earlier { answer.captureIDs = answer.captureIDs.map { _ in [earlier] } }
    case .noData: answer.data = nil
    case .noMetadata: answer.metadata = nil
    case .cutPicture: answer.data = answer.data.map { SimulatedData(Array($0.bytes.prefix($0.count / 2))) }
    case .emptyPicture:
      answer.data = answer.data.map { _ in SimulatedData(BitmapFile.head(width: 0, height: 0, pixelsPerMetre: 0)) }
    case .bombPicture:
      answer.data = answer.data.map { _ in SimulatedData(GreyPNGFile.claim(width: 50_000, height: 50_000)) }
    case .hostileTexts:
      answer.message = Self.hostile
      answer.metadata?.append(SimulatedItem("vendor", .text(Self.hostile)))
    default: if let metadata = answer.metadata { answer.metadata = FaultyMetadata(rule).changed(metadata) }
    }
  }

  /// Marks that reverse the writing direction, and other characters that no terminal should receive unfiltered.
  private static let hostile = "ok \u{202E}gnp.drawkcab\u{2066}\u{200B}\u{85}\u{9B}31m\u{2028}end"

  // MARK: Elements

  private func change(_ element: inout SimulatedElement, _ rule: SimulatorFaultRule) {
    switch rule.fault {
    case .noStatus: element["status"] = nil
    case .twoStatuses: element.children.insert(SimulatedElement("status", text: "failure"), at: 1)
    case .unknownStatus: element["status"]?.text = rule.value ?? "sensorOnFire"
    case .upperCaseStatus:
      let word = element["status"]?.text.uppercased() ?? ""
      element["status"]?.text = word
    case .reordered: element.children.reverse()
    case .namelessParameter:
      guard let index = element["metadata"]?.children.indices.last else { return }
      element["metadata"]?.children[index]["value"]?["name"] = nil
    default: break
    }
  }

  // MARK: Bytes

  private static let ofBytes: Set<SimulatorFault> = [
    .cutTag, .junkBehind, .mismatchedTags, .doctype, .externalEntity, .entityBomb, .deep, .manyItems, .bigKey, .badUTF8,
    .escapeCharacters, .nul, .utf16, .bom,
  ]

  /// True if its bytes are changed as well.
  var changesBytes: Bool { faults.contains { Self.ofBytes.contains($0.fault) } }

  /// Returns the bytes with changes that make them malformed, or unusual.
  func changed(_ bytes: [UInt8]) -> [UInt8] {
    faults.reduce(bytes) { bytes, rule in FaultyBytes(rule.fault).changed(bytes) }
  }
}
