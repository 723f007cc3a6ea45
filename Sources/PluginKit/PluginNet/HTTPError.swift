/// Why a server could not be asked, or did not answer as it should.
@frozen
public enum HTTPError: Error, Equatable, Sendable {
  /// The user asked for no network.
  case offline(address: String)
  /// What was to be asked is no address of the web.
  case badAddress(String)
  /// A redirect leads to another protocol than allowed.
  case protocolRefused(address: String)
  /// The host's name is not known.
  case unknownHost(String)
  /// The host cannot be reached, in the system's words.
  case notConnected(host: String, reason: String)
  /// The connection is not safe: certificate or handshake.
  case notTrusted(host: String, reason: String)
  /// The host's public key is none of those pinned.
  case otherKey(host: String)
  /// It took longer than allowed.
  case timedOut(host: String, seconds: Double?)
  /// More redirects than allowed.
  case tooManyRedirects(address: String, limit: Int)
  /// An answer leads to another host or port, which the client was told not to follow.
  case redirectedElsewhere(host: String, target: String)
  /// The body is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// The connection ended before the answer did.
  case cutShort(host: String, reason: String)
  /// The body is not encoded as its header says.
  case damaged(host: String, reason: String)
  /// The server answered with another status than wanted.
  case status(Int, address: String, retryAfterInSeconds: Double?)
  /// The system's libcurl is missing or unfit.
  case libraryMissing(reason: String)
  /// Anything else, in libcurl's words.
  case failed(host: String, reason: String)
}
