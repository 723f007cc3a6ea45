import Glibc
import PluginCompression
import PluginStore
import Synchronization

/// The received part of a file, `<name>.part`, which is renamed when it is complete and verified.
///
/// It is locked for others until ``close()``.
final class PartFile: Sendable {
  /// The path of the file, as the user gave it.
  let path: String
  /// The same path with all links resolved.
  private let target: String
  private let part: PartialFile
  private let sum = Mutex(CRC32())

  /// The ending of a part's name.
  static let ending = ".part"

  /// Opens the part of a file, or creates an empty one.
  ///
  /// - Throws: ``DownloadError``.
  init(of path: String) throws(DownloadError) {
    self.path = path
    target = try Self.target(path)
    do throws(LockedFile.Failure) {
      part = try PartialFile(target + Self.ending, mode: 0o666)
    } catch {
      switch error {
      case .held: throw .busy(path: path)
      case .system(let number): throw .notWritten(path: path, WholeFileFailure(number: number))
      }
    }
  }

  /// Unlocks the part, which is kept for others.
  func close() { part.close() }

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
  var count: Int { part.count }

  /// The checksum of these bytes.
  var checksum: UInt32 { sum.withLock { $0.value } }

  /// Reads the existing bytes, to continue after them.
  ///
  /// There may be many: call it on a thread that may wait.
  /// - Throws: ``DownloadError``; errors of the check.
  func readKept(_ checkCancellation: () throws -> Void) throws {
    do {
      try part.read { bytes in
        try checkCancellation()
        sum.withLock { $0.add(bytes) }
      }
    } catch let failure as WholeFileFailure {
      throw DownloadError.notWritten(path: path, failure)
    }
  }

  /// Discards the existing bytes.
  ///
  /// - Throws: ``DownloadError``.
  func beginAnew() throws(DownloadError) {
    try writing { () throws(WholeFileFailure) in try part.keepFirst(0) }
    sum.withLock { $0 = CRC32() }
  }

  /// Truncates the part to its first bytes; removes it if there are none.
  ///
  /// Do not append anything afterwards.
  func keepFirst(_ count: Int) {
    if count == 0 { return remove() }
    try? part.keepFirst(count)
  }

  /// Appends bytes.
  ///
  /// - Throws: ``DownloadError``.
  func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
    try writing { () throws(WholeFileFailure) in try part.append(bytes) }
    sum.withLock { $0.add(bytes) }
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
    try writing { () throws(WholeFileFailure) in try part.rename(to: target) }
    return listed.checksum != nil
  }

  /// Removes the part.
  func remove() { part.remove() }

  private func writing(_ change: () throws(WholeFileFailure) -> Void) throws(DownloadError) {
    do throws(WholeFileFailure) { try change() } catch { throw .notWritten(path: path, error) }
  }
}
