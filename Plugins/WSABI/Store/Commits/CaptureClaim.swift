import Glibc
import Synchronization

/// Tells other processes that this one captures, so that none takes what is under way for what was left over.
///
/// A lock of the system on a file beside the store: it goes with the process, however that ends. One that is changed
/// into another is held all the time, so nobody comes in between.
final class CaptureClaim: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``: who cannot claim must not capture either.
  init(folder: String) throws(VaultError) {
    path = folder + "/capturing"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw .file(path: path, number: errno) }
  }

  /// What is claimed is free again.
  deinit { close(descriptor) }

  /// Claims beside others, also in the place of a claim alone.
  ///
  /// - Returns: False while another process looks for what was left over.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func share() throws(VaultError) -> Bool { try set(Int16(F_RDLCK)) }

  /// Claims alone; where another process captures nothing changes.
  ///
  /// - Returns: False while another process captures, or looks for what was left over.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func claimAlone() throws(VaultError) -> Bool { try set(Int16(F_WRLCK)) }

  private func set(_ kind: Int16) throws(VaultError) -> Bool {
    var wanted = flock()
    (wanted.l_type, wanted.l_whence) = (kind, Int16(SEEK_SET))
    return try Self.set(&wanted, descriptor, path: path)
  }

  /// Sets a lock of an open file.
  ///
  /// - Returns: False while another has it.
  static func set(_ wanted: inout flock, _ descriptor: Int32, path: String) throws(VaultError) -> Bool {
    while fcntl(descriptor, setOfOpenFile, &wanted) != 0 {
      if [EAGAIN, EACCES].contains(errno) { return false }
      if errno != EINTR { throw .file(path: path, number: errno) }
    }
    return true
  }

  /// F_OFD_SETLK of Linux, which Swift does not see: a lock of the open file, not of the process.
  ///
  /// - Source: fcntl(2), and asm-generic/fcntl.h of Linux.
  private static let setOfOpenFile: Int32 = 37
}
