/// A page of objects of one kind, the longest unchanged first.
struct NativePageRequest: Sendable, Hashable {
  /// Only what changed at or after this time, in milliseconds since 1970; nil for all.
  var modifiedSince: Int?
  /// How many of those are passed over.
  var from = 0
  /// How many are asked for.
  var count = 1000
}

/// What a page held.
struct NativePageSummary: Sendable, Hashable {
  /// How many objects it had.
  var count = 0
  /// How many objects could not be used: they have neither permId nor code.
  var unusableCount = 0
  /// How many the server says there are; for showing progress, never for reckoning when to end.
  var totalCount: Int?
  /// The latest time of a change, in milliseconds since 1970; nil if none was told.
  var latestModification: Int?
  /// The server's clock in seconds since 1970; nil if it tells none.
  var serverTimeInSeconds: Double?
  /// The size of the answer in bytes.
  var sizeInBytes = 0
}

/// Decides which page to ask for next, so that nothing is lost while others change objects.
///
/// Who changes an object moves it to the end of the order, and all behind it move up. So a page does not begin behind the
/// one before, but a little earlier in time; where many objects lie in that time, among them a little earlier in place,
/// and if what should be seen again is not there, pages are asked for again from further up.
/// What the server says about the number of all is not used: it changes, and pages may be shorter than asked for.
struct NativePaging: Sendable {
  /// Where paging stands; it can be kept and gone on with.
  private(set) var request: NativePageRequest
  /// Whether everything was seen: a page was empty, or a page had nothing new and less than was asked for.
  private(set) var isFinished = false
  /// How far pages overlap in time, in milliseconds.
  let overlapInMilliseconds: Int

  private var seen: SeenObjects
  private var page = Page()
  /// Whether the page asked for does not overlap with the one before, because that brought nothing new.
  private var jumps = false
  /// Whether the page asked for was empty already, though there is more as the server says.
  private var isAskedAgain = false

  /// What came of the page that is asked for.
  private struct Page: Sendable {
    var count = 0
    var fresh = 0
    var latest: Int?
    var beginsWithSeen = false
  }

  /// Begins with a page; its time and place may be those of an interrupted paging.
  init(_ request: NativePageRequest, overlapInMilliseconds: Int = 1000) {
    self.request = request
    self.overlapInMilliseconds = max(0, overlapInMilliseconds)
    seen = SeenObjects(room: max(1 << 16, 2 * request.count), knowsAll: request.from == 0)
  }

  /// Takes objects of the page asked for, all at once or in pieces, and gives those that are new or changed.
  mutating func take(_ objects: [NativeObject]) -> [NativeObject] {
    objects.filter { object in
      let isNew = seen.insert(object)
      if page.count == 0 { page.beginsWithSeen = !isNew }
      page.count += 1
      page.fresh += isNew ? 1 : 0
      page.latest = max(page.latest ?? object.modifiedAt, object.modifiedAt)
      return isNew
    }
  }

  /// Says that the page is complete, which decides about the next one.
  ///
  /// - Parameters:
  ///   - totalCount: How many objects there are as the server says, which may change from page to page: it is only
  ///     believed when it says that there are more.
  ///   - unusableCount: How many objects of the page could not be taken.
  mutating func endPage(totalCount: Int? = nil, unusableCount: Int = 0) {
    let told = page.count + unusableCount
    let saysMore = totalCount.map { request.from + told < $0 } ?? false
    let hasGap = told > 0 && page.count == 0 ? false : hasGap
    let (jumped, wasAskedAgain) = (jumps, isAskedAgain)
    (jumps, isAskedAgain) = (false, false)
    if jumped, told == 0, saysMore, !wasAskedAgain {
      // Totals move, but one answer alone does not say that nothing follows.
      (jumps, isAskedAgain) = (true, true)
    } else if page.count == 0, told > 0, saysMore || told >= request.count {
      jumps = true
      request.from += told
    } else if hasGap {
      // What was to be seen again is gone: objects moved up by more than the overlap.
      request.from = max(0, request.from - request.count)
    } else if page.count == 0 || page.fresh == 0 && page.count < request.count && !saysMore {
      isFinished = true
    } else if let since = nextTime {
      seen.forget(before: since)
      let known = seen.count
      request.modifiedSince = since
      request.from = 2 * known <= request.count ? 0 : known - overlap(known)
    } else {
      jumps = page.fresh == 0 && page.count < request.count
      request.from += page.fresh == 0 ? page.count : page.count - overlap(page.count)
    }
    page = Page()
  }

  /// Whether the page says nothing although the server says in the same answer that there is something.
  ///
  /// Behind the first place the pages before are asked for again, down to the first one.
  func contradicts(totalCount: Int?, unusableCount: Int = 0) -> Bool {
    request.from == 0 && page.count + unusableCount == 0 && totalCount.map { $0 > 0 } ?? false
  }

  /// Whether a page that should begin with something seen does not.
  private var hasGap: Bool {
    if request.from == 0 || request.count < 2 || jumps { return false }
    // After an interruption nothing is known to have been seen.
    return page.count == 0 || !page.beginsWithSeen && seen.count > page.fresh
  }

  /// By how many objects a page overlaps with so many before it.
  private func overlap(_ count: Int) -> Int { request.count < 2 ? 0 : min(32, (request.count + 3) / 4, count / 2) }

  /// The time the next page begins at; nil if it stays the same, or if what was seen since is not all known.
  private var nextTime: Int? {
    guard let latest = page.latest, latest > 0 else { return nil }
    let since = latest - overlapInMilliseconds
    return since > request.modifiedSince ?? 0 && seen.knowsAll(since: since) ? since : nil
  }
}
