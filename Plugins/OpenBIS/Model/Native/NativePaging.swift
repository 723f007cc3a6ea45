/// A page of objects of one kind, in the order of their last change; those changed at the same time by permId.
struct NativePageRequest: Sendable, Hashable {
  /// The time at or after which objects changed, in milliseconds since 1970; nil for all objects.
  var modifiedSince: Int?
  /// The time before which objects changed, in milliseconds since 1970; nil for no limit.
  var modifiedBefore: Int?
  /// The first permId, in the order of the server; nil for no limit.
  var permIDFrom: String?
  /// The permId before which objects come, in the order of the server; nil for no limit.
  var permIDBefore: String?
  /// The number of objects to skip.
  var from = 0
  /// The largest number of objects to return.
  var count = 1000
}

/// The summary of a page.
struct NativePageSummary: Sendable, Hashable {
  /// The number of its objects.
  var count = 0
  /// The number of objects that could not be used: they have neither permId nor code.
  var unusableCount = 0
  /// The number of objects that match, as the server counts them.
  var totalCount: Int?
  /// The latest time of a change, in milliseconds since 1970; nil if none was reported.
  var latestModification: Int?
  /// The server's clock in seconds since 1970; nil if it is not reported.
  var serverTimeInSeconds: Double?
  /// The size of the response in bytes.
  var sizeInBytes = 0
}

/// A paging strategy that misses no object while others change objects.
///
/// Servers search, authorize and sort everything that matches for each page. Therefore pages are taken from time
/// windows that hold about as many objects as a page. The next window begins where the previous one ended; its length
/// follows from the distance between the last objects. An object that is changed meanwhile moves to a later window; the
/// objects behind it keep their positions.
///
/// A window is complete when as many distinct objects were received as the server counts in the same response. A window
/// in which some are missing is read up to ``mostPasses`` times in all.
///
/// Objects that all changed at one time cannot be divided by time. If they do not fit a page, they are divided by permId
/// into windows that do: the permId of the object in their middle is requested, then that of the one in the middle of
/// the first half, and so on. The order of permIds is the server's alone: any bound divides objects without a gap. A
/// window that cannot be divided, because its server does not count for example, is paged through by position.
struct NativePaging: Sendable {
  /// The page to request next; paging can be resumed from it.
  private(set) var request: NativePageRequest
  /// True if all objects were seen.
  private(set) var isFinished = false
  /// True if the server repeats the same page for any request, although it counts more objects.
  private(set) var isRepeating = false
  /// The number of objects that the server counted in earlier windows but never sent.
  private(set) var missingCount = 0

  /// The end of the time to page through, in milliseconds since 1970; nil for no end.
  private let end: Int?
  /// The time of the last change, if it is known: the last window begins before it and has no end.
  private let horizon: Int?
  private let pageSize: Int
  /// The windows of the same time behind this one, the next one last.
  private var laterParts: [Part] = []
  /// The length of the next window in milliseconds; nil before the first page.
  private var width: Int?
  /// The times of change of the objects that were returned and may come again, by their fingerprint.
  private var given: [UInt64: Int] = [:]
  private var window: Window
  /// The number of consecutive pages without new objects while objects disappeared.
  private var idleRereads = 0
  private var page = Page()
  private var isFirstPage = true
  private var digestBefore: UInt64?

  /// The largest number of passes over a window with missing objects, the first one included.
  static let mostPasses = 4
  /// The largest number of consecutive rereads of a page, without new objects, because objects disappeared.
  static let mostIdleRereads = 100

  /// A window of objects with one time that ends at a permId.
  private struct Part: Sendable {
    /// The permId before which it ends; nil if it has no end.
    var before: String?
    /// The expected number of its objects.
    var count: Int
  }

  /// The state of one window.
  private struct Window: Sendable {
    /// The expected number of objects, if they have one time; nil if it is unknown.
    var expectedCount: Int?
    /// The expected number of objects in the window of which this is the first part; nil for others.
    var wholeCount: Int?
    /// True if the server does not divide it by permId.
    var isIndivisible = false
    /// The fingerprints of the objects received since the server's count began, and of those received in this pass.
    var counted: Set<UInt64> = []
    var countedInPass: Set<UInt64> = []
    /// The number of objects received before paging was interrupted.
    var passed = 0
    /// The number of unusable objects.
    var unusable = 0
    /// The server's latest count of objects.
    var total: Int?
    /// The decrease of that count since it began, and in this pass.
    var vanished = 0
    var vanishedInPass = 0
    /// The number of this pass.
    var pass = 1
    /// The number of consecutive pages without new objects.
    var idlePages = 0

    /// The number of objects received.
    var known: Int { counted.count + unusable + passed }

