internal import CMarkup

/// A reader of XML in pieces, in memory that does not grow with the document.
///
/// Nothing outside the document is loaded, document types are not followed, and entities other than the five of XML are
/// an error. Do not use a reader on several threads at once.
///
/// ```swift
/// let reader = try XMLReader { event in
///   if case .begin(let element) = event { names.append(element.name.local) }
/// }
/// try reader.push(bytes)
/// try reader.finish()
/// ```
public final class XMLReader {
  /// The limits of a document.
  public struct Limits: Sendable, Hashable {
    /// The maximum nesting depth of elements.
    public var depth = 256
    /// The maximum number of bytes of a document.
    public var sizeInBytes = 1 << 30
    /// The maximum length of a name, in bytes.
    public var nameInBytes = 1024
    /// The maximum number of attributes of an element.
    public var attributes = 1024

    /// Creates the default limits.
    public init() {}
  }

  private let limits: Limits
  private let handler: (XMLEvent) throws -> Void
  private var parser: OpaquePointer?
  private var pushed = 0
  private var failure: (any Error)?
  /// A Boolean value indicating whether the root element has ended.
  private var hasEnded = false
  /// The index of the first namespace of each open element.
  private var marks: [Int] = []
  private var spaces: [(prefix: String, namespace: String)] = []
  private var knownSpaces: [(pointer: UnsafePointer<CChar>, text: String)] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: The limits of the document.
  ///   - handler: Receives the events in order; an error that it throws ends the reading and is rethrown.
  /// - Throws: ``XMLError/libraryMissing(reason:)``, ``XMLError/outOfMemory``.
  public init(limits: Limits = Limits(), _ handler: @escaping (XMLEvent) throws -> Void) throws(XMLError) {
    self.limits = limits
    self.handler = handler
    if let problem = markup_open() { throw .libraryMissing(reason: String(cString: problem)) }
    parser = markup_create_xml(receiver)
    if parser == nil { throw .outOfMemory }
  }

  deinit {
    if let parser { markup_free(parser) }
  }

  /// The nesting depth of the current element; 0 outside all elements.
  public var depth: Int { marks.count }

  /// The current line, from 1; for the start of an element, the line in which its start tag ends.
  public var line: Int { Int(markup_line(parser)) }

  /// The current column, from 1, in characters; for the start of an element, the end of its start tag.
  public var column: Int { Int(markup_column(parser)) }

  /// Returns the namespace of a prefix at the current position; nil if it is not declared.
  ///
  /// - Parameter prefix: The prefix; empty for the default namespace.
  public func namespace(of prefix: String) -> String? {
    if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
    return spaces.last { $0.prefix == prefix }?.namespace
  }

  /// Reads the next piece.
  ///
  /// - Throws: ``XMLError``, or the handler's error; every later call throws it again.
  public func push(_ bytes: UnsafeRawBufferPointer) throws {
    if let failure { throw failure }
    pushed += bytes.count
    if pushed > limits.sizeInBytes {
      failure = XMLError.tooLarge(limitInBytes: limits.sizeInBytes)
    } else {
      read(bytes, isLast: false)
    }
    if let failure { throw failure }
  }

