import PluginAPI
import Synchronization

/// A pager through the objects of a kind, which returns each object once, even if others change objects meanwhile.
final class NativePager: Sendable {
  private let service: NativeService
  private let kind: NativeKind
  private let idsOnly: Bool
  private let paging: Mutex<NativePaging>

  /// Creates a pager that begins with a page; its window and position may be those of an interrupted paging.
  ///
  /// - Parameters:
  ///   - end: The time before which objects changed, in milliseconds since 1970; nil for no limit.
  ///   - horizon: The time of the last change; nil if it is unknown.
  init(
    _ service: NativeService, _ kind: NativeKind, from request: NativePageRequest, end: Int? = nil,
    horizon: Int? = nil, idsOnly: Bool = false
  ) {
    (self.service, self.kind, self.idsOnly) = (service, kind, idsOnly)
    paging = Mutex(NativePaging(request, end: end, horizon: horizon))
  }

  /// The next page to request; saved with the data before it, it lets a later run resume paging.
  var request: NativePageRequest { paging.withLock { $0.request } }

  /// True if there are no more pages.
  var isFinished: Bool { paging.withLock { $0.isFinished } }

  /// The number of objects that the server counted but never sent.
  var missingCount: Int { paging.withLock { $0.missingCount } }

  /// Requests the next page; after an error the same page is requested again.
  ///
  /// - Parameters:
  ///   - channel: The channel for rows; the transfer pauses while it is full.
  ///   - handler: Receives the objects that are new or changed, some hundred at a time; called on the thread of all
  ///     transfers.
  /// - Returns: The summary of the page, including objects already known; nil if there are no more pages.
  /// - Throws: ``GraphError``, ``PagingError``, `UselessResult` for an empty page although the server counts objects;
  ///   errors of the caller and the handler.
  func next(
    channel: RowChannel? = nil, _ handler: @escaping @Sendable ([NativeObject]) throws -> Void
  ) async throws -> NativePageSummary? {
    try await divide()
    let before = paging.withLock { $0 }
    if before.isFinished { return nil }
    do {
      let summary = try await service.page(kind, before.request, idsOnly: idsOnly, channel: channel) { objects in
        let new = self.paging.withLock { $0.take(objects) }
        if !new.isEmpty { try handler(new) }
      }
      let (total, unusable) = (summary.totalCount, summary.unusableCount)
      if paging.withLock({ $0.contradicts(totalCount: total, unusableCount: unusable) }) {
        throw UselessResult("it has none of the \(total ?? 0) objects that it counts")
      }
      let isRepeating = paging.withLock { paging in
        paging.endPage(totalCount: total, unusableCount: unusable)
        return paging.isRepeating
      }
      if isRepeating { throw PagingError(kind: kind, sent: summary.count, counted: total) }
      return summary
    } catch {
      // The objects of a broken response are unknown.
      paging.withLock { $0 = before }
      throw error
    }
  }

  /// Divides objects with one time by permId until the next ones fit a page.
  private func divide() async throws {
    while let request = paging.withLock({ $0.divisionRequest }) {
      let permID = try await service.firstPermID(kind, request)
      paging.withLock { $0.divide(at: permID) }
    }
  }
}

/// An error of a server that sends the same page for any request, although it counts more objects.
struct PagingError: Error, Equatable, ReportableError {
  var kind: NativeKind
  /// The number of objects of the page.
  var sent: Int
  /// The number of objects that match, as the server counts them; nil if it does not count them.
  var counted: Int?

  static let errorCodes = [
    ErrorCodeDescription("openbis.page-repeated", "the server sends the same page for every request")
  ]

  var report: ErrorReport {
    let count = counted.map { " of \($0)" } ?? ""
    return ErrorReport(
      code: "openbis.page-repeated", kind: .network,
      "the server sends the same \(sent)\(count) \(kind.plural) for every page",
      advice: "ask the server's administrator whether a proxy caches responses; your cached data is kept")
  }
}
