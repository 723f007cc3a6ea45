import PluginAPI

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
      "categories": .integer(categories), "tellsDeletions": .bool(tellsDeletions),
      "namesCategory": .bool(namesCategory), "spaces": .codes(spaces),
      "lacksFiles": .bool(lacksFiles), "keepsUntold": .bool(keepsUntold), "native": native?.value ?? .null,
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
    categories = value["categories"].integer ?? 0
    tellsDeletions = value["tellsDeletions"].bool ?? false
    namesCategory = value["namesCategory"].bool ?? false
    spaces = value["spaces"].codes
    lacksFiles = value["lacksFiles"].bool ?? false
    keepsUntold = value["keepsUntold"].bool ?? false
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
