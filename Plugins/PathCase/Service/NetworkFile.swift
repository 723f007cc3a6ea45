import Glibc

/// Reads networks from files of all formats.
enum NetworkFile {
  /// What a file holds.
  enum Content: Sendable {
    case model(SBMLDocument)
    case map(MapDocument)
    case scenario(ScenarioNetwork)
  }

  /// The largest file, in bytes.
  static let limitInBytes = 1 << 30

  /// Reads a file, whose format is told by its content.
  ///
  /// - Throws: ``NetworkFileError``; the errors of the formats.
  static func read(_ path: String) throws -> Content {
    let bytes = try bytes(path)
    switch try FormatDetector.format(of: bytes) {
    case .sbml: return .model(try SBMLReader.model(bytes))
    case .scenario: return .scenario(try ScenarioNetworkReader.read(bytes))
    default: return .map(try MapReader.read(bytes))
    }
  }

  /// The bytes of a plain file.
  ///
  /// - Throws: ``NetworkFileError``.
  static func bytes(_ path: String) throws(NetworkFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR { throw .missing(path) }
      throw .unreadable(path, reason: String(cString: strerror(number)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path, reason: "it is no plain file")
    }
    guard status.st_size <= limitInBytes else { throw .unreadable(path, reason: "it is larger than 1 GiB") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if part < 0 { throw .unreadable(path, reason: String(cString: strerror(errno))) }
      if part == 0 { break }
      count += part
    }
    return Array(bytes.prefix(count))
  }
}
