/// Why a document cannot be read.
@frozen
public enum XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It breaks a rule of XML, in libxml2's words.
  case notWellFormed(line: Int, column: Int, reason: String)
  /// It ends before its outermost element does.
  case truncated(line: Int)
  /// It declares or uses an entity, which is not read.
  case entity(name: String, line: Int)
  /// Elements are nested deeper than allowed.
  case tooDeep(limit: Int, line: Int)
  /// It is larger than allowed.
  case tooLarge(limitInBytes: Int)
  /// A name is longer than allowed.
  case longName(limit: Int, line: Int)
  /// An element has more attributes than allowed.
  case tooManyAttributes(limit: Int, line: Int)
  /// There is not enough memory.
  case outOfMemory
  /// The system's libxml2 is missing or unfit.
  case libraryMissing(reason: String)

  /// What is wrong and where, without a full stop.
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
