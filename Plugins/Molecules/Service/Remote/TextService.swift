import PluginAPI
import PluginNet
import PluginText

/// The Protein Data Bank of 2009: a search with plain-text results, page by page.
///
/// Each line of a page is a code, a tab and a title. The server identifies the search by a cookie, which is sent with
/// requests for further pages.
/// - Source: the requests of Molecules 1.3 (2009), its file SLSMoleculeSearchViewController.m.
struct TextService: Sendable {
  private static let name = "the text service"
  /// The number of results per page, as requested by the original application.
  static let pageRows = 25
  private let services: RemoteServices

  init(_ services: RemoteServices) {
    self.services = services
  }

  /// Returns the entries with a keyword, requesting as many pages as needed.
  func search(_ keyword: String, rows: Int) async throws -> [SearchHit] {
    var hits: [SearchHit] = []
    var known: Set<String> = []
    var cookie: String?
    for page in 1... {
      var request = HTTPRequest(address(of: page, keyword), limitInBytes: 1 << 20)
      if let cookie { request.headers["Cookie"] = cookie }
      let response = try await services.send(request)
      try response.head.checked()
      cookie = cookie ?? Self.cookie(response.head)
      let found = try Self.hits(response.body, mediaType: response.head.mediaType)
      let new = found.filter { known.insert($0.code).inserted }
      hits += new
      // A page that is not full is the last; one that repeats known hits comes from a server that lost the search.
      if hits.count >= rows || found.count < Self.pageRows || new.isEmpty { break }
    }
    return Array(hits.prefix(rows))
  }

  /// Returns the address of a page of results.
  private func address(of page: Int, _ keyword: String) -> String {
    guard page > 1 else {
      return HTTPAddress.with(
        services.endpoints[.textSearch],
        query: [
          ("newSearch", "yes"), ("isAuthorSearch", "no"), ("radioset", "All"), ("inputQuickSearch", keyword),
          ("outformat", "text"), ("resultsperpage", "\(Self.pageRows)"),
        ])
    }
    return HTTPAddress.with(
      services.endpoints[.textResults], query: [("outformat", "text"), ("gotopage", "\(page)")])
  }

  /// Returns the name and value of the first cookie of a response.
  private static func cookie(_ head: HTTPHead) -> String? {
    head.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init)
  }

  /// Returns the hits of a page; lines without a code are skipped.
  ///
  /// - Throws: ``ServiceError/unreadableReply(service:reason:)`` for a web page, which current servers return.
  static func hits(_ reply: [UInt8], mediaType: String) throws(ErrorReport) -> [SearchHit] {
    let start = reply.first { $0 > 32 }
    if mediaType == "text/html", start == UInt8(ascii: "<") {
      throw ServiceError.unreadableReply(service: name, reason: "it is a web page, not a list of codes")
    }
    return reply.split(whereSeparator: { $0 == 10 || $0 == 13 }).compactMap { line in
      let fields = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1)
      guard let first = fields.first, let code = try? RCSBService.checked(first.trimmed()) else { return nil }
      return SearchHit(code: code, title: fields.count > 1 ? fields[1].trimmed() : "")
    }
  }
}
