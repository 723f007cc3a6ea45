import Glibc
import PluginStore
import PluginVault

// Encryption at rest (Documentation/Decisions/0056).
extension CredentialFiles {
  /// How the stored secrets are kept.
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

  /// How the secrets are kept.
  func sealingState() throws(CredentialError) -> SealingState {
    var state = SealingState(kind: try sealing()?.kind)
    for file in files {
      guard let bytes = try bytes(file.path, file.account) else { continue }
      if Self.isPlain(bytes) { state.plain += 1 } else { state.sealed += 1 }
    }
    return state
  }

  /// Calls a closure on a thread of its own: making a key of a passphrase takes time.
  func apart<Result: Sendable>(
    _ body: @escaping @Sendable (CredentialFiles) throws -> Result
  ) async throws -> Result {
    try await OwnThread.value { _ in try body(self) }
  }

  /// Encrypts all secrets, those stored already and those to come; no plain copy is left in a file.
  ///
  /// - Throws: ``CredentialError/encrypted`` if they are encrypted.
  func encrypt(by source: VaultKeySource) throws(CredentialError) -> SecretsKey {
    if try sealing() != nil { throw .encrypted }
    let (record, key) = try Self.reporting { () throws(VaultFailure) in
      try Sodium.open()
      return try SealingRecord.make(by: source)
    }
    try makeFolder(SealingRecord.fileName)
    try locked(SealingRecord.fileName) { () throws(CredentialError) in
      if try sealing() != nil { throw .encrypted }
      // The record comes first: an encryption that is interrupted is completed when the key is used next.
      try write(record.encoded, to: recordPath, SealingRecord.fileName)
      try sealPlainSecrets(by: key)
    }
    return key
  }

  /// Opens the key, and completes an encryption that was interrupted.
  ///
  /// - Returns: The key and what the source was made into, for the keyring.
  /// - Throws: ``CredentialError/wrongKey(folder:)``, ``CredentialError/notEncrypted``.
  func openKey(by source: VaultKeySource) throws(CredentialError) -> (key: SecretsKey, wrapping: WrappingKey) {
    guard let record = try sealing() else { throw .notEncrypted }
    let found = try Self.reporting { () throws(VaultFailure) in
      try Sodium.open()
      return try record.open(source)
    }
    guard let found else { throw .wrongKey(folder: folder) }
    if try sealingState().plain > 0 {
      try locked(SealingRecord.fileName) { () throws(CredentialError) in
        if try sealing()?.id == found.key.id { try sealPlainSecrets(by: found.key) }
      }
    }
    return found
  }

  /// Has another passphrase or key file open the key from now on.
  func changeKey(_ key: SecretsKey, to source: VaultKeySource) throws(CredentialError) {
    let new = try Self.reporting { () throws(VaultFailure) in try SealingRecord.make(key, by: source) }
    try locked(SealingRecord.fileName) { () throws(CredentialError) in
      guard try sealing()?.id == key.id else { throw .locked }
      try write(new.record.encoded, to: recordPath, SealingRecord.fileName)
    }
  }

  /// Stores all secrets plain again.
  ///
  /// - Throws: ``CredentialError/damaged(secret:path:advice:)`` if one cannot be opened; nothing is changed then.
  func decrypt(_ key: SecretsKey) throws(CredentialError) {
    let open = with(key)
    try locked(SealingRecord.fileName) { () throws(CredentialError) in
      guard try sealing()?.id == key.id else { throw .locked }
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

  /// Removes all encrypted secrets and the record of their key, for when the key is lost.
  ///
  /// - Returns: The accounts of which something was removed.
  func forgetSealed() throws(CredentialError) -> [String] {
    guard sealingExists else { throw .notEncrypted }
    return try locked(SealingRecord.fileName) { () throws(CredentialError) in
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

  /// True if there is a record of a key, whole or damaged.
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

  /// True for a secret that is not encrypted; a damaged one is none.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    SealedSecret(encoded: bytes) == nil && String(validating: bytes, as: UTF8.self) != nil
  }

  private func sealPlainSecrets(by key: SecretsKey) throws(CredentialError) {
    for file in files {
      guard let bytes = try bytes(file.path, file.account), Self.isPlain(bytes),
        let secret = try secret(bytes, file.kind, file.account)
      else { continue }
      let sealed = SealedSecret(secret, of: file.account, file.kind.rawValue, by: key)
      try write(sealed.encoded, to: file.path, file.account)
    }
    // A crash may have left plain text in drafts; whoever writes one now holds the lock.
    for name in names where name.hasSuffix(WholeFile.draftEnding) { try remove("\(folder)/\(name)", name) }
  }

  /// Writes a file as a whole, and overwrites what it held before.
  private func write(_ bytes: [UInt8], to path: String, _ account: String) throws(CredentialError) {
    let old = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    defer { if old >= 0 { close(old) } }
    let failure = WholeFile.replace(path, with: bytes, followsLinks: false)
    if failure != 0 { throw .unwritable(account: account, reason: Self.words(failure)) }
    if old >= 0 { Self.overwrite(old) }
  }

  /// Overwrites the content of a file that has no name any more; some devices keep the old blocks all the same.
  private static func overwrite(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return }
    let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
    _ = Glibc.write(descriptor, zeros, zeros.count)
    fsync(descriptor)
  }

  private static func reporting<Result>(
    _ work: () throws(VaultFailure) -> Result
  ) throws(CredentialError) -> Result {
    do { return try work() } catch { throw .key(error) }
  }
}
