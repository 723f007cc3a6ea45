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
/// one before, but a little earlier in time; where too many objects have the same time for that, a little earlier in
/// place, and if what should be seen again is not there, pages are asked for again from further up.
/// What the server says about the number of all is not used: it changes, and pages may be shorter than asked for.
struct NativePaging: Sendable {
  /// Where paging stands; it can be kept and gone on with.
  private(set) var request: NativePageRequest
  /// Whether everything was seen: a page was empty, or a page had nothing new and less than was asked for.
  private(set) var isFinished = false
  /// How far pages overlap in time, in milliseconds.
  let overlapInMilliseconds: Int

  /// What was given of the present stretch of time: fingerprints, as a million objects may have changed at once.
  private var seen: [UInt64: Int] = [:]
  private var received = 0
  private var fresh = 0
  private var latest: Int?
  private var isFirstSeen = false
  /// How many objects of this page changed at each time, the last times only.
  private var times: [Int] = []

  /// Begins with a page; its time and place may be those of an interrupted paging.
  init(_ request: NativePageRequest, overlapInMilliseconds: Int = 1000) {
    self.request = request
    self.overlapInMilliseconds = max(0, overlapInMilliseconds)
  }

  /// Pages overlap by so many objects where they cannot overlap in time.
  private var overlapInObjects: Int { min(32, request.count / 4) }

  /// Takes objects of the page asked for, all at once or in pieces, and gives those that are new or changed.
  mutating func take(_ objects: [NativeObject]) -> [NativeObject] {
    var new: [NativeObject] = []
    new.reserveCapacity(objects.count)
    for object in objects {
      let isNew = seen.updateValue(object.modifiedAt, forKey: Self.fingerprint(object)) == nil
      if received == 0 { isFirstSeen = !isNew }
      received += 1
      times.append(object.modifiedAt)
      if object.modifiedAt > 0 { latest = max(latest ?? 0, object.modifiedAt) }
      if isNew {
        fresh += 1
        new.append(object)
      }
    }
    return new
  }

  /// Says that the page is complete, which decides about the next one.
  mutating func endPage() {
    defer { (received, fresh, latest, isFirstSeen, times) = (0, 0, nil, false, []) }
    if received == 0 || fresh == 0 && received < request.count {
      isFinished = true
    } else if request.from > 0, !isFirstSeen, canGoBack {
      // What was to be seen again is gone: objects moved up by more than the overlap.
      request.from = max(0, request.from - request.count)
    } else if let since = nextTime {
      request = NativePageRequest(modifiedSince: since, from: 0, count: request.count)
      seen = seen.filter { $0.value >= since }
    } else {
      request.from += max(1, received - (fresh == 0 ? 0 : overlapInObjects))
    }
  }

  /// Whether something was seen before this page; not so after paging was taken up again.
  private var canGoBack: Bool { seen.count > fresh }

  /// Where the next page begins in time; nil if most of this page would come again.
  private var nextTime: Int? {
    guard let latest, latest - overlapInMilliseconds > request.modifiedSince ?? Int.min else { return nil }
    let since = latest - overlapInMilliseconds
    return 2 * times.count { $0 >= since } <= request.count ? since : nil
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
