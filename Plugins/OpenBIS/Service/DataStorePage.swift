import PluginAPI

/// The page that a data store sends in place of a file or an image, with status 200.
///
/// - Source: openBIS, `AbstractDatasetDownloadServlet.printErrorResponse`, `DatasetDownloadServlet.printError`.
struct DataStorePage: Sendable, Hashable {
  /// The text of the page on one line; "" for a page without text.
  let reason: String

  /// The largest page that is read; a larger one is the beginning of a file.
  static let limitInBytes = 64 << 10

  /// Reads a page.
  ///
  /// - Parameter secret: The token of the request, which is left out of the text.
  init(_ html: some Collection<UInt8>, hiding secret: String) {
    let text = HTMLText.text(String(decoding: html, as: UTF8.self))
    let lines = text.split(separator: "\n")
    // All such pages have this heading, which says nothing.
    let telling = lines.first == "Error" ? lines.dropFirst() : lines[...]
    reason = RPCWords(hiding: [Secret(secret)]).clean(telling.joined(separator: " "), limit: 300)
  }

  /// Returns true if a response head may be that of such a page: data stores name the file they send, and state its
  /// size.
  static func isPossible(_ headers: (String) -> String?, mediaType: String, statedLength: Int?, size: Int) -> Bool {
    (mediaType == "text/html" || mediaType == "text/plain") && headers("Content-Disposition") == nil
      && statedLength != size
  }

  private static func words(_ reason: String) -> Set<String> {
    Set(reason.lowercased().split { !$0.isLetter }.map(String.init))
  }

  /// The server's messages about expired sessions.
  private static let endings = Set(
    """
    expired invalid valid available
    """.split(separator: " ").map(String.init))

  /// Returns true if a reason says that the session has expired.
  static func endsSession(_ reason: String) -> Bool {
    let words = words(reason)
    return words.contains("session") && !words.isDisjoint(with: endings)
  }

  /// A Boolean value indicating whether the data store says that the session has expired.
  var endsSession: Bool { Self.endsSession(reason) }

  /// The kind of the error that the page describes.
  var kind: ErrorReport.Kind {
    let words = Self.words(reason)
    if endsSession || words.isSuperset(of: ["not", "accessible"]) || words.contains("authorization") {
      return .refused
    }
    return words.isSuperset(of: ["not", "exist"]) || words.isSuperset(of: ["not", "found"]) ? .notFound : .network
  }
}
