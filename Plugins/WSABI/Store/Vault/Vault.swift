import PluginVault

/// The work with keys for the store; see Documentation/Decisions/0012.
enum Vault {
  static let keySize = Sodium.keySize
  static let saltSize = Sodium.saltSize
  /// The overhead of a sealed message, in bytes.
  static let sealSize = Sodium.sealSize
  static let codeSize = Sodium.codeSize

  /// Opens libsodium, and excludes the process's memory from core dumps and debuggers from now on.
  ///
  /// - Throws: ``VaultError/noLibrary(_:)``.
  static func open() throws(VaultError) { try reporting { () throws(VaultFailure) in try Sodium.open() } }

  /// Returns a new random key.
  static func randomKey() throws(VaultError) -> VaultKey {
    try reporting { () throws(VaultFailure) in try VaultKey.random() }
  }

  /// Makes a key file with a new key.
  static func makeKeyFile(at path: String) throws(VaultError) {
    try reporting { () throws(VaultFailure) in try KeyFile.make(at: path) }
  }

  /// Returns random bytes.
  static func random(_ count: Int) -> [UInt8] { Sodium.random(count) }

  /// Runs work with keys; failures become errors of the store.
  static func reporting<Result>(_ work: () throws(VaultFailure) -> Result) throws(VaultError) -> Result {
    do { return try work() } catch { throw VaultError(error) }
  }
}

extension VaultError {
  /// Creates the store's error from one of the kit.
  init(_ failure: VaultFailure) {
    self =
      switch failure {
      case .noLibrary(let problem): .noLibrary(problem)
      case .noMemory: .noMemory
      case .unusablePassphrase: .unusablePassphrase
      case .unusableKey: .wrongKey
      case .unusablePublicKey: .damaged("the public key of a user")
      case .noKeyFile(let path): .noKeyFile(path: path)
      case .keyFile(let path, let reason, let advice): .keyFile(path: path, reason: reason, advice: advice)
      }
  }
}

extension VaultKey {
  /// Returns a key for one use of the store's master key.
  func derived(_ number: UInt64) throws(VaultError) -> VaultKey {
    try Vault.reporting { () throws(VaultFailure) in try derived(number, context: "wb-wsabi") }
  }
}

extension DataKey {
  /// Returns a sealed part of a record.
  func seal(_ message: [UInt8], as bound: [UInt8]) -> [UInt8] { seal(message, bound: bound) }

  /// Returns the content of a part that is written with the record.
  func open(_ sealed: [UInt8], of place: RecordPlace, _ part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.part(part))
  }

  /// Returns the content of a part that stays while the rest of the record is edited.
  func open(_ sealed: [UInt8], of place: RecordPlace, lasting part: RecordPlace.Part) throws -> [UInt8] {
    try open(sealed, of: place, bound: place.lasting(part))
  }

  private func open(_ sealed: [UInt8], of place: RecordPlace, bound: [UInt8]) throws -> [UInt8] {
    guard let message = unseal(sealed, bound: bound) else { throw VaultError.damaged(place.words) }
    return message
  }
}

extension KernelKeyring {
  /// - Parameter folder: The folder of the store, as an absolute path.
  init(folder: String) { self.init(name: "workbench:wsabi:\(folder)") }
}
