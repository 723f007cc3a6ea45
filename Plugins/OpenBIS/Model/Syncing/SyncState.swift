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
}

/// How far the objects of V3 were fetched.
struct NativeCursor: Sendable, Hashable {
  /// What is being done with the kind.
  enum Phase: String, Sendable, Hashable {
    /// Objects are fetched that changed since.
    case objects
    /// All ids are fetched, to find what was deleted.
    case ids
  }

  /// The kinds still to do; the first one is being done.
  var kinds: [NativeKind]
  var phase = Phase.objects
  /// The page to ask for next.
  var request = NativePageRequest()
  /// How many objects, or ids, the server told in the phase.
  var told = 0
  /// What the marks will be when all is done.
  var marks: [NativeMark] = []
}
