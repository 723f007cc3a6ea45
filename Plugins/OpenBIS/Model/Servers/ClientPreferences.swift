/// How the server wants clients to behave.
///
/// - Source: CLIENT_PREFS of `ipad-read-service-v1`.
struct ClientPreferences: Sendable, Hashable {
  /// A kind of search the server offers.
  struct SearchDomain: Sendable, Hashable {
    var key: String
    var label: String
  }

  /// How old the roots may become before they are asked for again.
  var refreshIntervalInSeconds = Self.usualInterval
  /// In the order of display; the first is the usual one.
  var searchDomains: [SearchDomain] = []

  static let usualInterval = 3600
  /// From a minute to a week: what a server says beyond is brought back into it.
  static let allowedIntervals = 60...604_800

  /// The kind of search with a key; one the server did not name is passed on, and nil means the server's usual one.
  func domain(_ key: String?) -> SearchDomain? {
    guard let key else { return nil }
    return searchDomains.first { $0.key == key } ?? SearchDomain(key: key, label: key)
  }

  /// The interval a text of a server means: a number of seconds brought into bounds; the usual one for anything else.
  static func interval(_ text: String) -> Int {
    guard let seconds = Double(text), seconds.isFinite else { return usualInterval }
    return Int(min(max(seconds, Double(allowedIntervals.lowerBound)), Double(allowedIntervals.upperBound)))
  }
}
