/// Why a structure cannot be written in a format.
enum StructureWritingError: Error, Equatable, CustomStringConvertible {
  /// The format has no room for something; the text says for what.
  case noRoom(String)

  var description: String {
    switch self {
    case .noRoom(let reason): reason
    }
  }
}
