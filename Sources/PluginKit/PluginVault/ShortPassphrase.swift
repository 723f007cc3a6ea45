/// New passphrases that are easily guessed.
public enum ShortPassphrase {
  /// The smallest number of characters that is taken without a confirmation.
  ///
  /// - Source: NIST SP 800-63B-4, section 3.1.1.2, wants 15 where nothing else protects and 8 at least.
  public static let least = 12

  /// Returns true if a new passphrase has fewer characters.
  public static func isShort(_ text: String) -> Bool { text.count < least }
}
