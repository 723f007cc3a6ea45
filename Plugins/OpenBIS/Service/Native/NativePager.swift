import Synchronization

/// Pages through the objects of a kind, each given once, however others change them meanwhile.
final class NativePager: Sendable {
  private let service: NativeService
  private let kind: NativeKind
  private let idsOnly: Bool
  private let paging: Mutex<NativePaging>

  /// Begins with a page; its window and position may be those of an interrupted paging.
  ///
  /// - Parameters:
  ///   - end: Only what changed before this time, in milliseconds since 1970; nil for no limit.
  ///   - horizon: The time of the last change; nil if it is unknown.
  init(
    _ service: NativeService, _ kind: NativeKind, from request: NativePageRequest, end: Int? = nil,
    horizon: Int? = nil, idsOnly: Bool = false
  ) {
    (self.service, self.kind, self.idsOnly) = (service, kind, idsOnly)
    paging = Mutex(NativePaging(request, end: end, horizon: horizon))
  }

  /// The page that comes next: kept with what came before it, paging can go on from there in another run.
  var request: NativePageRequest { paging.withLock { $0.request } }

  /// True if there are no more pages.
  var isFinished: Bool { paging.withLock { $0.isFinished } }

  /// The number of objects that the server counted and never sent.
  var missingCount: Int { paging.withLock { $0.missingCount } }

  /// Asks for the next page; after an error the same page is asked for again.
  ///
  /// - Parameters:
  ///   - channel: The transfer pauses while it is full.
  ///   - handler: Takes the objects that are new or changed, some hundred at a time; on the thread of all transfers.
  /// - Returns: What the page held, what was known already included; nil if there is nothing more.
  /// - Throws: ``GraphError``, ``PagingError``, `UselessResult` for an empty page where the server says that there are objects; what the
  ///   caller and the handler throw.
  func next(
    channel: RowChannel? = nil, _ handler: @escaping @Sendable ([NativeObject]) throws -> Void
  ) async throws -> NativePageSummary? {
    let before = paging.withLock { $0 }
    if before.isFinished { return nil }
    do {
      let summary = try await service.page(kind, before.request, idsOnly: idsOnly, channel: channel) { objects in
        let new = self.paging.withLock { $0.take(objects) }
        if !new.isEmpty { try handler(new) }
      }
      let (total, unusable) = (summary.totalCount, summary.unusableCount)
      if paging.withLock({ $0.contradicts(totalCount: total, unusableCount: unusable) }) {
        throw UselessResult("it has none of the \(total ?? 0) objects it speaks of")
      }
      let isRepeating = paging.withLock { paging in
        paging.endPage(totalCount: total, unusableCount: unusable)
        return paging.isRepeating
      }
      if isRepeating { throw PagingError(kind: kind, sent: summary.count, counted: total) }
      return summary
    } catch {
      // What a broken answer brought is not known.
      paging.withLock { $0 = before }
      throw error
    }
  }
}
