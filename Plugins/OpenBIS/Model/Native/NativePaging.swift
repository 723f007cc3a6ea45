/// A page of objects of one kind, the longest unchanged first; those changed at the same time by permId.
struct NativePageRequest: Sendable, Hashable {
  /// Only what changed at or after this time, in milliseconds since 1970; nil for all.
  var modifiedSince: Int?
  /// Only what changed before this time, in milliseconds since 1970; nil for no limit.
  var modifiedBefore: Int?
  /// The number of those that are skipped.
  var from = 0
  /// The largest number of objects wanted.
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
  /// The latest time of a change, in milliseconds since 1970; nil if none was told.
  var latestModification: Int?
  /// The server's clock in seconds since 1970; nil if it tells none.
  var serverTimeInSeconds: Double?
  /// The size of the answer in bytes.
  var sizeInBytes = 0
}

/// Decides which page to request next, so that nothing is lost while others change objects.
///
/// Servers search, authorize and sort everything that matches for each page. So pages are taken from windows of time
/// that hold about as many objects as a page: the next window begins where the one before ended, and is as long as the
/// last objects were apart. An object that is changed meanwhile moves to a later window; nothing behind it moves up.
///
/// A window is complete when as many distinct objects came as the server counts in the same response. Objects that all
/// changed at one time cannot be divided by time and are paged through by position; if some are missing at the end, the
/// window is read again, up to ``mostPasses`` times.
struct NativePaging: Sendable {
  /// The page to request next; paging can be resumed from it.
  private(set) var request: NativePageRequest
  /// True if everything was seen.
  private(set) var isFinished = false
  /// True if the server repeats the same page whatever is requested, though it counts more objects.
  private(set) var isRepeating = false
  /// The number of objects that the server counted in the windows before and never sent.
  private(set) var missingCount = 0

  /// The end of the time to page through, in milliseconds since 1970; nil for no end.
  private let end: Int?
  /// The time of the last change, as far as it is known: the last window begins before it and has no end.
  private let horizon: Int?
  private let pageSize: Int
  /// The length of the next window in milliseconds; nil before the first page.
  private var width: Int?
  /// The time of change of the objects that were given and may come again, by their fingerprint.
  private var given: [UInt64: Int] = [:]
  private var window: Window
  /// The number of pages in a row that brought nothing new while objects went away.
  private var idleRereads = 0
  private var page = Page()
  private var isFirstPage = true
  private var digestBefore: UInt64?

  /// The most passes over a window that lacks objects.
  static let mostPasses = 4
  /// The most times in a row that a page is read again, without anything new, because objects went away.
  static let mostIdleRereads = 100
  /// The most objects that a page of objects of one time has.
  static let largestPage = 25_000

  /// What came of the objects of a window.
  private struct Window: Sendable {
    /// The fingerprints of the objects that came since the server's count began, and of those that came in this pass.
    var counted: Set<UInt64> = []
    var countedInPass: Set<UInt64> = []
    /// The number of objects that another run took.
    var passed = 0
    /// The number of objects that cannot be used.
    var unusable = 0
    /// The number of objects as the server counted them last.
    var total: Int?
    /// By how much that became less since the count began, and in this pass.
    var vanished = 0
    var vanishedInPass = 0
    /// The number of this pass.
    var pass = 1
    /// The number of pages in a row that brought nothing new.
    var idlePages = 0

    /// The number of objects that came.
    var known: Int { counted.count + unusable + passed }

    /// Begins at the first object again.
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

  /// Begins with a page; its window and position may be those of an interrupted paging.
  ///
  /// - Parameters:
  ///   - request: The first page, its window included.
  ///   - end: Only what changed before this time, in milliseconds since 1970; nil for no limit.
  ///   - horizon: The time of the last change, in milliseconds since 1970; nil if it is unknown.
  init(_ request: NativePageRequest, end: Int? = nil, horizon: Int? = nil) {
    self.request = request
    (self.end, self.horizon, pageSize) = (end, horizon, max(1, request.count))
    window = Window(passed: request.from)
    if let since = request.modifiedSince, let before = request.modifiedBefore, before != end { width = before - since }
    if request.modifiedBefore == nil { self.request.modifiedBefore = end }
  }

