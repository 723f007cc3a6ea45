internal import Glibc

extension WholeFile {
  /// Why a file gives no bytes.
  @frozen public enum ReadFailure: Error, Sendable, Hashable {
    /// The system says no, with the number of its error.
    case system(number: Int32)
    /// It is a folder, a pipe, a device: nothing that has a size.
    case notPlain
    /// It is larger than allowed.
    case tooLarge(limitInBytes: Int)

    /// Whether there is no such file.
    public var isMissing: Bool { self == .system(number: ENOENT) || self == .system(number: ENOTDIR) }

    /// The reason in words, without an end: `it is no plain file`.
    public var reason: String {
      switch self {
      case .system(let number): String(cString: strerror(number))
      case .notPlain: "it is no plain file"
      case .tooLarge(let limit): "it is larger than \(limit) bytes"
      }
    }
  }

  /// Reads a plain file; what is none is not waited for.
  ///
  /// - Parameter limit: The most bytes it may have.
  public static func read(_ path: String, limitInBytes limit: Int) throws(ReadFailure) -> [UInt8] {
    // Without waiting: a pipe or a device must not hold us up before it is known to be no file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    guard status.st_size <= limit else { throw .tooLarge(limitInBytes: limit) }
    let size = Int(status.st_size)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
      while filled < size {
        let count = Glibc.read(descriptor, room.baseAddress.map { $0 + filled }, size - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        if count <= 0 { return }
        filled += count
      }
    }
    if failure != 0 { throw .system(number: failure) }
    return bytes
  }
}
