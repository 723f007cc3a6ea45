/// A reason why a structure cannot be written in a format.
enum StructureWritingError: Error, Equatable, CustomStringConvertible {
  /// The format has no room for a value; the text names it.
  case noRoom(String)

  var description: String {
    switch self {
    case .noRoom(let reason): reason
    }
  }
}
