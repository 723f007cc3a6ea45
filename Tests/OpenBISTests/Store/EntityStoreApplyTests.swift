import PluginAPI
import PluginStore
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreApplyTests {
  let folder = CacheFolder()

  private struct Broken: Error {}

  @Test func `an entity is read back unchanged`() async throws {
    let store = folder.store()
    var row = EntityRow("P1", "Sample 1", children: ["P2"], root: true)
    row.refcon = "{\"a\":9007199254740993,\"z\":\"\\ud83d\"}\u{0} behind"
    row.summary = "line\none"
    row.identifier = "/S/P1"
    row.properties = [Property(key: "K", label: "Label", value: "a\u{0}b"), Property(key: "E", label: "", value: "")]
    row.images = [EntityImage(role: .marquee, source: .address("http://x/y?z=1"), format: "PNG")]
    let applied = try await store.take([row])
    #expect(applied.added == 1)
    let entity = try #require(try await store.entity("P1"))
    #expect(entity.refcon == row.refcon)
    #expect(entity.refcon?.utf8.count == row.refcon?.utf8.count)
    #expect(entity.properties == row.properties)
    #expect(entity.images == row.images)
    #expect(entity.summary == "line\none" && entity.identifier == "/S/P1" && entity.category == "Sample")
    #expect(entity.childCount == 1 && entity.flags == [.rootLevel])
    #expect(entity.updatedAt == Instant(seconds: 1_000_000, nanoseconds: 5_000_000))
    #expect(try await store.entity("p1") == nil)
  }

  @Test func `absent columns keep known values, and empty ones overwrite them`() async throws {
    let store = folder.store()
    var row = EntityRow("A", "Header", children: ["B"], root: true)
    row.summary = "old"
    row.identifier = "/A"
    row.properties = [Property(key: "K", label: "K", value: "v")]
    try await store.take([row])
    var later = EntityRow("A")
    later.summary = ""
    let applied = try await store.take([later], .details(of: ["A"]), generation: 2)
    #expect(applied.changed == 1)
    let entity = try #require(try await store.entity("A"))
    #expect(entity.summary.isEmpty && entity.summaryHeader == "Header" && entity.identifier == "/A")
    #expect(entity.properties?.count == 1 && entity.childCount == 1)
    #expect(entity.flags == [.rootLevel, .detailed])
    #expect(try await store.take([later], .details(of: ["A"]), generation: 3).unchanged == 1)
  }

  @Test func `case 20: the last of several rows for one entity is used, with a warning`() async throws {
    let store = folder.store()
    let applied = try await store.take([
      EntityRow("A", "first", children: ["X", "Y"]), EntityRow("B", "other"), EntityRow("A", "last", children: ["Z"]),
    ])
    #expect(applied.added == 2)
    #expect(applied.warnings.map(\.code) == ["openbis.duplicate-rows"])
    #expect(try await store.entity("A")?.summaryHeader == "last")
    #expect(try await store.childNames("A") == ["Z"])
    #expect(try await store.entity("A")?.childCount == 1)
    #expect(try await store.parents(of: "X").isEmpty)
  }

  @Test func `case 21: an entity in two categories is stored once and listed by both`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("C1", "one"), EntityRow("C2", "two")], .navigation)
    try await store.take([EntityRow("C1", "one", children: ["S"]), EntityRow("S", "sample")], .roots(of: "C1"))
    try await store.take([EntityRow("C2", "two", children: ["S"]), EntityRow("S", "sample")], .roots(of: "C2"))
    #expect(try await store.childNames("C1") == ["S"])
    #expect(try await store.childNames("C2") == ["S"])
    #expect(try await store.parents(of: "S").map(\.permID) == ["C1", "C2"])
    #expect(try await store.counts().entities == 3)
  }

  @Test func `case 31: an unknown child is listed last, as not loaded`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("P", "parent", children: ["gone", "here"]), EntityRow("here", "zzz", category: ""),
    ])
    let page = try await store.children(of: "P", 0..<10)
    #expect(page.total == 2 && page.rows.map(\.permID) == ["here", "gone"])
    #expect(page.rows[1].flags == .notLoaded && page.rows[1].title == "gone")
    #expect(try await store.counts() == EntityCounts(entities: 2, notLoaded: 1))
    #expect(try await store.take([EntityRow("gone", "aaa")]).added == 1)
    #expect(try await store.childNames("P") == ["gone", "here"])
  }

  @Test func `a broken response is discarded completely, including its state`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("A", "kept")], state: [1])
    let rows = (0..<5000).map { EntityRow("N\($0)", "new", children: ["A"]) } + [EntityRow("A", "other")]
    await #expect(throws: Broken.self) {
      try await store.apply(
        GivenRows(rows, failure: Broken()), .roots(of: nil), generation: 2, at: Instant(seconds: 0), state: { _ in [2] }
      )
    }
    #expect(try await store.counts() == EntityCounts(entities: 1))
    #expect(try await store.entity("A")?.summaryHeader == "kept")
    #expect(try await store.state() == [1])
    #expect(try await store.search("new", limit: 5).rows.isEmpty)
    #expect(try await store.take(rows, generation: 3).added == 5000)
  }

  @Test func `texts that look alike but differ in bytes are updated`() async throws {
    let store = folder.store()
    var row = EntityRow("A", "caf\u{E9}")
    (row.summary, row.identifier, row.refcon) = ("caf\u{E9}", "caf\u{E9}", "\"caf\u{E9}\"")
    try await store.take([row])
    #expect(try await store.take([row], generation: 2).unchanged == 1)
    for change in 0..<3 {
      switch change {
      case 0: row.refcon = "\"cafe\u{301}\""
      case 1: row.summary = "cafe\u{301}"
      default: row.summaryHeader = "cafe\u{301}"
      }
      #expect(try await store.take([row], generation: 3 + change).changed == 1)
    }
    let kept = try #require(try await store.entity("A"))
    #expect(kept.refcon.map { Array($0.utf8) } == Array("\"cafe\u{301}\"".utf8))
    #expect(kept.summary.utf8.count == 6 && kept.summaryHeader.utf8.count == 6)
    #expect(try store.check(in: folder) == [])
  }

  @Test func `other writers are not blocked until a response begins, and a canceled one ends at once`() async throws {
    let store = folder.store()
    let rows = RowChannel()
    let applying = Task { try await store.apply(rows, .search, generation: 1, at: Instant(seconds: 0)) }
    try await store.saveState([1])
    rows.push([EntityRow("A", "a")])
    // It may hold the cache now, or is about to; only its own input ends it.
    let waiting = Task { while true { try await store.saveState([2]) } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    rows.finish()
    #expect(try await applying.value.added == 1)
    #expect(try await store.entity("A") != nil)
  }
}
