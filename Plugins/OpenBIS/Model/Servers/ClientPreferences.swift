/// The server's preferences for clients.
///
/// - Source: CLIENT_PREFS of `ipad-read-service-v1`.
struct ClientPreferences: Sendable, Hashable {
  /// A search domain that the server offers.
  struct SearchDomain: Sendable, Hashable {
    var key: String
    var label: String
  }

  /// The age at which the roots are requested again, in seconds.
  var refreshIntervalInSeconds = Self.usualInterval
  /// The search domains in display order; the first is the default one.
  var searchDomains: [SearchDomain] = []

  static let usualInterval = 3600
  /// The allowed intervals, from a minute to a week, to which a server's value is clamped.
  static let allowedIntervals = 60...604_800

  /// Returns the search domain with a key; a key unknown to the server is passed on, and nil means the server's
  /// default.
  func domain(_ key: String?) -> SearchDomain? {
    guard let key else { return nil }
    return searchDomains.first { $0.key == key } ?? SearchDomain(key: key, label: key)
  }

  /// Returns the interval in a server's text: a number of seconds, clamped to the bounds; the default one for other
  /// texts.
  static func interval(_ text: String) -> Int {
    guard let seconds = Double(text), seconds.isFinite else { return usualInterval }
    return Int(min(max(seconds, Double(allowedIntervals.lowerBound)), Double(allowedIntervals.upperBound)))
  }
}
