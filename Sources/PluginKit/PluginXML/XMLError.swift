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
