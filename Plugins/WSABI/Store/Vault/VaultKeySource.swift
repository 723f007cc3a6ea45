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
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    defer { Glibc.close(descriptor) }
    guard Glibc.write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else {
      let number = errno
      unlink(path)
      throw Self.problem(path, number)
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

  private static func problem(_ path: String, _ number: Int32) -> VaultError {
    .keyFile(path: path, reason: String(cString: strerror(number)))
  }
}
