/// What the text of a token tells: `<user>-<digits>x<digits>`, with `$pat-` before one for long use.
///
/// - Source: the sources of openBIS; names of users may have `-` in them.
struct SessionToken: Sendable, Hashable {
  /// Whether it is a personal access token, which no logging out ends.
  let isPersonal: Bool
  /// Whose it is; nil if it does not look like a token of openBIS.
  let user: String?

  /// Reads a token.
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
