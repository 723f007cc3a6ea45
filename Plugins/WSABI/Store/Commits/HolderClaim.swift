import Glibc

/// Tells other processes which of them live that may hold locks of sensors.
///
/// Each has a number of its own and a lock of the system on that byte of a file beside the store: it goes with the process,
/// however that ends. Whoever gets the byte of another knows that this one is no more, and is the only one who does.
final class HolderClaim: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Which file this is: not the same for a copy of it, nor on another machine.
  let place: String

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``.
  init(folder: String) throws(VaultError) {
    path = folder + "/holding"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { throw .file(path: path, number: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let number = errno
      Glibc.close(descriptor)
      throw .file(path: path, number: number)
    }
    place = "\(status.st_dev) \(status.st_ino) \(Self.machine())"
  }

  /// What names this machine; empty if nothing does.
  ///
  /// - Source: machine-id(5).
  private static func machine() -> String {
    let descriptor = open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// What is claimed is free again.
  deinit { close(descriptor) }

  /// Claims a number until the end, or until ``letGo(_:)``.
  ///
  /// - Parameter number: From 1.
  /// - Returns: False while another process has it.
  func take(_ number: Int) throws(VaultError) -> Bool { try set(Int16(F_WRLCK), number) }

  /// Lets go of a number that was claimed.
  func letGo(_ number: Int) throws(VaultError) { _ = try set(Int16(F_UNLCK), number) }

  private func set(_ kind: Int16, _ number: Int) throws(VaultError) -> Bool {
    var wanted = flock()
    (wanted.l_type, wanted.l_whence) = (kind, Int16(SEEK_SET))
    (wanted.l_start, wanted.l_len) = (number, 1)
    return try CaptureClaim.set(&wanted, descriptor, path: path)
  }
}
