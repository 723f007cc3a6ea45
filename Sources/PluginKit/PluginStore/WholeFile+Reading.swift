internal import Glibc

extension WholeFile {
  /// The reason why a file cannot be read.
  @frozen public enum ReadFailure: Error, Sendable, Hashable {
    /// The system refused, with an error number.
    case system(number: Int32)
    /// The path leads to a folder, a pipe or a device, which has no size.
    case notPlain
    /// The file is larger than allowed.
    case tooLarge(limitInBytes: Int)

    /// A Boolean value indicating whether the file does not exist.
    public var isMissing: Bool { self == .system(number: ENOENT) || self == .system(number: ENOTDIR) }

    /// The reason in words, without a full stop: `it is not a regular file`.
    public var reason: String {
      switch self {
      case .system(let number): String(cString: strerror(number))
      case .notPlain: "it is not a regular file"
      case .tooLarge(let limit): "it is larger than \(limit) bytes"
      }
    }
  }

  /// Reads a plain file; does not block on anything else.
  ///
  /// - Parameter limit: The maximum size in bytes.
  public static func read(_ path: String, limitInBytes limit: Int) throws(ReadFailure) -> [UInt8] {
    // Without blocking: a pipe or a device must not delay us before it is known not to be a file.
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
