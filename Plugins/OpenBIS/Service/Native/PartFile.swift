import Glibc
import PluginCompression
import PluginStore
import Synchronization

/// The received part of a file, `<name>.part`, which is renamed when it is complete and verified.
///
/// It is locked for others until ``close()``.
final class PartFile: Sendable {
  private struct State {
    var count = 0
    var checksum = CRC32()
  }

  /// The path of the file, as the user gave it.
  let path: String
  /// The same path with all links resolved.
  private let target: String
  private let file: LockedFile
  private let state = Mutex(State())

  /// The path of the part.
  private var partPath: String { target + Self.ending }

  /// The ending of a part's name.
  static let ending = ".part"

  /// Opens the part of a file, or creates an empty one.
  ///
  /// - Throws: ``DownloadError``.
  init(of path: String) throws(DownloadError) {
    self.path = path
    target = try Self.target(path)
    do throws(LockedFile.Failure) {
      file = try LockedFile(target + Self.ending, mode: 0o666)
    } catch {
      switch error {
      case .held: throw .busy(path: path)
      case .system(let number): throw Self.failure(path, number)
      }
    }
  }

  /// Unlocks the part, which is kept for others.
  func close() { file.close() }

  /// Returns the plain file that a path leads to: nothing else can be resumed.
  private static func target(_ path: String) throws(DownloadError) -> String {
    let place: WholeFile.Place
    do throws(WholeFileFailure) {
      place = try WholeFile.place(of: path)
    } catch {
      throw .notWritten(path: path, error)
    }
    switch place {
    case .file(let target, _): return target
    case .folder: throw .notWritten(path: path, WholeFileFailure(number: EISDIR))
    case .special: throw .noPlainFile(path: path)
    }
  }

  /// The number of bytes.
  var count: Int { state.withLock { $0.count } }

  /// The checksum of these bytes.
  var checksum: UInt32 { state.withLock { $0.checksum.value } }

  /// Reads the existing bytes, to continue after them.
  ///
  /// There may be many: call it on a thread that may wait.
  /// - Throws: ``DownloadError``; errors of the check.
  func readKept(_ checkCancellation: () throws -> Void) throws {
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      try checkCancellation()
      let count = try room.withUnsafeMutableBytes { room in
        try file.withDescriptor { descriptor throws(DownloadError) in
          let count = pread(descriptor, room.baseAddress, room.count, off_t(self.count))
          if count < 0 { throw Self.failure(path) }
          return count
        }
      }
      if count == 0 { return }
      room.withUnsafeBytes { bytes in add(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    }
  }

  /// Discards the existing bytes.
  ///
  /// - Throws: ``DownloadError``.
  func beginAnew() throws(DownloadError) {
    try file.withDescriptor { descriptor throws(DownloadError) in
      if ftruncate(descriptor, 0) != 0 { throw Self.failure(path) }
    }
    state.withLock { $0 = State() }
  }

  /// Truncates the part to its first bytes; removes it if there are none.
  ///
  /// Do not append anything afterwards.
  func keepFirst(_ count: Int) {
    if count == 0 { return remove() }
    file.withDescriptor { _ = ftruncate($0, off_t(count)) }
  }

  /// Appends bytes.
  ///
  /// - Throws: ``DownloadError``.
  func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
    try file.withDescriptor { descriptor throws(DownloadError) in
      var done = 0
      let start = count
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        if written < 0, errno == EINTR { continue }
        if written < 0 { throw Self.failure(path) }
        done += written
      }
    }
    add(bytes)
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.count += bytes.count
      state.checksum.add(bytes)
    }
  }

  private func finish() throws(DownloadError) {
    try file.withDescriptor { descriptor throws(DownloadError) in
      if fsync(descriptor) != 0 || rename(partPath, target) != 0 { throw Self.failure(path) }
    }
  }

  /// Verifies the part with the data store's listing, and renames it.
  ///
  /// - Returns: True if there was a checksum to verify it with.
  /// - Throws: ``DownloadError``; a part of another size or checksum is removed then.
  func finish(as listed: DataSetFile) throws(DownloadError) -> Bool {
    if count != listed.size {
      remove()
      throw .otherSize(file: listed.path, expected: listed.size, found: count)
    }
    if let expected = listed.checksum, checksum != expected {
      remove()
      throw .otherChecksum(file: listed.path, expected: expected, found: checksum)
    }
    try finish()
    return listed.checksum != nil
  }

  /// Removes the part.
  func remove() { unlink(partPath) }

  private static func failure(_ path: String, _ number: Int32 = errno) -> DownloadError {
    .notWritten(path: path, WholeFileFailure(number: number))
  }
}
