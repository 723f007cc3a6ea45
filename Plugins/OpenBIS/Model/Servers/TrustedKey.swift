import PluginAPI

/// A key of a server that the user decided to trust.
struct TrustedKey: Sendable, Hashable {
  /// The server as `host:port`, in lower case.
  var host: String
  /// The SHA-256 of the public key, as the connection reports it.
  var pin: String
  /// The subject of the certificate, for people.
  var subject: String
  var firstTrustedAt: Instant
}
