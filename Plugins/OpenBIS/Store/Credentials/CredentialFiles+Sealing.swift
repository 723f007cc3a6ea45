import Glibc
import PluginAPI
import PluginStore
import PluginVault

// Encryption at rest (Documentation/Decisions/0056).
extension CredentialFiles {
  /// The state of the stored secrets.
  struct SealingState: Sendable, Hashable {
    /// The kind of the user's key, 1 a passphrase, 2 a key file; nil if secrets are not encrypted.
    var kind: Int?
    /// The number of encrypted secrets.
    var sealed = 0
    /// The number of secrets that are not encrypted.
    var plain = 0
  }

  /// The file of a secret.
  private struct File {
    var account: String
    var kind: Kind
    var path: String
  }

  /// Returns the state of the stored secrets.
  func sealingState() throws(ErrorReport) -> SealingState {
    var state = SealingState(kind: try sealing()?.kind)
    for file in files {
      guard let bytes = try bytes(file.path, file.account) else { continue }
      if Self.isPlain(bytes) { state.plain += 1 } else { state.sealed += 1 }
    }
    return state
  }

  /// Calls a closure on a thread of its own, because deriving a key from a passphrase takes time.
  func apart<Result: Sendable>(
    _ body: @escaping @Sendable (CredentialFiles) throws -> Result
  ) async throws -> Result {
    try await OwnThread.value { _ in try body(self) }
  }

  /// Encrypts all secrets, stored and future ones; no plain copy is left in a file.
  ///
  /// - Throws: ``CredentialError/encrypted`` if they are encrypted already.
  func encrypt(by source: VaultKeySource) throws(ErrorReport) -> SecretsKey {
    if try sealing() != nil { throw CredentialError.encrypted }
    let (record, key) = try Self.reporting { () throws(VaultFailure) in
      try Sodium.open()
      return try SealingRecord.make(by: source)
    }
    try makeFolder(SealingRecord.fileName)
    try locked(SealingRecord.fileName) { () throws(ErrorReport) in
      if try sealing() != nil { throw CredentialError.encrypted }
      // The record comes first: an interrupted encryption is completed at the next use of the key.
      try write(record.encoded, to: recordPath, SealingRecord.fileName)
      try sealPlainSecrets(by: key)
    }
    return key
  }

  /// Opens the key, and completes an interrupted encryption.
  ///
  /// - Returns: The key, and the wrapping key derived from the source, for the keyring.
  /// - Throws: ``CredentialError/wrongKey(folder:)``, ``CredentialError/notEncrypted``.
  func openKey(by source: VaultKeySource) throws(ErrorReport) -> (key: SecretsKey, wrapping: WrappingKey) {
    guard let record = try sealing() else { throw CredentialError.notEncrypted }
    let found = try Self.reporting { () throws(VaultFailure) in
      try Sodium.open()
      return try record.open(source)
    }
    guard let found else { throw CredentialError.wrongKey(folder: folder) }
    if try sealingState().plain > 0 {
      try locked(SealingRecord.fileName) { () throws(ErrorReport) in
        if try sealing()?.id == found.key.id { try sealPlainSecrets(by: found.key) }
      }
    }
    return found
  }

  /// Changes the passphrase or key file that opens the key.
  func changeKey(_ key: SecretsKey, to source: VaultKeySource) throws(ErrorReport) {
    let new = try Self.reporting { () throws(VaultFailure) in try SealingRecord.make(key, by: source) }
    try locked(SealingRecord.fileName) { () throws(ErrorReport) in
      guard try sealing()?.id == key.id else { throw CredentialError.locked }
      try write(new.record.encoded, to: recordPath, SealingRecord.fileName)
    }
  }

  /// Decrypts all stored secrets.
  ///
  /// - Throws: ``CredentialError/damaged(secret:path:advice:)`` if one cannot be opened; nothing is changed then.
  func decrypt(_ key: SecretsKey) throws(ErrorReport) {
    let open = with(key)
    try locked(SealingRecord.fileName) { () throws(ErrorReport) in
      guard try sealing()?.id == key.id else { throw CredentialError.locked }
      var secrets: [(File, Secret)] = []
      for file in files {
        guard let bytes = try bytes(file.path, file.account),
          let secret = try open.secret(bytes, file.kind, file.account)
        else { continue }
        secrets.append((file, secret))
      }
      for (file, secret) in secrets { try write(Array(secret.text.utf8), to: file.path, file.account) }
      try remove(recordPath, SealingRecord.fileName)
    }
  }

  /// Removes all encrypted secrets and the record of their key, in case the key is lost.
  ///
  /// - Returns: The accounts whose secrets were removed.
  func forgetSealed() throws(ErrorReport) -> [String] {
    guard sealingExists else { throw CredentialError.notEncrypted }
    return try locked(SealingRecord.fileName) { () throws(ErrorReport) in
      var accounts: Set<String> = []
      for file in files {
        guard let bytes = try bytes(file.path, file.account) else { continue }
        if Self.isPlain(bytes) { continue }
        try remove(file.path, file.account)
        accounts.insert(file.account)
      }
      try remove(recordPath, SealingRecord.fileName)
      return accounts.sorted()
    }
  }

  /// A Boolean value indicating whether there is a record of a key, intact or damaged.
  private var sealingExists: Bool {
    var status = stat()
    return lstat(recordPath, &status) == 0
  }

  private var recordPath: String { "\(folder)/\(SealingRecord.fileName)" }

  private var files: [File] {
    names.sorted().compactMap { name in
      for kind in Kind.allCases where name.hasSuffix(".\(kind.rawValue)") {
        return File(
          account: String(name.dropLast(kind.rawValue.utf8.count + 1)), kind: kind, path: "\(folder)/\(name)")
      }
      return nil
    }
  }

  /// Returns true for a secret that is not encrypted; false for a damaged one.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    SealedSecret(encoded: bytes) == nil && String(validating: bytes, as: UTF8.self) != nil
  }

  private func sealPlainSecrets(by key: SecretsKey) throws(ErrorReport) {
    for file in files {
      guard let bytes = try bytes(file.path, file.account), Self.isPlain(bytes),
        let secret = try secret(bytes, file.kind, file.account)
      else { continue }
      let sealed = SealedSecret(secret, of: file.account, file.kind.rawValue, by: key)
      try write(sealed.encoded, to: file.path, file.account)
    }
    // A crash may have left plain text in drafts; a process that is writing one now holds the lock.
    for name in names where name.hasSuffix(WholeFile.draftEnding) { try remove("\(folder)/\(name)", name) }
  }

  /// Writes a whole file, and overwrites its former content.
  private func write(_ bytes: [UInt8], to path: String, _ account: String) throws(ErrorReport) {
    let old = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    defer { if old >= 0 { close(old) } }
    let failure = WholeFile.replace(path, with: bytes, followsLinks: false)
    if failure != 0 { throw CredentialError.unwritable(account: account, reason: Self.words(failure)) }
    if old >= 0 { Self.overwrite(old) }
  }

  /// Overwrites the content of an unlinked file; some devices keep the old blocks nevertheless.
  private static func overwrite(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return }
    let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
    _ = Glibc.write(descriptor, zeros, zeros.count)
    fsync(descriptor)
  }

  private static func reporting<Result>(
    _ work: () throws(VaultFailure) -> Result
  ) throws(ErrorReport) -> Result {
    do { return try work() } catch { throw CredentialError.key(error) }
  }
}
