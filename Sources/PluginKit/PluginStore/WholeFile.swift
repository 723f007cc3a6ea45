internal import Glibc
public import PluginAPI
internal import Synchronization

/// Atomic writing of files: a file with a name is always complete, whenever the process ends.
public enum WholeFile {
  /// The suffix of the names of incomplete files.
  public static let draftEnding = ".part"

  /// Writes a new file; removes it if it could not be written completely.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file.
  ///   - mode: Its permissions, less the process's mask.
  ///   - isDurable: True if the content must be on the device when this returns.
  /// - Returns: 0, or the system's error number; EEXIST if the file already exists.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return errno }
    var failure = write(bytes, to: descriptor)
    if failure == 0, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure != 0 { unlink(path) }
    return failure
  }

  /// Replaces a file in one step; the old content is visible until then, and stays if this fails.
  ///
  /// Links are followed, and anything but a plain file is written into; see ``WholeFileWriter``.
  /// - Returns: 0, or the system's error number.
  public static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, isDurable: Bool = true, followsLinks: Bool = true
  ) -> Int32 {
    do throws(WholeFileFailure) {
      let writer = try WholeFileWriter(path, mode: mode, isDurable: isDurable, followsLinks: followsLinks)
      try writer.write(bytes)
      try writer.close()
      return 0
    } catch {
      return error.number
    }
  }

  /// The target of a path.
  @frozen public enum Place: Sendable, Hashable {
    /// A plain file, or none yet: its path with all links resolved, and its permissions if it exists.
    case file(path: String, mode: UInt32?)
    /// A target that accepts bytes and stores none, such as a pipe or a device.
    case special
    /// A folder.
    case folder
  }

  /// Returns the target of a path, following links.
  ///
  /// - Throws: The system's error if it cannot be determined.
  public static func place(of path: String) throws(WholeFileFailure) -> Place {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return .folder
      case S_IFREG:
        guard let resolved = realpath(path, nil) else { throw WholeFileFailure(number: errno) }
        defer { free(resolved) }
        return .file(path: String(cString: resolved), mode: status.st_mode & 0o777)
      default: return .special
      }
    }
    guard errno == ENOENT, !path.isEmpty else { throw WholeFileFailure(number: errno) }
    return .file(path: try endOfLinks(path), mode: nil)
  }

  /// Returns the name at the end of links that do not lead to a file yet.
  private static func endOfLinks(_ path: String) throws(WholeFileFailure) -> String {
    var path = path
    // The number of links that the system follows.
    for _ in 0..<40 {
      var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = name.withUnsafeMutableBytes { room in room.baseAddress.map { readlink(path, $0, room.count) } ?? 0 }
      if count <= 0 { return path }
      let target = String(decoding: name[..<count], as: UTF8.self)
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw WholeFileFailure(number: ELOOP)
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: 0, or the system's error number.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? EIO : errno }
      written += count
    }
    return 0
  }
}

/// The reason why a file was not written.
public struct WholeFileFailure: Error, Equatable, Sendable {
  /// The system's error number.
  public let number: Int32

  /// Creates a failure.
  public init(number: Int32) {
    self.number = number
  }
}

/// A file that is written in pieces and gets its name when it is complete.
///
/// A link is followed, so that its target is replaced and the link stays; that file keeps its permissions. Anything but
/// a plain file, such as a pipe or a device, is written into. Without ``close()``, a plain file is not created.
public final class WholeFileWriter {
  private let target: String
  /// The path of the incomplete file; nil if the target is not a plain file.
  private let draft: String?
  private let isDurable: Bool
  private var descriptor: Int32

