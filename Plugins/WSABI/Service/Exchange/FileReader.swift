import Glibc

/// A reader of an open file's bytes by offset.
struct FileReader: Sendable {
  let path: String
  let size: Int
  private let descriptor: Int32

  /// Opens a file for the duration of a call.
  ///
  /// - Throws: ``ExchangeError/file(path:number:reason:)`` if it cannot be read or is not a regular file; errors thrown
  ///   by the call.
  static func open<Result>(_ path: String, _ body: (FileReader) throws -> Result) throws -> Result {
    let reader = try FileReader(path)
    defer { close(reader.descriptor) }
    return try body(reader)
  }

  private init(_ path: String) throws(ExchangeError) {
    self.path = path
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw PrivateFile.problem(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .file(path: path, number: EINVAL, reason: "it is no plain file")
    }
    size = Int(status.st_size)
  }

  /// Passes on a range in pieces; the file must contain all of it.
  func read(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var place = range.lowerBound
    var room = [UInt8](repeating: 0, count: min(range.count, 256 << 10))
    while place < range.upperBound {
      let count = pread(descriptor, &room, min(room.count, range.upperBound - place), off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PrivateFile.problem(path, count == 0 ? ENODATA : errno) }
      try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      place += count
    }
  }

  /// Returns the bytes of a range.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    try read(range) { bytes.append(contentsOf: $0) }
    return bytes
  }
}
