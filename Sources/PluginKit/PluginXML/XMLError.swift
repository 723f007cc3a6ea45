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
      "the XML is not well-formed in line \(line), column \(column): \(reason)"
    case .truncated(let line): "the XML ends in line \(line) before its outermost element does"
    case .entity(let name, let line): "the XML has the entity '\(name)' in line \(line); entities are not read"
    case .tooDeep(let limit, let line): "elements are nested more than \(limit) deep in line \(line)"
    case .tooLarge(let limit): "the XML is larger than the allowed \(limit) bytes"
    case .longName(let limit, let line): "a name in line \(line) is longer than the allowed \(limit) bytes"
    case .tooManyAttributes(let limit, let line): "an element in line \(line) has more than \(limit) attributes"
    case .outOfMemory: "there is not enough memory to read XML"
    case .libraryMissing(let reason):
      "libxml2 cannot be used: \(reason); install it: sudo apt-get install libxml2"
    }
  }
}