  /// A counter that distinguishes the drafts that this process writes at the same time.
  private static let written = Atomic(0)

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - mode: The permissions of a new file, less the process's mask.
  ///   - isDurable: True if the content must be on the device when ``close()`` returns.
  ///   - followsLinks: True to follow a link; otherwise it is replaced, and the file gets the given permissions.
  /// - Throws: The system's error; EISDIR for a folder.
  public init(
    _ path: String, mode: UInt32 = 0o600, isDurable: Bool = true, followsLinks: Bool = true
  ) throws(WholeFileFailure) {
    self.isDurable = isDurable
    let place = followsLinks ? try WholeFile.place(of: path) : .file(path: path, mode: nil)
    switch place {
    case .folder: throw WholeFileFailure(number: EISDIR)
    case .special:
      (target, draft) = (path, nil)
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      if descriptor < 0 { throw WholeFileFailure(number: errno) }
    case .file(let path, let kept):
      let draft = "\(path).\(getpid())-\(Self.written.add(1, ordering: .relaxed).newValue)\(WholeFile.draftEnding)"
      (target, self.draft) = (path, draft)
      // The remains of a killed process with the same number.
      unlink(draft)
      descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
      if descriptor < 0 { throw WholeFileFailure(number: errno) }
      if let kept, fchmod(descriptor, kept) != 0 { throw WholeFileFailure(number: errno) }
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    if let draft { unlink(draft) }
  }

  /// Appends bytes.
  ///
  /// - Throws: The system's error.
  public func write(_ bytes: [UInt8]) throws(WholeFileFailure) {
    let failure = WholeFile.write(bytes, to: descriptor)
    if failure != 0 { throw WholeFileFailure(number: failure) }
  }

  /// Moves the file into place.
  ///
  /// - Throws: The system's error; the old file is then unchanged.
  public func close() throws(WholeFileFailure) {
    var failure: Int32 = 0
    if draft != nil, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if Glibc.close(descriptor) != 0, failure == 0 { failure = errno }
    descriptor = -1
    if let draft {
      if failure == 0, rename(draft, target) != 0 { failure = errno }
      if failure != 0 { unlink(draft) }
    }
    if failure != 0 { throw WholeFileFailure(number: failure) }
  }
}

/// The messages for a file that a user named and that cannot be written.
extension WholeFileFailure {
  /// The kind of failure; the same as for files that the host writes.
  public var kind: ErrorReport.Kind {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .refused
    default: .failure
    }
  }

  /// The reason in words, without a full stop.
  public var reason: String { number == EISDIR ? "it is a folder" : String(cString: strerror(number)).lowercased() }

  /// The suggested remedy; nil if the reason says enough.
  public var advice: String? {
    switch number {
    case ENOENT: "create its folder first"
    case EISDIR: "name a file in it"
    default: nil
    }
  }

  /// Returns the report on an output file of a command.
  ///
  /// - Parameter error: The plugin's error for such files; the failure decides the kind.
  public func report(_ error: DeclaredError, of path: String) -> ErrorReport {
    var report = error("'\(path)' cannot be written: \(reason)", advice: advice, details: ["file": .text(path)])
    report.kind = kind
    return report
  }
}

extension WholeFile {
  /// Checks the name of a command's output file before any work is done for it.
  ///
  /// - Throws: `error` with the kind `usage` if the name is empty or `-`.
  public static func checkOutput(_ path: String, _ error: DeclaredError) throws(ErrorReport) {
    guard path.isEmpty || path == "-" else { return }
    var report = error(
      "'\(path)' is not a file name", advice: "give a file name; '--output -' writes to standard output",
      details: ["file": .text(path)])
    report.kind = .usage
    throw report
  }

  /// Writes a command's output file, with the permissions of files that users make.
  ///
  /// Links are followed, and anything but a plain file is written into; see ``WholeFileWriter``.
  /// - Throws: `error` if the name does not denote a file, or the file cannot be written.
  public static func writeOutput(_ bytes: [UInt8], to path: String, _ error: DeclaredError) throws(ErrorReport) {
    try checkOutput(path, error)
    let failure = replace(path, with: bytes, mode: 0o666)
    if failure != 0 { throw WholeFileFailure(number: failure).report(error, of: path) }
  }
}

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

    /// The reason in words, without a full stop: `it is not a plain file`.
    public var reason: String {
      switch self {
      case .system(let number): String(cString: strerror(number))
      case .notPlain: "it is not a plain file"
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
