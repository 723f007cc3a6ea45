import Testing

@testable import OpenBIS

@Suite struct SyncStateTests {
  @Test func `The state of a refresh is decoded unchanged`() {
    var state = SyncState(completedAt: 1_800_000_000.25, checkedAt: 1_800_000_100, generation: 7)
    state.preferences.refreshIntervalInSeconds = 1800
    state.preferences.searchDomains = [.init(key: "GLOBAL", label: "Search"), .init(key: "BARCODE", label: "Bärcode")]
    state.marks = [NativeMark(kind: .sample, updatedAt: 5, createdOrDeletedAt: nil, readAt: 8)]
    state.fullTimes = [.project: 5, .dataSet: 6]
    (state.fullAt, state.spaces, state.totals) = (1_700_000_000, ["A", "B"], [.sample: 7])
    #expect(SyncState(encoded: state.encoded) == state)
    state.unfinished = UnfinishedSync(
      startedAt: 1_800_003_600, isFull: false,
      pending: [EntityReference(permID: "PROBES", refcon: #"{"a":9007199254740993}"#)], categories: 12,
      reportsDeletions: true, namesCategory: true, spaces: [],
      native: NativeCursor(
        kinds: [.sample, .dataSet], phase: .ids,
        request: NativePageRequest(
          modifiedSince: 77, modifiedBefore: 99, permIDFrom: "20240101-1", permIDBefore: "20240101-ü", from: 2000),
        times: [ModifiedTime(since: 77, before: 500), ModifiedTime(since: 900, before: nil)], lacking: 30,
        marks: [NativeMark(kind: .dataSet, updatedAt: nil, createdOrDeletedAt: 9)]),
      totals: SyncTotals(added: 1, changed: 2, removed: 3, skipped: 4))
    state.unfinished?.native?.overlap = ModifiedTime(since: 70, before: 78)
    state.unfinished?.wantsAllRoots = true
    state.unfinished?.lacksFiles = true
    state.unfinished?.keepsUnreported = true
    #expect(SyncState(encoded: state.encoded) == state)
    state.requestAll(replacing: true)
    #expect(state.unfinished == nil && state.marks.isEmpty && state.wantsAll && state.isDue(at: 1_800_000_101))
    state.requestAll()
    #expect(state.replacesAll && SyncState(encoded: state.encoded) == state)
  }

  @Test func `A mark is settled only after an overlap has passed`() {
    let mark = NativeMark(kind: .sample, updatedAt: 5000, createdOrDeletedAt: 9000, readAt: 10_000)
    #expect(!mark.isSettled(overlapInMilliseconds: 1001) && mark.isSettled(overlapInMilliseconds: 1000))
    #expect(NativeMark(kind: .sample).isSettled(overlapInMilliseconds: 1))
    var later = mark
    later.readAt = 20_000
    #expect(later.isSame(as: mark) && !later.isSame(as: nil))
  }

  @Test func `Late commits are possible from the mark on, or from one overlap before it was read`() {
    let mark = NativeMark(kind: .sample, updatedAt: 5000, createdOrDeletedAt: 9000, readAt: 10_000)
    #expect(mark.openSince(overlapInMilliseconds: 1000) == 9000 && mark.openSince(overlapInMilliseconds: 999) == 9000)
    #expect(mark.openSince(overlapInMilliseconds: 1500) == 8500)
    #expect(NativeMark(kind: .sample, readAt: 10_000).openSince(overlapInMilliseconds: 1) == nil)
  }

  @Test func `A full refresh is due by age, and when the user's spaces change`() {
    var state = SyncState(completedAt: 1000, fullAt: 1000, spaces: ["A"])
    #expect(!state.isFullDue(at: 1000 + 86_399, everyDays: 1) && state.isFullDue(at: 1000 + 86_400, everyDays: 1))
    #expect(!state.isFullDue(at: 9e9, everyDays: 0))
    #expect(state.needsAll(spaces: ["A", "B"], isDue: false) && state.needsAll(spaces: [], isDue: false))
    #expect(!state.needsAll(spaces: ["A"], isDue: false) && !state.needsAll(spaces: nil, isDue: false))
    #expect(state.needsAll(spaces: ["A"], isDue: true))
    // An interrupted one is resumed, unless the rights changed since it began.
    state.unfinished = UnfinishedSync(startedAt: 2000, isFull: true, spaces: ["A", "B"])
    #expect(!state.needsAll(spaces: ["A", "B"], isDue: true) && state.needsAll(spaces: ["B"], isDue: true))
    // Caches of earlier versions do not record full refreshes.
    state = SyncState(completedAt: 1000)
    #expect(state.isFullDue(at: 1e9, everyDays: 7) && !SyncState().isFullDue(at: 1e9, everyDays: 7))
  }

  @Test func `Damaged bytes are refused`() {
    #expect(SyncState(encoded: []) == nil)
    #expect(SyncState(encoded: Array(SyncState().encoded.dropLast(3))) == nil)
  }

  @Test func `A refresh is due if it never ran, was interrupted, or is outdated`() {
    var state = SyncState()
    #expect(state.isDue(at: 0))
    state.checkedAt = 1000
    state.preferences.refreshIntervalInSeconds = 60
    #expect(!state.isDue(at: 1059) && state.isDue(at: 1060) && state.isDue(at: 999))
    state.unfinished = UnfinishedSync(startedAt: 1, isFull: true)
    #expect(state.isDue(at: 1001))
  }

  @Test(arguments: [
    ("0", 60), ("-5", 60), ("abc", 3600), ("", 3600), ("1e9", 604_800), ("1800", 1800), ("nan", 3600), ("inf", 3600),
  ])
  func `Refresh intervals of servers are limited`(text: String, seconds: Int) {
    // Case 48 of the catalog of faults.
    #expect(ClientPreferences.interval(text) == seconds)
  }
}
