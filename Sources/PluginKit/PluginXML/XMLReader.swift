internal import CMarkup

/// Reads an XML document piece by piece, in memory that does not grow with it.
///
/// Nothing outside the document is loaded, no document type is followed, and entities other than the five of XML end
/// the reading. Not for use from several threads at once.
///
/// ```swift
/// let reader = try XMLReader { event in
///   if case .begin(let element) = event { names.append(element.name.local) }
/// }
/// try reader.push(bytes)
/// try reader.finish()
/// ```
public final class XMLReader {
  /// What is still read.
  public struct Limits: Sendable, Hashable {
    /// How deep elements may be nested.
    public var depth = 256
    /// How many bytes a document may have.
    public var sizeInBytes = 1 << 30
    /// How long a name may be, in bytes.
    public var nameInBytes = 1024
    /// How many attributes an element may have.
    public var attributes = 1024

    /// Creates the usual limits.
    public init() {}
  }

  private let limits: Limits
  private let handler: (XMLEvent) throws -> Void
  private var parser: OpaquePointer?
  private var pushed = 0
  private var failure: (any Error)?
  /// Whether the outermost element has ended.
  private var hasEnded = false
  /// Where the namespaces of each open element begin.
  private var marks: [Int] = []
  private var spaces: [(prefix: String, namespace: String)] = []
  private var knownSpaces: [(pointer: UnsafePointer<CChar>, text: String)] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: What is still read.
  ///   - handler: Takes the events in order; what it throws ends the reading and is thrown again.
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

  /// How deep the element that is being read is nested; 0 outside of all.
  public var depth: Int { marks.count }

  /// The line that is being read, from 1; in the start of an element the line its start tag ends in.
  public var line: Int { Int(markup_line(parser)) }

  /// The place in the line, from 1, in characters; in the start of an element where its start tag ends.
  public var column: Int { Int(markup_column(parser)) }

  /// The namespace a prefix stands for where the reader is; nil if it is not declared.
  ///
  /// - Parameter prefix: The prefix; empty for the default namespace.
  public func namespace(of prefix: String) -> String? {
    if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
    return spaces.last { $0.prefix == prefix }?.namespace
  }

  /// Reads the next piece.
  ///
  /// - Throws: ``XMLError``, and what the handler throws; then again with every later call.
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

  /// Says that there are no more pieces.
  ///
  /// - Throws: ``XMLError/truncated(line:)`` if the document is not complete; else as for a piece.
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

  /// Does a piece of work of an event; what it throws ends the reading.
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

  /// The text of a namespace; libxml2 keeps one copy of each, so that the place tells which it is.
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

/// The reader of an event.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
  context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

/// The start of an element as libxml2 tells it.
private struct RawElement {
  var name: UnsafePointer<CChar>?
  var prefix: UnsafePointer<CChar>?
  var space: UnsafePointer<CChar>?
  var spaceCount: Int
  var spaces: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  var attributeCount: Int
  var attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
}
