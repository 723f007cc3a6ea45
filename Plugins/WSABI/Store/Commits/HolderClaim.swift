import Glibc

/// A claim by which processes that may hold locks of sensors show that they are alive.
///
/// Each has its own number and a system lock on that byte of a file beside the store, until ``release()`` or the end of
/// the process in any way. A process that obtains the byte of another knows that the other has ended, and is the only
/// one to know.
struct HolderClaim: Sendable {
  private let file: ClaimFile
  /// The identity of this file, which differs for a copy of it and on another machine.
  let place: String

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``.
  init(folder: String) throws(VaultError) {
    file = try ClaimFile(folder + "/holding")
    place = "\(file.identity.device) \(file.identity.number) \(Self.machine())"
  }

  /// Returns the id of this machine; empty if it has none.
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

  /// Claims a number until the end, or until ``letGo(_:)``.
  ///
  /// - Parameter number: From 1.
  /// - Returns: False while another process has it.
  func take(_ number: Int) throws(VaultError) -> Bool { try file.set(F_WRLCK, number) }

  /// Releases a claimed number.
  func letGo(_ number: Int) throws(VaultError) { _ = try file.set(F_UNLCK, number) }

  /// Releases all numbers; others can claim them as soon as this returns.
  func release() { file.close() }
}
