import Glibc
import PluginAPI
import Synchronization

/// A claim that shows other processes that this one captures, so that they do not mistake its captures for leftovers.
///
/// A system lock on a file beside the store, until ``release()``. Changing one kind into another keeps the lock,
/// without a gap in between.
struct CaptureClaim: Sendable {
  private let file: ClaimFile

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``: a process that cannot claim must not capture either.
  init(folder: String) throws(ErrorReport) { file = try ClaimFile(folder + "/capturing") }

  /// Claims beside others, also in place of an exclusive claim.
  ///
  /// - Returns: False while another process searches for leftovers.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func share() throws(ErrorReport) -> Bool { try file.set(F_RDLCK) }

  /// Claims exclusively; if another process captures, nothing changes.
  ///
  /// - Returns: False while another process captures, or searches for leftovers.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func claimAlone() throws(ErrorReport) -> Bool { try file.set(F_WRLCK) }

  /// Releases the claim; others can claim as soon as this returns.
  func release() { file.close() }
}

/// A claim by which processes that may hold locks of sensors show that they are alive.
///
/// Each has its own number and a system lock on that byte of a file beside the store, until ``release()`` or the end of
/// the process in any way. A process that obtains the byte of another knows that the other has ended, and is the only
/// one to know.
struct HolderClaim: Sendable {
  private let file: ClaimFile
  /// The identity of this file, which differs for a copy of it and on another machine.
  let fileIdentity: String

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``.
  init(folder: String) throws(ErrorReport) {
    file = try ClaimFile(folder + "/holding")
    fileIdentity = "\(file.identity.device) \(file.identity.number) \(Self.machine())"
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

  /// Claims a number until the end, or until ``release(_:)``.
  ///
  /// - Parameter number: From 1.
  /// - Returns: False while another process has it.
  func take(_ number: Int) throws(ErrorReport) -> Bool { try file.set(F_WRLCK, number) }

  /// Releases a claimed number.
  func release(_ number: Int) throws(ErrorReport) { _ = try file.set(F_UNLCK, number) }

  /// Releases all numbers; others can claim them as soon as this returns.
  func release() { file.close() }
}

/// A file beside the store on which processes claim bytes by system locks, until ``close()``.
///
/// The locks belong to the open file, not to the process; they also end with the process, however that ends.
///
/// - Source: fcntl(2), "Open file description locks".
private final class ClaimFile: Sendable {
  /// The device and the number of the file.
  let identity: (device: UInt, number: UInt)
  private let path: String
  private let descriptor: Mutex<Int32>

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Throws: ``VaultError/file(path:number:)``.
  init(_ path: String) throws(ErrorReport) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if opened < 0 { throw VaultError.file(path: path, number: errno) }
    var status = stat()
    guard fstat(opened, &status) == 0 else {
      let number = errno
      Glibc.close(opened)
      throw VaultError.file(path: path, number: number)
    }
    self.path = path
    descriptor = Mutex(opened)
    identity = (UInt(status.st_dev), UInt(status.st_ino))
  }

  // Only a backstop, as the moment of deinitialization is not predictable.
  deinit { close() }

  /// Claims a byte, or releases it.
  ///
  /// - Parameters:
  ///   - kind: F_RDLCK beside others, F_WRLCK exclusively, F_UNLCK to release; one replaces another atomically.
  ///   - byte: The offset of the byte; nil for all.
  /// - Returns: False while another has claimed it.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot lock at all.
  func set(_ kind: Int32, _ byte: Int? = nil) throws(ErrorReport) -> Bool {
    try descriptor.withLock { descriptor throws(ErrorReport) in
      while Self.set(kind, byte, descriptor) != 0 {
        if [EAGAIN, EACCES].contains(errno) { return false }
        if errno != EINTR { throw VaultError.file(path: path, number: errno) }
      }
      return true
    }
  }

  private static func set(_ kind: Int32, _ byte: Int?, _ descriptor: Int32) -> Int32 {
    var wanted = flock()
    (wanted.l_type, wanted.l_whence) = (Int16(kind), Int16(SEEK_SET))
    // No length: to the end, however far that is.
    if let byte { (wanted.l_start, wanted.l_len) = (byte, 1) }
    return fcntl(descriptor, setOfOpenFile, &wanted)
  }

  /// F_OFD_SETLK of Linux, which Swift does not see.
  ///
  /// - Source: fcntl(2), and asm-generic/fcntl.h of Linux.
  private static let setOfOpenFile: Int32 = 37

  /// Releases all claims and closes the file.
  ///
  /// Others can claim it as soon as this returns. Later calls do nothing.
  func close() {
    descriptor.withLock { descriptor in
      if descriptor < 0 { return }
      // Closing alone does not unlock while a child process that is starting has a copy of the descriptor.
      _ = Self.set(F_UNLCK, nil, descriptor)
      Glibc.close(descriptor)
      descriptor = -1
    }
  }
}
