import Glibc
import PluginAPI
import PluginStore

/// A new file that only its owner can read, under an unpredictable name until it is moved to its place.
// Around a descriptor; its owner uses it under a lock.
final class PrivateFile: @unchecked Sendable {
  let path: String
  private let hasName: Bool
  private var descriptor: Int32
  private(set) var size = 0

  /// Makes a file of a name.
  ///
  /// - Throws: ``ExchangeError/file(path:number:reason:)``.
  init(_ path: String) throws(ErrorReport) {
    self.path = path
    hasName = true
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw Self.problem(path) }
  }

  /// Makes a file without a name.
  ///
  /// It gets its name with ``settle(at:)``; until then it disappears with the process.
  ///
  /// On a file system without unnamed files it gets a hidden name.
  /// - Throws: ``ExchangeError/file(path:number:reason:)``.
  init(for path: String) throws(ErrorReport) {
    let draft = Self.draftName(path)
    let folder = draft.lastIndex(of: "/").map { String(draft[...$0]) } ?? "."
    let unnamed =
      access("/proc/self/fd", X_OK) == 0 ? open(folder, Self.withoutName | O_RDWR | O_CLOEXEC, 0o600) : -1
    self.path = draft
    hasName = unnamed < 0
    descriptor = hasName ? open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) : unnamed
    if descriptor < 0 { throw Self.problem(path) }
  }

  /// O_TMPFILE of Linux, which Swift does not see.
  ///
  /// - Source: open(2), and fcntl.h of Linux.
  private static let withoutName = 0o20000000 | O_DIRECTORY

  deinit { close() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ErrorReport) {
    try write(bytes, at: size)
    size += bytes.count
  }

  func write(_ bytes: [UInt8]) throws(ErrorReport) {
    let result = bytes.withUnsafeBytes { raw in Result { () throws(ErrorReport) in try write(raw) } }
    try result.get()
  }

  /// Overwrites bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ErrorReport) {
    var (remaining, offset) = (bytes, offset)
    while !remaining.isEmpty {
      let count = pwrite(descriptor, remaining.baseAddress, remaining.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem(path) }
      remaining = UnsafeRawBufferPointer(rebasing: remaining[count...])
      offset += count
    }
  }

  /// Waits until all is on the device, and closes the file.
  func finish() throws(ErrorReport) {
    guard descriptor >= 0 else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.problem(path) }
    close()
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  static func problem(_ path: String, _ number: Int32 = errno) -> ErrorReport {
    ExchangeError.file(path: path, number: number, reason: String(cString: strerror(number)))
  }

  /// Returns true if a path exists, even as a dangling link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns an unused, hidden and random name in the same folder.
  static func draftName(_ path: String) -> String {
    let parts = draftParts(path)
    return "\(parts.folder)/\(parts.start)\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
  }

  /// Returns the folder of a path, and the prefix of hidden names beside it.
  static func draftParts(_ path: String) -> (folder: String, start: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let folder = parts.dropLast().joined(separator: "/")
    return (path.first == "/" ? "/" + folder : folder.isEmpty ? "." : folder, ".\(parts.last ?? "export").")
  }

  /// Waits until the file is on the device, then moves it to its place, which must be free.
  ///
  /// A link is created, which fails if the name exists, and the old name is removed: nothing is ever replaced.
  func settle(at path: String) throws(ErrorReport) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.problem(self.path) }
    let source = hasName ? self.path : "/proc/self/fd/\(descriptor)"
    if linkat(AT_FDCWD, source, AT_FDCWD, path, hasName ? 0 : AT_SYMLINK_FOLLOW) == 0 {
      if hasName { unlink(self.path) }
    } else {
      if errno == EEXIST { throw ExchangeError.targetExists(path: path) }
      // Some file systems know no second names.
      guard hasName, [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK].contains(errno), !Self.exists(path),
        rename(self.path, path) == 0
      else { throw Self.problem(path) }
    }
    close()
    try Self.flushName(of: path)
  }

  /// Waits until a name is on the device, so that the exported records can safely be deleted.
  ///
  /// A folder that can be written to and not listed cannot be waited for.
  static func flushName(of path: String) throws(ErrorReport) { try flush(folder: draftParts(path).folder) }

  /// Waits until the names in a folder are on the device.
  static func flush(folder: String) throws(ErrorReport) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw problem(folder) }
  }

  /// Closes the file and removes it, unless it was moved to its destination.
  func discard() {
    if descriptor >= 0, hasName { unlink(path) }
    close()
  }
}

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

  private init(_ path: String) throws(ErrorReport) {
    self.path = path
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw PrivateFile.problem(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ExchangeError.file(path: path, number: EINVAL, reason: "not a regular file")
    }
    size = Int(status.st_size)
  }

  /// Passes on a range in pieces; the file must contain all of it.
  func read(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var offset = range.lowerBound
    var room = [UInt8](repeating: 0, count: min(range.count, 256 << 10))
    while offset < range.upperBound {
      let count = pread(descriptor, &room, min(room.count, range.upperBound - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PrivateFile.problem(path, count == 0 ? ENODATA : errno) }
      try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
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

/// A sink that writes a sensor's data to a file that only its owner can read, and that is not visible before it is
/// complete.
final class FileSink: DataSink {
  private let file: PrivateFile

  /// - Throws: ``ExchangeError``, also where there is something of that name.
  init(for path: String) throws(ErrorReport) {
    if PrivateFile.exists(path) { throw ExchangeError.targetExists(path: path) }
    file = try PrivateFile(for: path)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  func abandon() { file.discard() }

  /// Moves the file to its destination, once all of it is on the device.
  func settle(at path: String) throws(ErrorReport) { try file.settle(at: path) }
}

/// File work on its own thread, so that no other thread waits for a disk.
enum OnThread {
  static func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await OwnThread.value { _ in try work() }
  }
}
