import PluginText
internal import PluginXML

/// Processes the contents of a document's `MAW` element.
final class ContractBody {
  private let document: String
  private let type: ContractType
  private let snapshot: String
  private var records: ContractRecords
  /// The open elements, without `MAW` itself.
  private var open: [ContractElement] = []
  /// The open record, for messages, and whether it was accepted.
  private var owner: String?
  private var isKept = false
  /// The nesting depth of open unknown elements.
  private var unknownDepth = 0
  /// The text of the open element, if the element's text is relevant.
  private var text: [UInt8] = []
  private var skippedElements = SkippedContent("elements")
  private var skippedAttributes = SkippedContent("attributes")
  private var warnings: [RecordIssue] = []
  private var issues: [RecordIssue] = []
  private var issueCount = 0

  /// Starts with the start tag of `MAW` itself.
  init(_ root: XMLElement, document: String, expecting: ContractType?, location: RecordPlace) throws(ContractError) {
    self.document = document
    let space = root.name.namespace
    if space.hasPrefix("urn:pathcase:maw:"), space != "urn:pathcase:maw:1" {
      throw .otherVersion(document: document, found: space)
    }
    let version = (root["version"] ?? "").trimmed()
    guard version == "1" else { throw .otherVersion(document: document, found: version) }
    let word = (root["type"] ?? "").trimmed()
    guard let type = ContractType(rawValue: word), expecting == nil || type == expecting else {
      throw .otherType(document: document, found: word, expected: expecting)
    }
    self.type = type
    records = ContractRecords(type: type)
    snapshot = root["snapshot"] ?? ""
    if root["snapshot"] == nil {
      note(RecordIssue(code: .missingAttribute, message: "MAW has no attribute 'snapshot'", location: location))
    }
    for attribute in root.attributes where !Self.rootNames.contains(Identifier(attribute.name.local)) {
      skippedAttributes.note(Identifier(attribute.name.local), line: location.line)
    }
  }

  private static let rootNames: [Identifier] = ["type", "version", "snapshot", "schemaLocation"]

  func begin(_ start: XMLElement, location: RecordPlace) {
    let allowed = open.last?.children ?? [.record(of: type)]
    let name = Identifier(start.name.local)
    let isOurs = start.name.namespace.isEmpty || start.name.namespace == "urn:pathcase:maw:1"
    guard unknownDepth == 0, isOurs, let element = allowed.first(where: { Identifier($0.rawValue) == name }) else {
      if unknownDepth == 0 { skippedElements.note(name, line: location.line) }
      unknownDepth += 1
      return
    }
    open.append(element)
    let attributes = ContractAttributes(start, of: element, location: location, owner: open.count > 1 ? owner : nil) {
      skippedAttributes.note($0, line: location.line)
    }
    for name in attributes.longTexts {
      warn(attributes.issue(.longText, "\(attributes.subject) has a very long '\(name)', which is shown truncated"))
    }
    take(attributes)
  }

  private func take(_ attributes: ContractAttributes) {
    do throws(RecordIssue) {
      if open.count == 1 {
        owner = attributes.subject
        isKept = false
        try records.begin(attributes)
        isKept = true
      } else if attributes.element.textName != nil {
        text.removeAll(keepingCapacity: true)
      } else {
        try records.add(attributes, isKept: isKept)
      }
    } catch {
      note(error)
    }
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if unknownDepth == 0, open.last?.textName != nil { text.append(contentsOf: bytes) }
  }

  func end() {
    if unknownDepth > 0 {
      unknownDepth -= 1
      return
    }
    guard let element = open.popLast(), let name = element.textName else { return }
    let word = String(decoding: text, as: UTF8.self).trimmed()
    if word.isEmpty || !isKept { return }
    if word.utf8.count > ContractAttributes.longTextInBytes {
      warn(
        RecordIssue(
          code: .longText, message: "\(owner ?? "a record") has a very long \(name), which is shown truncated"))
    }
    records.add(word, of: element)
  }

  private func note(_ issue: RecordIssue) {
    issueCount += 1
    if issues.count < RecordIssue.kept { issues.append(issue) }
  }

  private func warn(_ issue: RecordIssue) {
    if warnings.count < RecordIssue.kept { warnings.append(issue) }
  }

  /// Returns the whole document.
  ///
  /// - Throws: `records` if any of its records is unusable.
  func finish() throws(ContractError) -> ContractDocument {
    if issueCount > 0 { throw .records(document: document, issues: issues, total: issueCount) }
    var result = ContractDocument(type: type, snapshot: snapshot)
    result.records = records.records
    result.records.snapshot = snapshot
    result.documents = records.documents
    result.places = records.places
    result.warnings = [skippedElements, skippedAttributes].compactMap { $0.issue(in: document) } + warnings
    result.skippedCount = skippedElements.count + skippedAttributes.count
    return result
  }
}
