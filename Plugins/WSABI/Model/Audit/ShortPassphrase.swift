/// New passphrases that are easily guessed.
enum ShortPassphrase {
  /// The fewest characters that are taken without a confirmation.
  ///
  /// - Source: NIST SP 800-63B-4, section 3.1.1.2, wants 15 where nothing else protects and 8 at least.
  static let least = 12

  /// Returns true if a new passphrase has fewer characters.
  static func isShort(_ text: String) -> Bool { text.count < least }
}
