/// Failures of the work with keys.
///
/// Plugins report them by codes of their own.
@frozen public enum VaultFailure: Error, Equatable, Sendable {
  /// libsodium cannot be used; why.
  case noLibrary(problem: String)
  /// No memory is left.
  case noMemory
  /// An empty passphrase, or one that is too long to be meant.
  case unusablePassphrase
  /// Bytes that are not as long as a key.
  case unusableKey
  /// A public key that is not one.
  case unusablePublicKey
  /// A key file does not exist.
  case noKeyFile(path: String)
  /// A key file cannot be read or made; why, and what to do.
  case keyFile(path: String, reason: String, advice: String = VaultFailure.adviceOnKeyFiles)

  /// The advice on a key file that cannot be used.
  public static var adviceOnKeyFiles: String {
    "a key file has 32 random bytes and can be read by its owner alone; 'chmod 600' it"
  }
}
