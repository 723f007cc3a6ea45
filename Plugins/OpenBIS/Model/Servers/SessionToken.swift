/// The data in the text of a token: `<user>-<digits>x<digits>`, with `$pat-` before personal access tokens.
///
/// - Source: the sources of openBIS; user names may contain `-`.
struct SessionToken: Sendable, Hashable {
  /// A Boolean value indicating whether it is a personal access token, which a logout does not end.
  let isPersonal: Bool
  /// The token's user; nil if it does not look like an openBIS token.
  let user: String?

  /// Parses a token.
  init(_ token: Secret) {
    isPersonal = token.text.hasPrefix(Self.personalPrefix)
    let rest = isPersonal ? token.text.dropFirst(Self.personalPrefix.count) : token.text[...]
    guard let hyphen = rest.lastIndex(of: "-"), hyphen != rest.startIndex else {
      user = nil
      return
    }
    let parts = rest[rest.index(after: hyphen)...].split(separator: "x", omittingEmptySubsequences: false)
    let isTimed = parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isWholeNumber) && !parts[1].isEmpty
    user = isTimed ? String(rest[..<hyphen]) : nil
  }

  private static let personalPrefix = "$pat-"
}
