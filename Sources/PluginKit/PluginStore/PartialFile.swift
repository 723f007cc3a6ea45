internal import Glibc
internal import Synchronization

/// The received part of a file, to which a download appends until the file is complete.
///
/// It is locked until ``close()``, which leaves it in place.
public final class PartialFile: Sendable {
  /// The path of the part.
  public let path: String
  private let file: LockedFile
  private let size: Mutex<Int>

  /// Opens a part, or creates an empty one.
  ///
  /// - Parameters:
  ///   - path: The part; not a link.
  ///   - mode: The permissions of a new part, less the process's mask.
  /// - Throws: `LockedFile.Failure`.
  public init(_ path: String, mode: UInt32 = 0o600) throws(LockedFile.Failure) {
    self.path = path
    let file = try LockedFile(path, mode: mode)
    self.file = file
    size = Mutex(
      file.withDescriptor { descriptor in
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
      })
  }

  /// Unlocks the part.
  ///
  /// It can be opened again as soon as this returns.
  public func close() { file.close() }

  /// The number of bytes.
  public var count: Int { size.withLock { $0 } }

  /// Appends bytes.
  ///
  /// - Throws: ``WholeFileFailure``; bytes written before the failure stay and are counted.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(WholeFileFailure) {
    try file.withDescriptor { descriptor throws(WholeFileFailure) in
      var remaining = bytes
      while !remaining.isEmpty {
        let written = pwrite(descriptor, remaining.baseAddress, remaining.count, off_t(count))
        if written < 0, errno == EINTR { continue }
        if written <= 0 { throw WholeFileFailure(number: written < 0 ? errno : ENOSPC) }
        size.withLock { $0 += written }
        remaining = UnsafeRawBufferPointer(rebasing: remaining[written...])
      }
    }
  }

  /// Truncates the part to its first bytes.
  ///
  /// - Throws: ``WholeFileFailure``.
  public func keepFirst(_ count: Int) throws(WholeFileFailure) {
    try file.withDescriptor { descriptor throws(WholeFileFailure) in
      if ftruncate(descriptor, off_t(count)) != 0 { throw WholeFileFailure(number: errno) }
    }
    size.withLock { $0 = count }
  }

  /// Calls `take` with all bytes in order, at most a megabyte at a time.
  ///
  /// - Throws: ``WholeFileFailure``; the closure's error.
  public func read(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      let read = try buffer.withUnsafeMutableBytes { buffer in
        try file.withDescriptor { descriptor throws(WholeFileFailure) in
          let read = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
          if read < 0 { throw WholeFileFailure(number: errno) }
          return read
        }
      }
      if read == 0 { return }
      try buffer.withUnsafeBytes { try take(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
      offset += read
    }
  }

  /// Makes the part the file itself, once its bytes are safe on the disk.
  ///
  /// - Throws: ``WholeFileFailure``.
  public func rename(to target: String) throws(WholeFileFailure) {
    try file.withDescriptor { descriptor throws(WholeFileFailure) in
      if fsync(descriptor) != 0 || Glibc.rename(path, target) != 0 { throw WholeFileFailure(number: errno) }
    }
  }

  /// Removes the part, which is complete or useless.
  public func remove() { unlink(path) }
}
