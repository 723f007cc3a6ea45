import PluginAPI

/// A key of a server that the user decided to trust.
struct TrustedKey: Sendable, Hashable {
  /// `host:port`, in small letters.
  var host: String
  /// The SHA-256 of the public key, as the connection gives it.
  var pin: String
  /// Whom the certificate names, for people.
  var subject: String
  var firstTrustedAt: Instant
}
