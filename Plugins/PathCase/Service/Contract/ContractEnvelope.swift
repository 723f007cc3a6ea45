import PluginText
internal import PluginXML

/// Finds the document in a service's response: bare, in a SOAP envelope, or as escaped text in either.
///
/// - Source: SOAP 1.1, sections 4 and 4.4; SOAP 1.2 part 1, section 5.4 (faults).
final class ContractEnvelope {
  private let document: String
  private let expecting: ContractType?
  /// The local names of the open elements outside the document, in lowercase.
  private var path: [String] = []
  private var depthInBody = 0
  private var body: ContractBody?
  private var found: ContractDocument?
  private var isFault = false
  private var text: [UInt8] = []

  init(document: String, expecting: ContractType?) {
    self.document = document
    self.expecting = expecting
  }

  func begin(_ start: XMLElement, line: Int, column: Int) throws(ContractError) {
    let location = RecordPlace(document: document, line: line, column: column)
    if let body {
      depthInBody += 1
      return body.begin(start, location: location)
    }
    let name = start.name.local
    if path.isEmpty {
      try check(root: start, line: line)
    } else if path.count == 2, path[1] == "body", name == "Fault" {
      isFault = true
    }
    if name == "MAW", found == nil, path.isEmpty || path.first == "envelope" {
      body = try ContractBody(start, document: document, expecting: expecting, location: location)
    } else {
      path.append(name.lowercased())
      if isTaken { text.removeAll(keepingCapacity: true) }
    }
  }

  private func check(root: XMLElement, line: Int) throws(ContractError) {
    switch root.name.local.lowercased() {
    case "html": throw .documentType(document: document, reason: "is a web page")
    case "maw" where root.name.local == "MAW" && isKnown(root.name.namespace): return
    case "envelope", "string": return
    default: throw .otherRoot(document: document, found: root.name.local, line: line)
    }
  }

  private func isKnown(_ space: String) -> Bool { space.isEmpty || space.hasPrefix("urn:pathcase:maw:") }

  /// A Boolean value indicating whether the text of the open element is used.
  private var isTaken: Bool {
    guard let last = path.last else { return false }
    return isFault ? last == "faultstring" || last == "text" : last.hasSuffix("result") || last == "string"
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let body { body.text(bytes) } else if isTaken { text.append(contentsOf: bytes) }
  }

  func end() throws(ContractError) {
    guard let body else {
      if isFault, isTaken { throw .fault(document: document, text: shown) }
      if isFault, path.last == "fault" { throw .fault(document: document, text: "(without a message)") }
      path.removeLast()
      return
    }
    if depthInBody > 0 {
      depthInBody -= 1
      return body.end()
    }
    found = try body.finish()
    self.body = nil
  }

  /// The text in one line, truncated to a displayable length.
  private var shown: String {
    let excerpt = String(decoding: text.prefix(400), as: UTF8.self)
    return String(excerpt.map { $0.isNewline ? " " : $0 }).trimmed()
  }

  /// Returns the document, or its bytes if it came as escaped text.
  func finish() throws(ContractError) -> Finding {
    if let found { return .document(found) }
    if text.contains(where: { !ContractNumber.isBlank($0) }) { return .escaped(text) }
    throw .otherRoot(document: document, found: path.first ?? "an envelope without a document", line: 1)
  }

  /// The contents of an envelope.
  enum Finding {
    case document(ContractDocument)
    case escaped([UInt8])
  }
}
