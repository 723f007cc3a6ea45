import Glibc

/// A new file that its owner alone can read, under a name that nobody knows until it is put into its place.
// Around a descriptor; its owner uses it under a lock.
final class PrivateFile: @unchecked Sendable {
  let path: String
  private var descriptor: Int32
  private(set) var size = 0

  /// - Throws: ``ExchangeError/file(path:number:reason:)``.
  init(_ path: String) throws(ExchangeError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw Self.problem(path) }
  }

  deinit { close() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ExchangeError) {
    try write(bytes, at: size)
    size += bytes.count
  }

  func write(_ bytes: [UInt8]) throws(ExchangeError) {
    let result = bytes.withUnsafeBytes { raw in Result { () throws(ExchangeError) in try write(raw) } }
    try result.get()
  }

  /// Writes over what is there.
  func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(ExchangeError) {
    var (rest, place) = (bytes, place)
    while !rest.isEmpty {
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.problem(path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      place += count
    }
  }

  /// Waits until all is on the device, and closes the file.
  func finish() throws(ExchangeError) {
    guard descriptor >= 0 else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.problem(path) }
    close()
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  static func problem(_ path: String, _ number: Int32 = errno) -> ExchangeError {
    .file(path: path, number: number, reason: String(cString: strerror(number)))
  }

  /// Whether there is something of a name, be it a link to nowhere.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// A name beside another that nothing has: hidden, and by chance.
  static func draftName(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let folder = parts.dropLast().joined(separator: "/")
    let start = path.first == "/" ? "/" : ""
    let chance = String(UInt64.random(in: .min ... .max), radix: 36)
    return start + folder + (folder.isEmpty ? "" : "/") + ".\(parts.last ?? "export").\(chance).part"
  }

  /// Puts a file into its place, where nothing may be.
  ///
  /// A second name is made, which fails where there is one already, and the first goes: nothing is ever replaced.
  static func settle(_ draft: String, at path: String) throws(ExchangeError) {
    guard link(draft, path) == 0 else {
      if errno == EEXIST { throw .targetExists(path: path) }
      // Some file systems know no second names.
      guard [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK].contains(errno), !exists(path), rename(draft, path) == 0 else {
        throw problem(path)
      }
      return
    }
    unlink(draft)
  }
}
