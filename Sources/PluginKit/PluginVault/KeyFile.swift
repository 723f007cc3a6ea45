internal import CVault
internal import Glibc

/// A file of 32 random bytes that only its owner can read.
public enum KeyFile {
  /// Creates a key file with a new key.
  ///
  /// - Throws: ``VaultFailure`` if the file exists or cannot be written.
  public static func make(at path: String) throws(VaultFailure) {
    try Sodium.open()
    var key = [UInt8](repeating: 0, count: Sodium.keySize)
    vault_random(&key, key.count)
    defer { SecretMemory.wipe(&key) }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw newProblem(path, errno) }
    defer { Glibc.close(descriptor) }
    guard Glibc.write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else {
      let number = errno
      unlink(path)
      throw newProblem(path, number)
    }
    // If a power failure removed the key, everything sealed by it would be lost: the file's name must be on the device
    // first.
    let slash = path.lastIndex(of: "/")
    let number = synchronize(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    if number != 0 {
      unlink(path)
      throw problem(path, number)
    }
  }

  /// Flushes the names in a folder to the device.
  ///
  /// - Returns: 0, or the system's error number.
  private static func synchronize(_ folder: String) -> Int32 {
    let descriptor = Glibc.open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return errno }
    defer { Glibc.close(descriptor) }
    return fsync(descriptor) != 0 && errno != EINVAL ? errno : 0
  }

  /// Returns the bytes of a key file; the caller overwrites them after use.
  public static func read(_ path: String) throws(VaultFailure) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw problem(path, errno) }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw problem(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .keyFile(path: path, reason: "it is not a plain file") }
    guard status.st_mode & 0o077 == 0 else { throw .keyFile(path: path, reason: "other users can read it") }
    var key = [UInt8](repeating: 0, count: Sodium.keySize + 1)
    let count = Glibc.read(descriptor, &key, key.count)
    guard count == Sodium.keySize else {
      SecretMemory.wipe(&key)
      throw .keyFile(path: path, reason: "it does not have 32 bytes")
    }
    key.removeLast()
    return key
  }

  /// Returns the reason why a key file cannot be read, with advice: a missing file has no mode to change.
  private static func problem(_ path: String, _ number: Int32) -> VaultFailure {
    let reason = String(cString: strerror(number))
    return switch number {
    case ENOENT, ENOTDIR: .noKeyFile(path: path)
    case ENAMETOOLONG:
      .keyFile(path: path, reason: reason, advice: "check the path")
    case EACCES, EPERM: .keyFile(path: path, reason: reason, advice: "check who owns the file and its folder")
    default: .keyFile(path: path, reason: reason)
    }
  }

  /// Returns the reason why a key file cannot be created, with advice.
  private static func newProblem(_ path: String, _ number: Int32) -> VaultFailure {
    let reason = String(cString: strerror(number))
    return switch number {
    case EEXIST, ELOOP, EISDIR:
      .keyFile(
        path: path, reason: "it already exists",
        advice: "choose a name that does not exist; key files are not overwritten")
    case ENOENT, ENOTDIR:
      .keyFile(path: path, reason: "its folder does not exist", advice: "create the folder first, or name another one")
    case ENOSPC, EDQUOT: .keyFile(path: path, reason: reason, advice: "free some space, or name another folder")
    default: .keyFile(path: path, reason: reason, advice: "name a file in a folder that you can write to")
    }
  }
}
