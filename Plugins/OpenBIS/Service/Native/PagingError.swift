import PluginAPI

/// An error of a server that sends the same page for any request, although it counts more objects.
struct PagingError: Error, Equatable, ReportableError {
  var kind: NativeKind
  /// The number of objects of the page.
  var sent: Int
  /// The number of objects that match, as the server counts them; nil if it does not count them.
  var counted: Int?

  static let errorCodes = [
    ErrorCodeDescription("openbis.page-repeated", "the server sends the same page again and again")
  ]

  var report: ErrorReport {
    let count = counted.map { " of \($0)" } ?? ""
    return ErrorReport(
      code: "openbis.page-repeated", kind: .network,
      "the server sends the same \(sent)\(count) \(kind.plural) whichever page is requested",
      advice: "ask who runs the server whether a proxy answers from a cache; the cache here was kept")
  }
}
