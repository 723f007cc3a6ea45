public import PluginAPI

/// New passphrases that are easily guessed: commands use them only if the user confirms it.
public enum ShortPassphrase {
  /// The fewest characters that are taken without a confirmation.
  ///
  /// - Source: NIST SP 800-63B-4, section 3.1.1.2, wants 15 where nothing else protects and 8 at least.
  public static let least = 12

  /// The option of commands that take a new passphrase.
  public static let option = Option(
    flag: "short-passphrase", "Accept a new passphrase of fewer than \(least) characters without asking")

  /// Returns true if a new passphrase has fewer characters.
  public static func isShort(_ text: String) -> Bool { text.count < least }

  /// Asks the user to confirm a passphrase that is easily guessed, unless ``option`` was given.
  ///
  /// - Parameters:
  ///   - passphrase: The new passphrase; an empty one is not asked about, because it is refused as such.
  ///   - call: A call of a command that takes ``option``.
  ///   - refusal: The plugin's error for a short passphrase that was not confirmed.
  /// - Throws: `refusal`.
  public static func confirm(
    _ passphrase: String, in call: CommandCall, orThrow refusal: DeclaredError
  ) async throws {
    guard isShort(passphrase), !passphrase.isEmpty, !call[option] else { return }
    let count = passphrase.count
    let question = "Use a passphrase of only \(count) characters? It is easily guessed. Type 'yes' to use it"
    guard try await call.ask(PromptRequest(question))?.lowercased() == "yes" else {
      throw refusal(
        "a passphrase of \(count) characters is easily guessed",
        advice: "use a sentence of several words, or confirm it with '--\(option.parameter.name)'")
    }
  }
}
