/// A failure in work with keys.
///
/// Plugins report them by codes of their own.
@frozen public enum VaultFailure: Error, Equatable, Sendable {
  /// libsodium is unusable, with the problem.
  case noLibrary(problem: String)
  /// There is not enough memory.
  case noMemory
  /// The passphrase is empty, or implausibly long.
  case unusablePassphrase
  /// The bytes do not have the length of a key.
  case unusableKey
  /// The public key is malformed.
  case unusablePublicKey
  /// A key file does not exist.
  case noKeyFile(path: String)
  /// A key file cannot be read or created, with the reason and advice.
  case keyFile(path: String, reason: String, advice: String = VaultFailure.adviceOnKeyFiles)

  /// The advice for an unusable key file.
  public static var adviceOnKeyFiles: String {
    "a key file has 32 random bytes and is readable only by its owner; run 'chmod 600' on it"
  }
}
