import Testing

@testable import OpenBIS

@Suite struct SyncStateTests {
  @Test func `The state of a refresh comes back from its bytes`() {
    var state = SyncState(completedAt: 1_800_000_000.25, checkedAt: 1_800_000_100, generation: 7)
    state.preferences.refreshIntervalInSeconds = 1800
    state.preferences.searchDomains = [.init(key: "GLOBAL", label: "Search"), .init(key: "BARCODE", label: "Bärcode")]
    state.marks = [NativeMark(kind: .sample, updatedAt: 5, createdOrDeletedAt: nil)]
    #expect(SyncState(encoded: state.encoded) == state)
    state.unfinished = UnfinishedSync(
      startedAt: 1_800_003_600, isFull: false,
      pending: [EntityReference(permID: "PROBES", refcon: #"{"a":9007199254740993}"#)], categories: 12,
      tellsDeletions: true, namesCategory: true,
      native: NativeCursor(
        kinds: [.sample, .dataSet], phase: .ids, request: NativePageRequest(modifiedSince: 77, from: 2000), told: 30,
        marks: [NativeMark(kind: .dataSet, updatedAt: nil, createdOrDeletedAt: 9)]),
      totals: SyncTotals(added: 1, changed: 2, removed: 3, skipped: 4))
    #expect(SyncState(encoded: state.encoded) == state)
    state.askForAll(replacing: true)
    #expect(state.unfinished == nil && state.marks.isEmpty && state.wantsAll && state.isDue(at: 1_800_000_101))
    state.askForAll()
    #expect(state.replacesAll && SyncState(encoded: state.encoded) == state)
  }

  @Test func `Damaged bytes are no state`() {
    #expect(SyncState(encoded: []) == nil)
    #expect(SyncState(encoded: Array(SyncState().encoded.dropLast(3))) == nil)
  }

  @Test func `A refresh is due when it was never done, not completed, or is old`() {
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
  func `Refresh intervals of servers are brought into bounds`(text: String, seconds: Int) {
    // Case 48 of the catalogue of faults.
    #expect(ClientPreferences.interval(text) == seconds)
  }
}