  /// Reads the next piece.
  public func push(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try push($0) } }

  /// Ends the document.
  ///
  /// - Throws: ``XMLError/truncated(line:)`` if the document is incomplete; otherwise as for a piece.
  public func finish() throws {
    if let failure { throw failure }
    read(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    if let failure { throw failure }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    let problem = markup_push(parser, start, bytes.count, isLast ? 1 : 0)
    if problem.code == 0 || failure != nil { return }
    if isLast, !hasEnded {
      failure = XMLError.truncated(line: Int(problem.line))
      return
    }
    let words = withUnsafeBytes(of: problem.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    failure = XMLError.notWellFormed(line: Int(problem.line), column: Int(problem.column), reason: words)
  }

  /// Runs the handler of an event; an error ends the reading.
  fileprivate func take(_ work: () throws -> Void) {
    if failure != nil { return }
    do {
      try work()
    } catch {
      failure = error
      markup_stop(parser)
    }
  }

  fileprivate func begin(_ element: RawElement) throws {
    if marks.count >= limits.depth { throw XMLError.tooDeep(limit: limits.depth, line: line) }
    if element.attributeCount > limits.attributes {
      throw XMLError.tooManyAttributes(limit: limits.attributes, line: line)
    }
    marks.append(spaces.count)
    for index in 0..<element.spaceCount {
      spaces.append((text(element.spaces?[2 * index]), text(element.spaces?[2 * index + 1])))
    }
    var attributes: [XMLElement.Attribute] = []
    attributes.reserveCapacity(element.attributeCount)
    for index in 0..<element.attributeCount {
      guard let parts = element.attributes.map({ $0 + 5 * index }), let start = parts[3], let end = parts[4] else {
        continue
      }
      let value = UnsafeRawBufferPointer(start: start, count: end - start)
      attributes.append(
        XMLElement.Attribute(try name(parts[0], parts[1], parts[2]), String(decoding: value, as: UTF8.self)))
    }
    try handler(.begin(XMLElement(try name(element.name, element.prefix, element.space), attributes: attributes)))
  }

  fileprivate func end(_ name: XMLName) throws {
    try handler(.end(name))
    if let mark = marks.popLast() { spaces.removeLast(spaces.count - mark) }
    hasEnded = marks.isEmpty
  }

  fileprivate func text(_ bytes: UnsafeBufferPointer<UInt8>) throws { try handler(.text(bytes)) }

  fileprivate func refuse(entity: String) throws { throw XMLError.entity(name: entity, line: line) }

  fileprivate func name(
    _ local: UnsafePointer<CChar>?, _ prefix: UnsafePointer<CChar>?, _ space: UnsafePointer<CChar>?
  ) throws -> XMLName {
    let name = XMLName(text(local), prefix: text(prefix), namespace: spaceText(space))
    if name.local.utf8.count + name.prefix.utf8.count > limits.nameInBytes {
      throw XMLError.longName(limit: limits.nameInBytes, line: line)
    }
    return name
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// Returns the text of a namespace.
  ///
  /// libxml2 keeps one copy of each, so that the address identifies it.
  private func spaceText(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer else { return "" }
    if let known = knownSpaces.first(where: { $0.pointer == pointer }) { return known.text }
    let text = String(cString: pointer)
    if knownSpaces.count < 16 { knownSpaces.append((pointer, text)) }
    return text
  }

  private var receiver: markup_receiver {
    var receiver = markup_receiver()
    receiver.context = Unmanaged.passUnretained(self).toOpaque()
    receiver.begin = { context, name, prefix, space, spaceCount, spaces, attributeCount, attributes in
      guard let reader = reader(context) else { return }
      let element = RawElement(
        name: name, prefix: prefix, space: space, spaceCount: Int(spaceCount), spaces: spaces,
        attributeCount: Int(attributeCount), attributes: attributes)
      reader.take { try reader.begin(element) }
    }
    receiver.end = { context, name, prefix, space in
      guard let reader = reader(context) else { return }
      reader.take { try reader.end(reader.name(name, prefix, space)) }
    }
    receiver.text = { context, bytes, count in
      guard let reader = reader(context), let bytes else { return }
      bytes.withMemoryRebound(to: UInt8.self, capacity: count) { start in
        reader.take { try reader.text(UnsafeBufferPointer(start: start, count: count)) }
      }
    }
    receiver.entity = { context, name in
      guard let reader = reader(context), let name else { return }
      reader.take { try reader.refuse(entity: String(cString: name)) }
    }
    return receiver
  }
}

/// Returns the reader of an event.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
  context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

/// The start of an element as libxml2 reports it.
private struct RawElement {
  var name: UnsafePointer<CChar>?
  var prefix: UnsafePointer<CChar>?
  var space: UnsafePointer<CChar>?
  var spaceCount: Int
  var spaces: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  var attributeCount: Int
  var attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
}

/// A name with its namespace.
public struct XMLName: Sendable, Hashable {
  /// The name without its prefix.
  public var local: String
  /// The prefix as written; empty for none.
  public var prefix: String
  /// The namespace; empty for none.
  public var namespace: String

  /// Creates a name.
  public init(_ local: String, prefix: String = "", namespace: String = "") {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
  }
}

/// The start of an element.
public struct XMLElement: Sendable, Hashable {
  /// An attribute; namespace declarations are not attributes.
  public struct Attribute: Sendable, Hashable {
    /// The name.
    public var name: XMLName
    /// The value with its references resolved.
    public var value: String

    /// Creates an attribute.
    public init(_ name: XMLName, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name.
  public var name: XMLName
  /// The attributes in order.
  public var attributes: [Attribute]

  /// Creates the start of an element.
  public init(_ name: XMLName, attributes: [Attribute] = []) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of the first attribute with a local name, in any namespace; nil if there is none.
  public subscript(local: String) -> String? { attributes.first { $0.name.local == local }?.value }
}

/// An event in a document.
public enum XMLEvent {
  /// An element starts.
  case begin(XMLElement)
  /// A piece of text, UTF-8, valid only within the call; one text may arrive in several pieces.
  case text(UnsafeBufferPointer<UInt8>)
  /// An element ends.
  case end(XMLName)
}

/// An error in reading a document.
@frozen
public enum XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The document violates a rule of XML; the reason is libxml2's message.
  case notWellFormed(line: Int, column: Int, reason: String)
  /// The document ends before its root element does.
  case truncated(line: Int)
  /// The document declares or uses an entity, which is not supported.
  case entity(name: String, line: Int)
  /// Elements are nested deeper than allowed.
  case tooDeep(limit: Int, line: Int)
  /// The document is larger than allowed.
  case tooLarge(limitInBytes: Int)
  /// A name is longer than allowed.
  case longName(limit: Int, line: Int)
  /// An element has more attributes than allowed.
  case tooManyAttributes(limit: Int, line: Int)
  /// There is not enough memory.
  case outOfMemory
  /// The system's libxml2 is missing or unsuitable.
  case libraryMissing(reason: String)

  /// A description of the error and its position, without a full stop.
  public var description: String {
    switch self {
    case .notWellFormed(let line, let column, let reason):
      "the XML is not well-formed at line \(line), column \(column): \(reason)"
    case .truncated(let line): "the XML is truncated at line \(line)"
    case .entity(let name, let line): "the XML has the entity '\(name)' at line \(line); entities are not supported"
    case .tooDeep(let limit, let line): "elements are nested more than \(limit) levels deep at line \(line)"
    case .tooLarge(let limit): "the XML is larger than the limit of \(limit) bytes"
    case .longName(let limit, let line): "a name at line \(line) is longer than the limit of \(limit) bytes"
    case .tooManyAttributes(let limit, let line): "an element at line \(line) has more than \(limit) attributes"
    case .outOfMemory: "there is not enough memory to read XML"
    case .libraryMissing(let reason):
      "cannot use libxml2: \(reason); install it with 'sudo apt-get install libxml2'"
    }
  }
}
