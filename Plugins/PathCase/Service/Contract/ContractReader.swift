internal import PluginXML

/// Reads a document of the contract into records of one type; errors include the position.
///
/// Compressed documents, SOAP envelopes and escaped texts are unwrapped. Nothing outside the given bytes is accessed.
///
/// - Source: The document contract, version 1 (Documentation/PathCase).
struct ContractReader: Sendable {
  /// The maximum nesting depth of elements.
  static let depth = 512

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The whole document, compressed by gzip or not.
  ///   - name: The path or address of the document, for messages.
  ///   - type: The required type; nil for any.
  /// - Complexity: Linear in the uncompressed size.
  func read(_ bytes: [UInt8], name: String, expecting type: ContractType? = nil) throws(ContractError)
    -> ContractDocument
  {
    let (content, warning) = try ContractPacking.unpacked(bytes, name: name)
    var document: ContractDocument
    switch try open(content, name: name, expecting: type) {
    case .document(let found): document = found
    case .escaped(let inner):
      // Only one level is unwrapped: no service nests escaped texts.
      guard case .document(let found) = try open(inner, name: "\(name) (text inside)", expecting: type) else {
        throw .otherRoot(document: name, found: "string", line: 1)
      }
      document = found
    }
    if let warning { document.warnings.insert(warning, at: 0) }
    return document
  }

  private func open(
    _ content: [UInt8], name: String, expecting type: ContractType?
  ) throws(ContractError) -> ContractEnvelope.Finding {
    try ContractText.check(content, name: name)
    let envelope = ContractEnvelope(document: name, expecting: type)
    do {
      try parse(content, into: envelope)
    } catch let error as ContractError {
      throw error
    } catch let error as XMLError {
      throw ContractError(error, document: name, size: content.count)
    } catch {
      throw .notWellFormed(document: name, line: 1, column: 1, reason: "it cannot be read")
    }
    return try envelope.finish()
  }

  private func parse(_ content: [UInt8], into envelope: ContractEnvelope) throws {
    var limits = XMLReader.Limits()
    limits.depth = Self.depth
    limits.attributes = 1 << 20
    // The reader keeps its closure, so the closure must not keep the reader.
    let position = ReaderPosition()
    let reader = try XMLReader(limits: limits) { event in
      switch event {
      case .begin(let start): try envelope.begin(start, line: position.line, column: position.column)
      case .text(let bytes): envelope.text(bytes)
      case .end: try envelope.end()
      @unknown default: break
      }
    }
    position.reader = reader
    try reader.push(content)
    try reader.finish()
  }
}

/// The current position of a reader.
private final class ReaderPosition {
  weak var reader: XMLReader?

  var line: Int { reader?.line ?? 0 }
  var column: Int { reader?.column ?? 0 }
}

extension ContractError {
  /// Creates an error of the document from an XML reader's error.
  fileprivate init(_ error: XMLError, document: String, size: Int) {
    switch error {
    case .notWellFormed(let line, let column, let reason):
      self =
        ContractText.isAboutEncoding(reason)
        ? .encoding(document: document, offset: nil, reason: "bytes that cannot be read: \(reason)")
        : .notWellFormed(document: document, line: line, column: column, reason: reason)
    case .truncated(let line):
      self = .notWellFormed(
        document: document, line: line, column: 1, reason: "it ends before its outermost element does")
    case .entity(let name, let line):
      self = .documentType(
        document: document, reason: "has the entity '\(name)' in line \(line), which is not supported")
    case .tooDeep, .longName, .tooManyAttributes: self = .beyondLimits(document: document, reason: "\(error)")
    case .tooLarge(let limit): self = .tooLarge(document: document, limitInBytes: limit)
    case .outOfMemory: self = .tooLarge(document: document, limitInBytes: size)
    case .libraryMissing(let reason): self = .libraryMissing(reason: reason)
    }
  }
}
