/// A reason why a file could not be read as a structure at all.
enum StructureReadingError: Error, Equatable, CustomStringConvertible {
  case empty
  /// The format is not known.
  ///
  /// - Parameter name: the file's name.
  case unknownFormat(name: String)
  /// The format is known but has no atoms with coordinates; the text explains why.
  case noCoordinates(String)
  /// The file is broken before anything could be read; line and column count from 1.
  case malformed(line: Int, column: Int, String)
  /// Binary content is broken before anything could be read; the offset counts from 0.
  case damaged(byte: Int, String)
  /// The compressed data cannot be read; the text explains why.
  case compression(String)
  /// The uncompressed content is larger than the limit, in bytes.
  case contentTooLarge(limitInBytes: Int)

  /// The position in the uncompressed file.
  var place: FilePlace {
    switch self {
    case .malformed(let line, let column, _): .text(line: line, column: column)
    case .damaged(let byte, _): .byte(byte)
    case .empty, .unknownFormat, .noCoordinates, .compression, .contentTooLarge: .whole
    }
  }

  /// The reason, without the position.
  var reason: String {
    if case .malformed(_, _, let reason) = self { reason } else { description }
  }

  var description: String {
    switch self {
    case .empty: "the file is empty; give a PDB, mmCIF, BinaryCIF, SDF or XYZ file"
    case .unknownFormat(let name):
      "the format of '\(name)' is not known; known are \(StructureFile.formats.map(\.name).joined(separator: ", "))"
    case .noCoordinates(let reason): "the file has no coordinates of atoms: \(reason)"
    case .malformed(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .damaged(_, let reason): "the file is damaged: \(reason); fetch it again"
    case .compression(let reason): reason
    case .contentTooLarge(let limit): "the uncompressed content is larger than \(limit >> 20) MiB"
    }
  }
}
