import Glibc
import PluginAPI
import PluginStore
import PluginVault

/// A store of tokens and remembered passwords in files that only their owner may read.
///
/// One folder for all accounts, mode 0700; one file for each secret, mode 0600, always rewritten as a whole. With a
/// ``SealingRecord`` in the folder the files are encrypted (Documentation/Decisions/0056).
struct CredentialFiles: Sendable {
  /// The kind of a stored secret.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The token of its session, or a personal access token.
    case token
    /// The password, if the user wants it remembered.
    case password
  }

  let folder: String
  /// The key of encrypted secrets; nil if it is unknown.
  private let key: SecretsKey?

  /// The length of the longest token or password, in bytes.
  private static let longestSecret = 64 << 10
  /// The size of the largest file, in bytes: an encrypted secret has some more bytes.
  private static let limitInBytes = longestSecret + 256

  /// Creates access to a folder, which is created when the first secret is stored.
  init(folder: String, key: SecretsKey? = nil) {
    self.folder = folder
    self.key = key
  }

  /// Returns access to the same files with the key of encrypted secrets.
  func with(_ key: SecretsKey) -> CredentialFiles { CredentialFiles(folder: folder, key: key) }

  /// Returns the secret of an account; nil if none is stored.
  ///
  /// - Throws: `CredentialError`.
  func secret(_ kind: Kind, of account: String) throws(ErrorReport) -> Secret? {
    guard let bytes = try bytes(try path(kind, account), account) else { return nil }
    return try secret(bytes, kind, account)
  }

  /// Returns the secret in the bytes of a file.
  private func secret(_ bytes: [UInt8], _ kind: Kind, _ account: String) throws(ErrorReport) -> Secret? {
    guard let sealed = SealedSecret(encoded: bytes) else {
      // A plain secret is text; anything else was an encrypted one.
      guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged(kind, account) }
      return text.isEmpty ? nil : Secret(text)
    }
    guard let record = try sealing() else { throw damaged(kind, account) }
    guard let key, key.id == record.id else { throw CredentialError.locked }
    guard let secret = sealed.open(account, kind.rawValue, by: key) else { throw damaged(kind, account) }
    return secret
  }

  private func damaged(_ kind: Kind, _ account: String) -> ErrorReport {
    CredentialError.damaged(
      secret: "the \(kind.rawValue) of '\(account)'", path: "\(folder)/\(account).\(kind.rawValue)",
      advice: "log in again to replace it")
  }

  /// Returns the record of the key; nil if secrets are not encrypted.
  func sealing() throws(ErrorReport) -> SealingRecord? {
    let path = "\(folder)/\(SealingRecord.fileName)"
    guard let bytes = try bytes(path, SealingRecord.fileName) else { return nil }
    guard let record = SealingRecord(encoded: bytes) else {
      throw CredentialError.damaged(
        secret: "the record of the key", path: path,
        advice: "restore the file from a backup; without one, run 'workbench openbis secrets decrypt --forget' and "
          + "log in again")
    }
    return record
  }

  /// Returns the content of a file; nil if it does not exist.
  private func bytes(_ path: String, _ account: String) throws(ErrorReport) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw CredentialError.unreadable(account: account, reason: Self.message(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      throw CredentialError.unreadable(account: account, reason: "it is not your file")
    }
    // Manual copying may have made it readable for others.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    guard let bytes = Self.contents(descriptor) else {
      throw CredentialError.unreadable(account: account, reason: Self.message(errno))
    }
    return bytes
  }

  /// Stores a secret of an account, or removes it.
  ///
  /// - Throws: `CredentialError`; the former secret is kept then.
  func keep(_ secret: Secret?, as kind: Kind, of account: String) throws(ErrorReport) {
    let path = try path(kind, account)
    guard let secret, !secret.text.isEmpty else { return try remove(path, account) }
    try makeFolder(account)
    guard secret.text.utf8.count <= Self.longestSecret else {
      throw CredentialError.unwritable(account: account, reason: "it is longer than \(Self.longestSecret) bytes")
    }
    // Another process may turn encryption on in the meantime: nothing is written plain from then on.
    try locked(account) { () throws(ErrorReport) in
      var bytes = Array(secret.text.utf8)
      if let record = try sealing() {
        guard let key, key.id == record.id else { throw CredentialError.locked }
        bytes = SealedSecret(secret, of: account, kind.rawValue, by: key).encoded
      }
      let failure = WholeFile.replace(path, with: bytes, followsLinks: false)
      if failure != 0 { throw CredentialError.unwritable(account: account, reason: Self.message(failure)) }
    }
  }

  /// Calls a closure while no other process writes secrets.
  private func locked<Result>(
    _ account: String, _ body: () throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CredentialError.unwritable(account: account, reason: Self.message(errno)) }
    defer { close(descriptor) }
    // File systems without locks are assumed to have one user at a time.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    // Closing alone does not unlock while a starting child process has a copy of the descriptor.
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Returns true if a secret of an account is stored; false after a logout.
  func hasAny(of account: String) -> Bool { Kind.allCases.contains { has($0, of: account) } }

  /// Returns true if a secret of an account is stored, readable or not.
  func has(_ kind: Kind, of account: String) -> Bool {
    var status = stat()
    return (try? path(kind, account)).map { lstat($0, &status) == 0 } ?? false
  }

  /// Removes all secrets of an account.
  ///
  /// - Throws: `CredentialError` if a file cannot be removed.
  func forget(_ account: String) throws(ErrorReport) {
    for kind in Kind.allCases {
      let path = try path(kind, account)
      try remove(path, account)
      for draft in drafts(of: path) { try remove(draft, account) }
    }
  }

  /// Returns the drafts left by writes that a crash interrupted.
  private func drafts(of path: String) -> [String] {
    names.map { "\(folder)/\($0)" }.filter { $0.hasPrefix(path + ".") && $0.hasSuffix(WholeFile.draftEnding) }
  }

  /// The names in the folder.
  private var names: [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      found.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return found
  }

  private func remove(_ path: String, _ account: String) throws(ErrorReport) {
    if unlink(path) != 0, errno != ENOENT {
      throw CredentialError.unwritable(account: account, reason: Self.message(errno))
    }
  }

  /// Returns the path of a file; rejects ids that may lead out of the folder.
  private func path(_ kind: Kind, _ account: String) throws(ErrorReport) -> String {
    let isSafe =
      !account.isEmpty && account.utf8.count <= 200 && !account.hasPrefix(".")
      && account.utf8.allSatisfy { byte in
        let letter = byte | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-_.".utf8.contains(byte)
      }
    guard isSafe else { throw CredentialError.badAccount(account) }
    return "\(folder)/\(account).\(kind.rawValue)"
  }

  private func makeFolder(_ account: String) throws(ErrorReport) {
    if !Self.make(folder) { throw CredentialError.unwritable(account: account, reason: Self.message(errno)) }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw CredentialError.unwritable(account: account, reason: "the folder is not yours")
    }
    if status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 {
      throw CredentialError.unwritable(account: account, reason: Self.message(errno))
    }
  }

  /// Creates a folder and its parent folders; returns true if it exists.
  private static func make(_ folder: String) -> Bool {
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return false }
    return make(String(folder[..<slash])) && (mkdir(folder, 0o700) == 0 || errno == EEXIST)
  }

  private static func contents(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limitInBytes + 1)
    var count = 0
    while count < bytes.count {
      let step = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if step < 0, errno == EINTR { continue }
      if step < 0 { return nil }
      if step == 0 { break }
      count += step
    }
    return count <= limitInBytes ? Array(bytes.prefix(count)) : nil
  }

  private static func message(_ number: Int32) -> String { String(cString: strerror(number)) }
}

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
    if failure != 0 { throw CredentialError.unwritable(account: account, reason: Self.message(failure)) }
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
