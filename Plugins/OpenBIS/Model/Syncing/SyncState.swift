import PluginAPI

/// The progress of a cache's refreshes, stored in the cache, in the transaction of the rows it refers to.
struct SyncState: Sendable, Hashable {
  /// The beginning of the last complete refresh, in seconds since 1970 by the server's clock; nil before the first.
  var completedAt: Double?
  /// The end of the last complete refresh, by the client's clock; determines when the next one is due.
  var checkedAt: Double?
  /// The number of the last complete refresh, or of the running one.
  var generation = 0
  /// The server's latest preferences for clients.
  var preferences = ClientPreferences()
  /// The refresh that was begun and not completed; nil if the last one was completed.
  var unfinished: UnfinishedSync?
  /// A Boolean value indicating whether the next refresh must fetch everything, because the making of entities has
  /// changed.
  var wantsAll = false
  /// A Boolean value indicating whether the next complete refresh replaces everything cached, which came from
  /// elsewhere.
  var replacesAll = false
  /// The state of the V3 server's objects at the last complete refresh.
  var marks: [NativeMark] = []
  /// The end of the last full refresh, by the client's clock in seconds since 1970; nil before the first.
  var fullAt: Double?
  /// The times of the last changes by kind at the beginning of the last full refresh, by the server's clock.
  var fullTimes: [NativeKind: Int] = [:]
  /// The codes of the spaces that the user may see, in order; nil if they are unknown.
  var spaces: [String]?
  /// The number of objects on the server by kind, for kinds that the mapping hides in part.
  var totals: [NativeKind: Int] = [:]

  /// Lets the next refresh start over and fetch everything, because the making of entities has changed.
  ///
  /// - Parameter replacing: True if the entities come from elsewhere, so that all former ones must go.
  mutating func askForAll(replacing: Bool = false) {
    unfinished = nil
    marks = []
    checkedAt = nil
    wantsAll = true
    replacesAll = replacesAll || replacing
  }

  /// Returns true if the last full refresh is too long ago; some changes are found only by a full refresh.
  ///
  /// - Parameters:
  ///   - now: The current time, in seconds since 1970.
  ///   - days: The longest time between two full refreshes, in days; 0 for any.
  func isFullDue(at now: Double, everyDays days: Double) -> Bool {
    guard days > 0, completedAt != nil else { return false }
    return now - (fullAt ?? 0) >= days * 86_400
  }

  /// Returns true if a refresh must fetch everything, because of its age or because the user's spaces have changed.
  ///
  /// An interrupted full refresh is resumed unless the rights changed again.
  func needsAll(spaces now: [String]?, isDue: Bool) -> Bool {
    if let unfinished, unfinished.isFull { return now != nil && unfinished.spaces != nil && unfinished.spaces != now }
    return isDue || now != nil && spaces != nil && now != spaces
  }

  /// Returns true if the roots must be requested again.
  func isDue(at now: Double) -> Bool {
    guard let checkedAt, unfinished == nil else { return true }
    // A clock that was set back makes a refresh due as well.
    return now < checkedAt || now - checkedAt >= Double(preferences.refreshIntervalInSeconds)
  }
}

/// A running or interrupted refresh.
struct UnfinishedSync: Sendable, Hashable {
  /// The time it began, by the server's clock in seconds since 1970.
  var startedAt: Double
  /// A Boolean value indicating whether everything is fetched, not only changes.
  var isFull: Bool
  /// The categories whose roots are still to be requested, in order; nil before they are known.
  var pending: [EntityReference]?
  /// The number of categories.
  var categories = 0
  /// A Boolean value indicating whether a table reported deletions: then only a full refresh sweeps.
  var tellsDeletions = false
  /// A Boolean value indicating whether `category` is sent with ROOT, as the first servers required.
  var namesCategory = false
  /// The codes of the spaces that the user could see at its beginning; nil if they are unknown.
  var spaces: [String]?
  /// True if a data store did not list files that become entities.
  var lacksFiles = false
  /// True if objects that this refresh did not see may stay cached, so that their groups and files stay too.
  var keepsUntold = false
  /// The position in the V3 objects; nil for tables.
  var native: NativeCursor?
  /// The totals so far.
  var totals = SyncTotals()
}

/// The totals of a refresh.
struct SyncTotals: Sendable, Hashable {
  var added = 0
  var changed = 0
  var removed = 0
  var skipped = 0
}

/// The last changes of a kind of objects, as the V3 server reports them.
struct NativeMark: Sendable, Hashable {
  var kind: NativeKind
  /// The times of the last update and of the last creation or deletion, in milliseconds since 1970; nil if there was
  /// none.
  var updatedAt: Int?
  var createdOrDeletedAt: Int?
  /// The time of the request, by the server's clock in milliseconds since 1970.
  var readAt = 0

  /// The later of the two; nil if there was neither.
  var latest: Int? { [updatedAt, createdOrDeletedAt].compactMap { $0 }.max() }

  /// Returns true if the mark is old enough that its transaction is committed, unless that takes very long.
  ///
  /// Servers set marks when a call is authorized, long before its changes become visible.
  func isSettled(overlapInMilliseconds: Int) -> Bool { latest.map { $0 <= readAt - overlapInMilliseconds } ?? true }

  /// Returns the time from which on objects may have been committed after the mark was read, in milliseconds since
  /// 1970; nil if nothing ever changed.
  ///
  /// A transaction dates its changes at its beginning. All transactions dated earlier are committed, if they took less
  /// time than the overlap.
  func openSince(overlapInMilliseconds: Int) -> Int? { latest.map { min($0, readAt - overlapInMilliseconds) } }

  /// Returns true if another mark describes the same changes.
  func isSame(as other: NativeMark?) -> Bool {
    updatedAt == other?.updatedAt && createdOrDeletedAt == other?.createdOrDeletedAt
  }
}

/// The progress of fetching V3 objects.
struct NativeCursor: Sendable, Hashable {
  /// The phase of the current kind.
  enum Phase: String, Sendable, Hashable {
    /// Fetching the objects that changed.
    case objects
    /// Comparing the server's counts with the cache, and fetching ids where they differ.
    case ids
  }

  /// The remaining kinds; the first one is current.
  var kinds: [NativeKind]
  var phase = Phase.objects
  /// The page to request next.
  var request = NativePageRequest()
  /// The time ranges whose ids are still to be fetched, the first one being current; nil before they are known.
  var times: [ModifiedTime]?
  /// The time range that overlaps with the previous refresh and has so many objects that only their ids are fetched;
  /// nil for none.
  var overlap: ModifiedTime?
  /// The number of objects of the kind that were unusable or not received.
  var lacking = 0
  /// The marks to store when the refresh is complete.
  var marks: [NativeMark] = []
}

/// A range of times of change, in milliseconds since 1970; its end is exclusive.
struct ModifiedTime: Sendable, Hashable {
  /// The beginning; nil for no limit.
  var since: Int?
  /// The end; nil for no limit.
  var before: Int?
}
