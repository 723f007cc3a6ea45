import PluginAPI

/// How far the refreshes of a cache are; kept in the cache, in the transaction of the rows it speaks of.
struct SyncState: Sendable, Hashable {
  /// When the last complete refresh began, in seconds since 1970 by the server's clock; nil before the first.
  var completedAt: Double?
  /// When the last complete refresh ended, by the client's clock; says whether the next one is due.
  var checkedAt: Double?
  /// The number of the last complete refresh or of the one that runs.
  var generation = 0
  /// What the server wants of its clients, as it said last.
  var preferences = ClientPreferences()
  /// The refresh that was begun and not completed; nil if the last one was.
  var unfinished: UnfinishedSync?
  /// Whether the next refresh must ask for everything, because entities are made otherwise now.
  var wantsAll = false
  /// Whether the next complete refresh takes the place of all that is cached: that came from elsewhere.
  var replacesAll = false
  /// What the V3 server's objects were like at the last complete refresh.
  var marks: [NativeMark] = []
  /// When the last complete refresh of everything began, in seconds since 1970; nil before the first.
  var fullAt: Double?
  /// The times of the last changes by kind when the last refresh of everything began, by the server's clock.
  var fullTimes: [NativeKind: Int] = [:]
  /// The codes of the spaces that the user may see, in order; nil if they are unknown.
  var spaces: [String]?
  /// The number of objects on the server by kind, of kinds of which the mapping hides some.
  var totals: [NativeKind: Int] = [:]

  /// Lets the next refresh begin anew and ask for everything, because entities are made otherwise now.
  ///
  /// - Parameter replacing: Whether they come from elsewhere, so that nothing of those before may stay.
  mutating func askForAll(replacing: Bool = false) {
    unfinished = nil
    marks = []
    checkedAt = nil
    wantsAll = true
    replacesAll = replacesAll || replacing
  }

  /// True if the last refresh of everything is too long ago: some changes are told by nothing else.
  ///
  /// - Parameters:
  ///   - now: The time, in seconds since 1970.
  ///   - days: The longest time between two refreshes of everything; 0 for any.
  func isFullDue(at now: Double, everyDays days: Double) -> Bool {
    guard days > 0, completedAt != nil else { return false }
    return now - (fullAt ?? 0) >= days * 86_400
  }

  /// True if a refresh must fetch everything, because of its age or because the user may see other spaces than before.
  ///
  /// One that was interrupted is resumed unless the rights changed again.
  func needsAll(spaces now: [String]?, isDue: Bool) -> Bool {
    if let unfinished, unfinished.isFull { return now != nil && unfinished.spaces != nil && unfinished.spaces != now }
    return isDue || now != nil && spaces != nil && now != spaces
  }

  /// Whether the roots are to be asked for again.
  func isDue(at now: Double) -> Bool {
    guard let checkedAt, unfinished == nil else { return true }
    // A clock that was set back makes it due as well.
    return now < checkedAt || now - checkedAt >= Double(preferences.refreshIntervalInSeconds)
  }
}

/// A refresh under way.
struct UnfinishedSync: Sendable, Hashable {
  /// When it began, by the server's clock in seconds since 1970.
  var startedAt: Double
  /// Whether everything is asked for, not only what changed.
  var isFull: Bool
  /// The categories that are still to be asked for their roots, in order; nil before they are known.
  var pending: [EntityReference]?
  /// How many categories there are.
  var categories = 0
  /// Whether a table told what was deleted: nothing is swept then unless everything was asked for.
  var tellsDeletions = false
  /// Whether `category` is sent with ROOT, as the first servers wanted it.
  var namesCategory = false
  /// The codes of the spaces that the user could see when it began; nil if they are unknown.
  var spaces: [String]?
  /// True if a data store did not list files that become entities.
  var lacksFiles = false
  /// True if objects may be cached that this refresh did not see, so that their groups and files stay.
  var keepsUntold = false
  /// The place in the objects of V3; nil for tables.
  var native: NativeCursor?
  /// What changed so far.
  var totals = SyncTotals()
}

/// Counts of a refresh.
struct SyncTotals: Sendable, Hashable {
  var added = 0
  var changed = 0
  var removed = 0
  var skipped = 0
}

/// The last change of a kind of objects, as the V3 server tells it.
struct NativeMark: Sendable, Hashable {
  var kind: NativeKind
  /// Milliseconds since 1970 of the last update and of the last creation or deletion; nil if there was none.
  var updatedAt: Int?
  var createdOrDeletedAt: Int?
  /// When the server was asked, by its clock in milliseconds since 1970.
  var readAt = 0

  /// The later of the two; nil if there was neither.
  var latest: Int? { [updatedAt, createdOrDeletedAt].compactMap { $0 }.max() }

  /// True if the mark is old enough that its transaction is committed, unless that takes very long.
  ///
  /// Servers set marks when a call is authorized, long before what it does can be seen.
  func isSettled(overlapInMilliseconds: Int) -> Bool { latest.map { $0 <= readAt - overlapInMilliseconds } ?? true }

  /// The time from which on objects may have been committed after the mark was read, in milliseconds since 1970; nil if
  /// nothing ever changed.
  ///
  /// What a transaction changes is dated as of its beginning. Of those that took less than the overlap, all that were
  /// dated before are committed.
  func openSince(overlapInMilliseconds: Int) -> Int? { latest.map { min($0, readAt - overlapInMilliseconds) } }

  /// True if another mark speaks of the same changes.
  func isSame(as other: NativeMark?) -> Bool {
    updatedAt == other?.updatedAt && createdOrDeletedAt == other?.createdOrDeletedAt
  }
}

/// How far the objects of V3 were fetched.
struct NativeCursor: Sendable, Hashable {
  /// What is being done with the kind.
  enum Phase: String, Sendable, Hashable {
    /// Objects are fetched that changed since.
    case objects
    /// The server's counts are compared with the cache, and ids fetched where they differ.
    case ids
  }

  /// The kinds still to do; the first one is being done.
  var kinds: [NativeKind]
  var phase = Phase.objects
  /// The page to request next.
  var request = NativePageRequest()
  /// The times whose ids are still to be fetched, the first one being done; nil before they are known.
  var times: [ModifiedTime]?
  /// The time that overlaps with the refresh before and has so many objects that only their ids are fetched; nil for
  /// none.
  var overlap: ModifiedTime?
  /// The number of objects of the kind that could not be used or never came.
  var lacking = 0
  /// What the marks will be when all is done.
  var marks: [NativeMark] = []
}

/// A time of changes, in milliseconds since 1970; its end is not part of it.
struct ModifiedTime: Sendable, Hashable {
  /// nil for no beginning.
  var since: Int?
  /// nil for no end.
  var before: Int?
}
