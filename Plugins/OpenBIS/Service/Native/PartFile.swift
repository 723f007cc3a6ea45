import Glibc
import PluginCompression
import PluginStore
import Synchronization

/// What was fetched of a file so far: `<name>.part`, which gets its name when it is whole and right.
///
/// Nobody else fetches into it until ``close()``.
final class PartFile: Sendable {
  private struct State {
    var count = 0
    var checksum = CRC32()
  }

  /// Where the file goes, as it was named.
  let path: String
  /// The same at the end of all links.
  private let target: String
  private let file: LockedFile
  private let state = Mutex(State())

  /// Where the part lies.
  private var partPath: String { target + Self.ending }

  /// What the name of a part ends with.
  static let ending = ".part"

  /// Opens the part of a file, or makes an empty one.
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

  /// Lets others fetch into it; the part stays for them.
  func close() { file.close() }

  /// The plain file that a name leads to: nothing else can be gone on with.
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

  /// How many bytes there are.
  var count: Int { state.withLock { $0.count } }

  /// The checksum of all of them.
  var checksum: UInt32 { state.withLock { $0.checksum.value } }

  /// Reads what is there already, to go on behind it.
  ///
  /// It may be much: on a thread that may wait.
  /// - Throws: ``DownloadError``; what the check throws.
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

  /// Forgets what is there.
  ///
  /// - Throws: ``DownloadError``.
  func beginAnew() throws(DownloadError) {
    try file.withDescriptor { descriptor throws(DownloadError) in
      if ftruncate(descriptor, 0) != 0 { throw Self.failure(path) }
    }
    state.withLock { $0 = State() }
  }

  /// Keeps the first bytes only; removes the part if there are none.
  ///
  /// Nothing is appended afterwards.
  func keepFirst(_ count: Int) {
    if count == 0 { return remove() }
    file.withDescriptor { _ = ftruncate($0, off_t(count)) }
  }

  /// Puts bytes at the end.
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

  /// Holds the part against what the data store lists, and gives it its name.
  ///
  /// - Returns: True if there was a checksum to compare it with.
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
