import CVault
import Glibc

/// What opens the store.
enum VaultKeySource: Sendable {
  /// A sentence, as UTF-8.
  case passphrase([UInt8])
  /// A file of 32 bytes that its owner alone can read.
  case keyFile(path: String)
  /// The 32 bytes of a key file.
  case key([UInt8])
  /// What one of these was made into for this store.
  case wrapping(WrappingKey)

  /// Makes a key file with a new key.
  ///
  /// - Throws: ``VaultError`` if there is a file of the name, or it cannot be written.
  static func makeKeyFile(at path: String) throws {
    try Vault.open()
    var key = [UInt8](repeating: 0, count: Vault.keySize)
    vault_random(&key, key.count)
    defer { vault_wipe(&key, key.count) }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.newProblem(path, errno) }
    defer { Glibc.close(descriptor) }
    guard Glibc.write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else {
      let number = errno
      unlink(path)
      throw Self.newProblem(path, number)
    }
    // A store whose only key went with the power is lost: its name must be on the device before anything is sealed.
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    do { try FolderSync().synchronize(folder) } catch VaultError.file(_, let number) {
      unlink(path)
      throw Self.problem(path, number)
    }
  }

  /// The bytes of a key file.
  static func readKeyFile(_ path: String) throws -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw problem(path, errno) }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw problem(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw VaultError.keyFile(path: path, reason: "it is no plain file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw VaultError.keyFile(path: path, reason: "others can read it")
    }
    var key = [UInt8](repeating: 0, count: Vault.keySize + 1)
    let count = Glibc.read(descriptor, &key, key.count)
    guard count == Vault.keySize else {
      vault_wipe(&key, key.count)
      throw VaultError.keyFile(path: path, reason: "it does not have 32 bytes")
    }
    key.removeLast()
    return key
  }

  /// Why a key file cannot be read, and what to do: what is not there has no mode to change.
  private static func problem(_ path: String, _ number: Int32) -> VaultError {
    let reason = String(cString: strerror(number))
    return switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG:
      .keyFile(path: path, reason: reason, advice: "look whether the path is right")
    case EACCES, EPERM: .keyFile(path: path, reason: reason, advice: "look who owns the file and its folder")
    default: .keyFile(path: path, reason: reason)
    }
  }

  /// Why a key file cannot be made, and what to do.
  private static func newProblem(_ path: String, _ number: Int32) -> VaultError {
    let reason = String(cString: strerror(number))
    return switch number {
    case EEXIST, ELOOP, EISDIR:
      .keyFile(
        path: path, reason: "there is something of that name already",
        advice: "name a file that is not there yet; none is written over")
    case ENOENT, ENOTDIR:
      .keyFile(path: path, reason: "its folder is not there", advice: "make the folder first, or name another one")
    case ENOSPC, EDQUOT: .keyFile(path: path, reason: reason, advice: "free some space, or name another folder")
    default: .keyFile(path: path, reason: reason, advice: "name a file in a folder that you can write to")
    }
  }
}