  /// Takes objects of the page requested, all at once or in pieces, and returns those that are new or changed.
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

  /// Ends a page, which decides about the next one.
  ///
  /// - Parameters:
  ///   - total: The number of objects in the window, as the server counts them; nil if it does not.
  ///   - unusableCount: The number of objects of the page that could not be taken.
  mutating func endPage(totalCount total: Int? = nil, unusableCount: Int = 0) {
    let told = page.count + unusableCount
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
    if isComplete(told, total) { return beginNextWindow(told) }
    let isBehind = page.earliest.map { $0 > 0 && $0 < request.modifiedSince ?? 0 } ?? false
    let isSame = request.from > 0 && lost == 0 && page.count > 1 && digestBefore == page.digest
    if isBehind || isSame { return isRepeating = true }
    if request.from == 0, window.pass == 1, let earliest = page.earliest, let latest = page.latest,
      latest > request.modifiedSince ?? earliest
    {
      advance(to: latest, from: request.modifiedSince ?? earliest)
    } else if request.from == 0, window.pass == 1, let latest = page.latest, latest > 0, !isAtOneTime {
      divide(at: latest, total)
    } else if lost > 0, request.from > 0, idleRereads < Self.mostIdleRereads {
      // What is gone lay before this page maybe, and all behind it moved up.
      request.from = max(0, request.from - lost)
    } else if told == 0 || window.idlePages >= 3 || total.map({ request.from + told >= $0 }) ?? (page.fresh == 0) {
      endPass(total)
    } else {
      moveOn(told, total)
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

  /// True if the first page is empty although the server counts objects in the same response.
  func contradicts(totalCount: Int?, unusableCount: Int = 0) -> Bool {
    isFirstPage && request.from == 0 && page.count + unusableCount == 0 && totalCount.map { $0 > 0 } ?? false
  }

  // MARK: Windows

  /// True if the window has one time only, so that it cannot be divided.
  private var isAtOneTime: Bool {
    guard let since = request.modifiedSince, let before = request.modifiedBefore else { return false }
    return before <= since + 1
  }

  private func isComplete(_ told: Int, _ total: Int?) -> Bool {
    // A full page says nothing of what follows if the count is wrong.
    guard let total else { return page.fresh == 0 && told < request.count }
    if request.from == 0, told >= total, told != request.count { return true }
    return (request.from > 0 || window.pass > 1) && (told < request.count || page.fresh == 0)
      && window.known - window.vanished >= total
  }

  /// Goes on with what changed at or after the time of the last object.
  private mutating func advance(to latest: Int, from earliest: Int) {
    width = max(1, (latest - earliest) / 4 * 3)
    given = given.filter { $0.value >= latest }
    beginWindow(at: latest)
  }

  /// Goes on behind the objects of the page: as each page costs as much as all of them, few large ones are better.
  private mutating func moveOn(_ told: Int, _ total: Int?) {
    request.from += told
    enlargePage(total)
  }

  private mutating func enlargePage(_ total: Int?) {
    request.count = min(max(pageSize, (total ?? 0) / 8), max(pageSize, Self.largestPage))
  }

  /// Narrows the window to the one time at which everything in the page changed.
  ///
  /// The page is read again: the number of objects of that time alone is what later pages are compared with. Those that
  /// went away before it was counted count no more.
  private mutating func divide(at latest: Int, _ total: Int?) {
    enlargePage(total)
    (request.modifiedSince, request.modifiedBefore) = (latest, latest + 1)
    window = Window()
    width = width ?? 1
  }

  /// Reads the window again if something of it may be missing.
  ///
  /// Objects that went away may have come before or not; only a pass without any such loss proves what is missing.
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

  private mutating func beginNextWindow(_ told: Int) {
    guard let before = request.modifiedBefore, before < end ?? Int.max else { return isFinished = true }
    if let old = width {
      let found = max(told, window.total ?? 0)
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

  /// A number that tells objects, and their changes, from each other.
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
