/// An error of a request to a server.
@frozen
public enum HTTPError: Error, Equatable, Sendable {
  /// The user disabled the network.
  case offline(address: String)
  /// The address is not a web address.
  case badAddress(String)
  /// A redirect leads to a protocol that is not allowed.
  case protocolRefused(address: String)
  /// The host name cannot be resolved.
  case unknownHost(String)
  /// The host cannot be reached; the reason is the system's message.
  case notConnected(host: String, reason: String)
  /// The connection is not trusted, because of the certificate or the handshake.
  case notTrusted(host: String, reason: String)
  /// The host's public key is not among those pinned.
  case otherKey(host: String)
  /// The request exceeded its time limit.
  case timedOut(host: String, seconds: Double?)
  /// More redirects than allowed.
  case tooManyRedirects(address: String, limit: Int)
  /// A response redirects to another host or port, which the client's settings forbid.
  case redirectedElsewhere(host: String, target: String)
  /// The body is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// The connection ended before the response did.
  case cutShort(host: String, reason: String)
  /// The body does not match the encoding in its header.
  case damaged(host: String, reason: String)
  /// The server responded with an unexpected status.
  case status(Int, address: String, retryAfterInSeconds: Double?)
  /// The system's libcurl is missing or unsuitable.
  case libraryMissing(reason: String)
  /// Any other failure, with libcurl's message.
  case failed(host: String, reason: String)
}