    /// Starts again at the first object.
    mutating func beginPass() {
      pass += 1
      (idlePages, passed, unusable, countedInPass, vanishedInPass) = (0, 0, 0, [], 0)
    }
  }

  private struct Page: Sendable {
    var count = 0
    var fresh = 0
    var earliest: Int?
    var latest: Int?
    var digest: UInt64 = 0
  }

  /// Creates a paging that begins with a page; its window and position may be those of an interrupted paging.
  ///
  /// - Parameters:
  ///   - request: The first page, its window included.
  ///   - end: The time before which objects changed, in milliseconds since 1970; nil for no limit.
  ///   - horizon: The time of the last change, in milliseconds since 1970; nil if it is unknown.
  init(_ request: NativePageRequest, end: Int? = nil, horizon: Int? = nil) {
    self.request = request
    (self.end, self.horizon, pageSize) = (end, horizon, max(1, request.count))
    window = Window(passed: request.from)
    if let since = request.modifiedSince, let before = request.modifiedBefore, before != end { width = before - since }
    if request.modifiedBefore == nil { self.request.modifiedBefore = end }
  }

  /// Receives objects of the requested page, all at once or in pieces, and returns those that are new or changed.
  mutating func take(_ objects: [NativeObject]) -> [NativeObject] {
    objects.filter { object in
      let key = Self.fingerprint(object)
      page.count += 1
      page.digest = (page.digest ^ key) &* 0x100_0000_01B3
      page.earliest = min(page.earliest ?? object.modifiedAt, object.modifiedAt)
      page.latest = max(page.latest ?? object.modifiedAt, object.modifiedAt)
      window.counted.insert(key)
      if window.countedInPass.insert(key).inserted { page.fresh += 1 }
      return given.updateValue(object.modifiedAt, forKey: key) == nil
    }
  }

  /// Ends a page and determines the next one.
  ///
  /// - Parameters:
  ///   - total: The number of objects in the window, as the server counts them; nil if it does not count them.
  ///   - unusableCount: The number of unusable objects of the page.
  mutating func endPage(totalCount total: Int? = nil, unusableCount: Int = 0) {
    let received = page.count + unusableCount
    window.unusable += unusableCount
    let lost = max(0, (window.total ?? 0) - (total ?? window.total ?? 0))
    window.total = total
    window.vanished += lost
    window.vanishedInPass += lost
    countIdle(isNew: page.fresh + unusableCount > 0, lost: lost)
    defer {
      isFirstPage = false
      digestBefore = page.count > 1 ? page.digest : nil
      page = Page()
    }
    if isComplete(received, total) { return beginNextWindow(received) }
    let isBehind = page.earliest.map { $0 > 0 && $0 < request.modifiedSince ?? 0 } ?? false
    let isSame = request.from > 0 && lost == 0 && page.count > 1 && digestBefore == page.digest
    if isBehind || isSame { return isRepeating = true }
    if request.from == 0, window.pass == 1, let earliest = page.earliest, let latest = page.latest,
      latest > request.modifiedSince ?? earliest
    {
      advance(to: latest, from: request.modifiedSince ?? earliest)
    } else if request.from == 0, window.pass == 1, let latest = page.latest, latest > 0, !isAtOneTime {
      narrow(to: latest)
    } else if request.from == 0, window.pass == 1, isAtOneTime, !window.isIndivisible, let total, total > pageSize {
      if total < window.wholeCount ?? Int.max { window.expectedCount = total } else { undivide() }
    } else if lost > 0, request.from > 0, idleRereads < Self.mostIdleRereads {
      // The objects that disappeared may have been before this page, so that all objects behind them moved up.
      request.from = max(0, request.from - lost)
    } else if received == 0 || window.idlePages >= 3
      || total.map({ request.from + received >= $0 }) ?? (page.fresh == 0)
    {
      endPass(total)
    } else {
      request.from += received
    }
  }

  private mutating func countIdle(isNew: Bool, lost: Int) {
    if isNew {
      (window.idlePages, idleRereads) = (0, 0)
    } else if lost > 0 {
      (window.idlePages, idleRereads) = (0, idleRereads + 1)
    } else {
      window.idlePages += 1
    }
  }

  /// Returns true if the first page is empty although the server counts objects in the same response.
  func contradicts(totalCount: Int?, unusableCount: Int = 0) -> Bool {
    isFirstPage && request.from == 0 && page.count + unusableCount == 0 && totalCount.map { $0 > 0 } ?? false
  }

  // MARK: Division by permId

