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
  mutating func requestAll(replacing: Bool = false) {
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
  /// A Boolean value indicating whether all roots of the first pending category are requested, not only changes.
  var wantsAllRoots = false
  /// The number of categories.
  var categories = 0
  /// A Boolean value indicating whether a table reported deletions: then only a full refresh sweeps.
  var reportsDeletions = false
  /// A Boolean value indicating whether `category` is sent with ROOT, as the first servers required.
  var namesCategory = false
  /// The codes of the spaces that the user could see at its beginning; nil if they are unknown.
  var spaces: [String]?
  /// True if a data store did not list files that become entities.
  var lacksFiles = false
  /// True if objects that this refresh did not see may stay cached, so that their groups and files stay too.
  var keepsUnreported = false
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

/// The server's preferences for clients.
///
/// - Source: CLIENT_PREFS of `ipad-read-service-v1`.
struct ClientPreferences: Sendable, Hashable {
  /// A search domain that the server offers.
  struct SearchDomain: Sendable, Hashable {
    var key: String
    var label: String
  }

  /// The age at which the roots are requested again, in seconds.
  var refreshIntervalInSeconds = Self.usualInterval
  /// The search domains in display order; the first is the default one.
  var searchDomains: [SearchDomain] = []

  static let usualInterval = 3600
  /// The allowed intervals, from a minute to a week, to which a server's value is clamped.
  static let allowedIntervals = 60...604_800

  /// Returns the search domain with a key; a key unknown to the server is passed on, and nil means the server's
  /// default.
  func domain(_ key: String?) -> SearchDomain? {
    guard let key else { return nil }
    return searchDomains.first { $0.key == key } ?? SearchDomain(key: key, label: key)
  }

  /// Returns the interval in a server's text: a number of seconds, clamped to the bounds; the default one for other
  /// texts.
  static func interval(_ text: String) -> Int {
    guard let seconds = Double(text), seconds.isFinite else { return usualInterval }
    return Int(min(max(seconds, Double(allowedIntervals.lowerBound)), Double(allowedIntervals.upperBound)))
  }
}

// The binary format, based on the contract's values: fields may be added, and missing ones have their default.
extension SyncState {
  /// The state as bytes.
  var encoded: [UInt8] {
    Value.record([
      "completedAt": .optional(completedAt), "checkedAt": .optional(checkedAt), "generation": .integer(generation),
      "wantsAll": .bool(wantsAll), "replacesAll": .bool(replacesAll),
      "interval": .integer(preferences.refreshIntervalInSeconds),
      "domains": .list(preferences.searchDomains.map { .list([.text($0.key), .text($0.label)]) }),
      "unfinished": unfinished?.value ?? .null, "marks": .list(marks.map(\.value)), "fullAt": .optional(fullAt),
      "spaces": .codes(spaces),
      "totals": .numbers(totals), "fullTimes": .numbers(fullTimes),
    ]).encoded()
  }

  /// Creates a state from the bytes of ``encoded``; nil if they are damaged.
  init?(encoded: [UInt8]) {
    guard let value = try? Value(decoding: encoded), value.record != nil else { return nil }
    completedAt = value["completedAt"].number
    checkedAt = value["checkedAt"].number
    generation = value["generation"].integer ?? 0
    wantsAll = value["wantsAll"].bool ?? false
    replacesAll = value["replacesAll"].bool ?? false
    preferences.refreshIntervalInSeconds = value["interval"].integer ?? ClientPreferences.usualInterval
    preferences.searchDomains = (value["domains"].list ?? []).compactMap { pair in
      guard let pair = pair.list, pair.count == 2, let key = pair[0].text, let label = pair[1].text else { return nil }
      return ClientPreferences.SearchDomain(key: key, label: label)
    }
    unfinished = UnfinishedSync(value["unfinished"])
    marks = (value["marks"].list ?? []).compactMap(NativeMark.init)
    fullAt = value["fullAt"].number
    spaces = value["spaces"].codes
    totals = value["totals"].numbers
    fullTimes = value["fullTimes"].numbers
  }
}

extension Value {
  fileprivate static func numbers(_ numbers: [NativeKind: Int]) -> Value {
    .list(
      NativeKind.allCases.compactMap { kind in numbers[kind].map { .list([.text(kind.rawValue), .integer($0)]) } })
  }

  fileprivate var numbers: [NativeKind: Int] {
    var numbers: [NativeKind: Int] = [:]
    for pair in list ?? [] {
      guard let pair = pair.list, pair.count == 2, let kind = pair[0].text.flatMap(NativeKind.init) else { continue }
      numbers[kind] = pair[1].integer
    }
    return numbers
  }

  fileprivate static func codes(_ codes: [String]?) -> Value { codes.map { .list($0.map { .text($0) }) } ?? .null }
  fileprivate var codes: [String]? { list?.compactMap(\.text) }
}

extension UnfinishedSync {
  fileprivate var value: Value {
    [
      "startedAt": .number(startedAt), "isFull": .bool(isFull),
      "pending": pending.map { .list($0.map { .list([.text($0.permID), .text($0.refcon)]) }) } ?? .null,
      "wantsAllRoots": .bool(wantsAllRoots), "categories": .integer(categories),
      "tellsDeletions": .bool(reportsDeletions),
      "namesCategory": .bool(namesCategory), "spaces": .codes(spaces),
      "lacksFiles": .bool(lacksFiles), "keepsUntold": .bool(keepsUnreported), "native": native?.value ?? .null,
      "added": .integer(totals.added),
      "changed": .integer(totals.changed),
      "removed": .integer(totals.removed), "skipped": .integer(totals.skipped),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let startedAt = value["startedAt"].number else { return nil }
    self.startedAt = startedAt
    isFull = value["isFull"].bool ?? true
    pending = value["pending"].list.map { list in
      list.compactMap { pair in
        guard let pair = pair.list, pair.count == 2, let id = pair[0].text, let refcon = pair[1].text else {
          return nil
        }
        return EntityReference(permID: id, refcon: refcon)
      }
    }
    wantsAllRoots = value["wantsAllRoots"].bool ?? false
    categories = value["categories"].integer ?? 0
    reportsDeletions = value["tellsDeletions"].bool ?? false
    namesCategory = value["namesCategory"].bool ?? false
    spaces = value["spaces"].codes
    lacksFiles = value["lacksFiles"].bool ?? false
    keepsUnreported = value["keepsUntold"].bool ?? false
    native = NativeCursor(value["native"])
    totals = SyncTotals(
      added: value["added"].integer ?? 0, changed: value["changed"].integer ?? 0,
      removed: value["removed"].integer ?? 0, skipped: value["skipped"].integer ?? 0)
  }
}

extension NativeMark {
  fileprivate var value: Value {
    [
      "kind": .text(kind.rawValue), "updatedAt": .optional(updatedAt),
      "createdOrDeletedAt": .optional(createdOrDeletedAt), "readAt": .integer(readAt),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let kind = value["kind"].text.flatMap(NativeKind.init) else { return nil }
    self.init(
      kind: kind, updatedAt: value["updatedAt"].integer, createdOrDeletedAt: value["createdOrDeletedAt"].integer,
      readAt: value["readAt"].integer ?? 0)
  }
}

extension NativeCursor {
  fileprivate var value: Value {
    [
      "kinds": .list(kinds.map { .text($0.rawValue) }), "phase": .text(phase.rawValue),
      "since": .optional(request.modifiedSince), "before": .optional(request.modifiedBefore),
      "permIDFrom": .optional(request.permIDFrom), "permIDBefore": .optional(request.permIDBefore),
      "from": .integer(request.from), "times": times.map { .list($0.map(\.value)) } ?? .null,
      "overlap": overlap?.value ?? .null, "lacking": .integer(lacking), "marks": .list(marks.map(\.value)),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let kinds = value["kinds"].list?.compactMap({ $0.text.flatMap(NativeKind.init) }) else { return nil }
    self.init(
      kinds: kinds, phase: value["phase"].text.flatMap(Phase.init) ?? .objects,
      request: NativePageRequest(
        modifiedSince: value["since"].integer, modifiedBefore: value["before"].integer,
        permIDFrom: value["permIDFrom"].text, permIDBefore: value["permIDBefore"].text,
        from: value["from"].integer ?? 0),
      times: value["times"].list?.map(ModifiedTime.init),
      overlap: value["overlap"].record == nil ? nil : ModifiedTime(value["overlap"]),
      lacking: value["lacking"].integer ?? 0,
      marks: (value["marks"].list ?? []).compactMap(NativeMark.init))
  }
}

extension ModifiedTime {
  fileprivate var value: Value { ["since": .optional(since), "before": .optional(before)] }

  fileprivate init(_ value: Value) { self.init(since: value["since"].integer, before: value["before"].integer) }
}
