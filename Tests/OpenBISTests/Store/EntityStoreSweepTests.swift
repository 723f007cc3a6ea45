import PluginAPI
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreSweepTests {
  let folder = CacheFolder()

  @Test func `case 43: a deleted entity is removed at once, and entities below it by the next sweep`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("C", "category", children: ["P", "Q"]), EntityRow("P", "p", children: ["x", "y"]),
      EntityRow("Q", "q", children: ["y"]), EntityRow("x", "x"), EntityRow("y", "y"),
    ])
    var deleted = EntityRow("P")
    deleted.isDeleted = true
    var unknown = EntityRow("U")
    unknown.isDeleted = true
    let applied = try await store.take([EntityRow("C", "category"), deleted, unknown], generation: 2)
    #expect(applied.removed == 1 && applied.ignoredDeletions == 1 && applied.unchanged == 1)
    #expect(try await store.entity("P") == nil)
    #expect(try await store.entity("U") == nil)
    #expect(try await store.childNames("C") == ["Q"])
    #expect(try await store.entity("C")?.childCount == 1)
    #expect(try await store.parents(of: "y").map(\.permID) == ["Q"])
    #expect(try await store.sweep(before: 2) == 1)
    #expect(try await store.entity("x") == nil)
    #expect(try await store.entity("y") != nil)
    #expect(try await store.search("x", limit: 5).rows.isEmpty)
    // The same list of children brings the entity back as an id.
    try await store.take([EntityRow("C", "category", children: ["P", "Q"])], generation: 3)
    #expect(try await store.childNames("C") == ["Q", "P"])
    #expect(try store.check(in: folder) == [])
  }

  @Test func `case 53: entities missing from a full sync are removed`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("C", "c", children: ["mine", "theirs"]), EntityRow("mine", "m"),
      EntityRow("theirs", "t", children: ["below"], root: true), EntityRow("below", "b"),
      EntityRow("open", "o", children: ["held"]), EntityRow("held", "h"), EntityRow("loose", "l"),
    ])
    try await store.take([EntityRow("C", "c", children: ["mine"]), EntityRow("mine", "m")], generation: 2)
    #expect(try await store.sweep(before: 2) == 5)
    #expect(
      try await store.families(["C", "mine", "theirs", "below", "open", "held", "loose"]).compactMap {
        $0?.entity.permID
      }
        == ["C", "mine"])
    #expect(try await store.roots(in: nil, 0..<9).total == 0)
  }

  @Test func `case 32: cycles and self-references end`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("A", "a", children: ["B", "A"]), EntityRow("B", "b", children: ["A"]),
      EntityRow("X", "x", children: ["Y"]), EntityRow("Y", "y", children: ["X"]),
    ])
    #expect(try await store.childNames("A") == ["A", "B"])
    #expect(try await store.parents(of: "A").count == 2)
    try await store.take([EntityRow("A", "a")], generation: 2)
    #expect(try await store.sweep(before: 2) == 2)
    #expect(try await store.childNames("B") == ["A"])
    #expect(try await store.entity("X") == nil)
    var deleted = EntityRow("A")
    deleted.isDeleted = true
    try await store.take([deleted], generation: 3)
    #expect(try await store.childNames("B").isEmpty)
    #expect(try await store.sweep(before: 4) == 1)
    #expect(try await store.counts() == EntityCounts())
    #expect(try store.check(in: folder) == [])
  }

  @Test func `case 33: a chain of fifty thousand entities is stored and swept`() async throws {
    let store = folder.store()
    let length = 50_000
    let rows = (0..<length).map { EntityRow("n\($0)", "level \($0)", children: ["n\($0 + 1)"]) }
    #expect(try await store.take(rows).added == length)
    #expect(try await store.counts() == EntityCounts(entities: length, notLoaded: 1))
    try await store.take([EntityRow("n0", "level 0")], generation: 2)
    #expect(try await store.sweep(before: 2) == 0)
    try await store.take([EntityRow("n49000", "level 49000", children: [])], generation: 3)
    #expect(try await store.sweep(before: 3) == length)
    #expect(try await store.counts() == EntityCounts(entities: 1))
  }

  private func object(_ number: Int, at time: Int, _ kind: NativeKind = .sample) -> EntityRow {
    var row = EntityRow(NativeObject.entityID(kind, "\(number)"), "object \(number)")
    row.object = ObjectStamp(kind: kind, modifiedAt: time)
    return row
  }

  @Test func `objects are counted and divided by their modification times`() async throws {
    let store = folder.store()
    try await store.take(
      (1...9).map { object($0, at: $0 * 10) } + [object(1, at: 5, .project), EntityRow("SAMPLE", "no")])
    #expect(try await store.objectCount(.sample) == 9)
    #expect(try await store.objectCount(.sample, since: 30) == 7)
    #expect(try await store.objectCount(.sample, since: 30, before: 50) == 2)
    #expect(try await store.middleTime(.sample, since: nil, before: nil, count: 9) == 50)
    #expect(try await store.middleTime(.sample, since: 50, before: 51, count: 1) == nil)
    try await store.take([object(1, at: 95)], .objects, generation: 2)
    #expect(try await store.objectCount(.sample, before: 20) == 0)
    try await store.take((1...5).map { object($0, at: 7) }, .objects, generation: 3)
    #expect(try await store.middleTime(.sample, since: nil, before: nil, count: 9) == 60)
  }

  @Test func `untouched objects are listed by time, and data sets are removed with their files`() async throws {
    let store = folder.store()
    try await store.take(
      (1...4).map { object($0, at: $0) } + [object(7, at: 1, .dataSet), EntityRow("FILE.7/a.png", "file")])
    let sent = (2...5).map { NativeObject(kind: .sample, permID: "\($0)", code: "", modifiedAt: $0 == 3 ? 8 : $0) }
    #expect(try await store.changedObjects(sent) == ["3", "5"])
    try await store.touch(Array(sent.prefix(1)), generation: 2, state: [])
    #expect(try await store.untouchedObjects(.sample, since: 2, before: nil, generation: 2) == ["3", "4"])
    #expect(try await store.untouchedObjects(.sample, since: nil, before: nil, generation: 2) == ["1", "3", "4"])
    #expect(try await store.removeObjects(.sample, ["1", "9"]) == 1)
    #expect(try await store.removeObjects(.dataSet, ["7"]) == 2)
    #expect(try await store.counts().entities == 3)
    #expect(try store.check(in: folder) == [])
  }

  @Test func `older entities are removed, and those listed by newer responses stay as ids`() async throws {
    let store = folder.store()
    var told = EntityRow("T", "told by itself")
    told.parents = ["C"]
    try await store.take([
      EntityRow("C", "c", children: ["A", "X"]), EntityRow("A", "a", children: ["B"]), EntityRow("B", "b"),
      EntityRow("X", "x", children: ["A"]), told, EntityRow("R", "r", root: true),
    ])
    try await store.take([EntityRow("C", "c", children: ["A"]), EntityRow("N", "n")], generation: 2)
    #expect(try await store.removeOlder(than: 3) == 0)
    #expect(try await store.removeOlder(than: 2) == 5)
    #expect(
      try await store.families(["A", "B", "C", "N", "R", "T", "X"]).compactMap { $0?.entity.permID } == ["A", "C", "N"])
    let listed = try #require(try await store.entity("A"))
    #expect(listed.flags == .notLoaded && listed.summaryHeader.isEmpty && listed.childCount == nil)
    #expect(try await store.childNames("C") == ["A"])
    #expect(try await store.search("a", limit: 9).rows.isEmpty)
    #expect(try await store.counts() == EntityCounts(entities: 2, notLoaded: 1))
    #expect(try store.check(in: folder) == [])
  }

  @Test func `stored numbers of objects follow every change`() async throws {
    let store = folder.store()
    var row = object(1, at: 10)
    try await store.take([row, object(2, at: 20)], .objects)
    try await store.keepCounts()
    try await store.take([row], .objects, generation: 2)
    #expect(try await store.objectCount(.sample) == 2)
    row.object = ObjectStamp(kind: .dataSet, modifiedAt: 10)
    try await store.take([row], .objects, generation: 3)
    #expect(try await store.objectCount(.sample) == 1)
    #expect(try await store.objectCount(.dataSet) == 1)
    try await store.keepCounts()
    row.object = nil
    try await store.take([row], generation: 4)
    #expect(try await store.objectCount(.dataSet) == 0)
    try await store.keepCounts()
    #expect(try await store.sweep(before: 4) == 1)
    #expect(try await store.objectCount(.sample) == 0)
  }

  @Test func `a former category is no longer counted as one`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("C", "c", root: true), EntityRow("D", "d", root: true)], .navigation)
    try await store.keepCounts()
    #expect(try await store.roots(in: nil, 0..<9).total == 2)
    try await store.take([EntityRow("C", "c", root: true)], .navigation, generation: 2)
    #expect(try await store.counts().navigation == 1)
  }

  @Test func `a category is not missing if a response has no details of it`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("C", "c")], .navigation)
    #expect(try await store.take([], .details(of: ["C"])).missing.isEmpty)
    #expect(try await store.entity("C")?.flags.contains(.missingOnServer) == false)
  }
}