  /// The request for the object at whose permId the window must be divided before its next page is requested; nil if it
  /// need not be.
  ///
  /// Each part has as many objects as fit a page less one: a full page does not show that it is the last one.
  var divisionRequest: NativePageRequest? {
    guard let count = window.expectedCount, count > pageSize else { return nil }
    let partSize = max(1, pageSize - 1)
    var middle = request
    (middle.from, middle.count) = ((count + partSize - 1) / partSize / 2 * partSize, 1)
    return middle
  }

  /// Divides the window before an object; continues with the first part.
  ///
  /// - Parameter permID: The permId of the object of ``divisionRequest``; nil if there is none.
  mutating func divide(at permID: String?) {
    guard let position = divisionRequest?.from, let count = window.expectedCount else { return }
    guard let permID else { return window = Window(isIndivisible: true) }
    laterParts.append(Part(before: request.permIDBefore, count: count - position))
    request.permIDBefore = permID
    window = Window(expectedCount: position, wholeCount: count)
  }

  /// Pages through all objects of the time by position.
  ///
  /// A part with as many objects as the whole shows that the server ignores permIds: divisions would never end.
  private mutating func undivide() {
    (request.permIDFrom, request.permIDBefore, laterParts) = (nil, nil, [])
    window = Window(isIndivisible: true)
  }

  // MARK: Windows

  /// True if the window covers a single time, so that it cannot be divided by time.
  private var isAtOneTime: Bool {
    guard let since = request.modifiedSince, let before = request.modifiedBefore else { return false }
    return before <= since + 1
  }

  private func isComplete(_ received: Int, _ total: Int?) -> Bool {
    // If the count is wrong, a full page says nothing about the following objects.
    guard let total else { return page.fresh == 0 && received < request.count }
    if request.from == 0, received >= total, received != request.count { return true }
    return (request.from > 0 || window.pass > 1) && (received < request.count || page.fresh == 0)
      && window.known - window.vanished >= total
  }

  /// Continues with objects changed at or after the time of the last object.
  private mutating func advance(to latest: Int, from earliest: Int) {
    width = max(1, (latest - earliest) / 4 * 3)
    given = given.filter { $0.value >= latest }
    beginWindow(at: latest)
  }

  /// Narrows the window to the single time at which all objects of the page changed.
  ///
  /// The page is read again, because later pages are compared with the number of objects of that time alone. Objects
  /// that disappeared before it was counted no longer matter.
  private mutating func narrow(to latest: Int) {
    (request.modifiedSince, request.modifiedBefore) = (latest, latest + 1)
    window = Window()
    width = width ?? 1
  }

  /// Reads the window again if objects of it may be missing.
  ///
  /// Objects that disappeared may or may not have been received before; only a pass without such a loss proves which
  /// objects are missing.
  private mutating func endPass(_ total: Int?) {
    var missing = max(0, (total ?? 0) - (window.known - window.vanished))
    if window.vanishedInPass == 0 {
      missing = min(missing, max(0, (total ?? 0) - window.countedInPass.count - window.unusable - window.passed))
    }
    window.beginPass()
    request.from = 0
    if missing > 0, window.pass <= Self.mostPasses { return }
    missingCount += missing
    beginNextWindow(request.count)
  }

  private mutating func beginNextWindow(_ received: Int) {
    if let permID = request.permIDBefore {
      let part = laterParts.popLast()
      (request.permIDFrom, request.permIDBefore, request.from) = (permID, part?.before, 0)
      window = Window(expectedCount: part?.count)
      return
    }
    guard let before = request.modifiedBefore, before < end ?? Int.max else { return isFinished = true }
    // The last part of a time shows nothing of how many objects a window holds.
    if let old = width, request.permIDFrom == nil {
      let found = max(received, window.total ?? 0)
      let growth = found * 8 < pageSize ? 16 : found * 2 < pageSize ? 2 : 1
      width = old.multipliedReportingOverflow(by: growth).overflow ? old : old * growth
    }
    given = [:]
    beginWindow(at: before)
  }

  private mutating func beginWindow(at since: Int) {
    let before = since.addingReportingOverflow(width ?? Int.max)
    let isLast = before.overflow || before.partialValue > horizon ?? Int.min || before.partialValue >= end ?? Int.max
    request = NativePageRequest(
      modifiedSince: since, modifiedBefore: isLast ? end : before.partialValue, count: pageSize)
    window = Window()
  }

  /// Returns a hash that distinguishes objects, and the versions of an object.
  ///
  /// - Source: FNV-1a of 64 bits, Fowler, Noll, Vo.
  private static func fingerprint(_ object: NativeObject) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in object.permID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for shift in stride(from: 0, to: 64, by: 8) {
      hash = (hash ^ UInt64(truncatingIfNeeded: (object.modifiedAt >> shift) & 255)) &* 0x100_0000_01B3
    }
    return hash
  }
}
