import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct EntityStoreSweepTests {
  let folder = CacheFolder()

  @Test func `case 43: what is deleted goes, what was below it goes with the next sweep`() throws {
    let store = folder.store()
    try store.take([
      EntityRow("C", "category", children: ["P", "Q"]), EntityRow("P", "p", children: ["x", "y"]),
      EntityRow("Q", "q", children: ["y"]), EntityRow("x", "x"), EntityRow("y", "y"),
    ])
    var deleted = EntityRow("P")
    deleted.isDeleted = true
    var unknown = EntityRow("U")
    unknown.isDeleted = true
    let applied = try store.take([EntityRow("C", "category"), deleted, unknown], generation: 2)
    #expect(applied.removed == 1 && applied.ignoredDeletions == 1 && applied.unchanged == 1)
    #expect(try store.entityAndWait("P") == nil && store.entityAndWait("U") == nil)
    #expect(try store.childNames("C") == ["Q"] && store.entityAndWait("C")?.childCount == 1)
    #expect(try store.parentsAndWait(of: "y").map(\.permID) == ["Q"])
    #expect(try store.sweepAndWait(before: 2) == 1)
    #expect(try store.entityAndWait("x") == nil && store.entityAndWait("y") != nil)
    #expect(try store.searchAndWait("x", limit: 5).rows.isEmpty)
    // The same list of children once more brings the entity back as a name.
    try store.take([EntityRow("C", "category", children: ["P", "Q"])], generation: 3)
    #expect(try store.childNames("C") == ["Q", "P"])
    #expect(try store.check(in: folder) == [])
  }

  @Test func `case 53: what a complete synchronization does not tell any more goes, what is kept open stays`() throws {
    let store = folder.store()
    try store.take([
      EntityRow("C", "c", children: ["mine", "theirs"]), EntityRow("mine", "m"),
      EntityRow("theirs", "t", children: ["below"], root: true), EntityRow("below", "b"),
      EntityRow("open", "o", children: ["held"]), EntityRow("held", "h"), EntityRow("loose", "l"),
    ])
    try store.take([EntityRow("C", "c", children: ["mine"]), EntityRow("mine", "m")], generation: 2)
    #expect(try store.sweepAndWait(before: 2, keeping: ["open", "nobody"]) == 3)
    #expect(
      try store.entitiesAndWait(["C", "mine", "theirs", "below", "open", "held", "loose"]).map(\.permID)
        == ["C", "mine", "open", "held"])
    #expect(try store.rootsAndWait(in: nil, 0..<9).total == 0)
  }

  @Test func `case 32: cycles and entities that list themselves end`() throws {
    let store = folder.store()
    try store.take([
      EntityRow("A", "a", children: ["B", "A"]), EntityRow("B", "b", children: ["A"]),
      EntityRow("X", "x", children: ["Y"]), EntityRow("Y", "y", children: ["X"]),
    ])
    #expect(try store.childNames("A") == ["A", "B"] && store.parentsAndWait(of: "A").count == 2)
    try store.take([EntityRow("A", "a")], generation: 2)
    #expect(try store.sweepAndWait(before: 2) == 2)
    #expect(try store.childNames("B") == ["A"] && store.entityAndWait("X") == nil)
    var deleted = EntityRow("A")
    deleted.isDeleted = true
    try store.take([deleted], generation: 3)
    #expect(try store.childNames("B").isEmpty && store.sweepAndWait(before: 4) == 1)
    #expect(try store.countsAndWait() == EntityCounts())
    #expect(try store.check(in: folder) == [])
  }

  @Test func `case 33: a chain of fifty thousand is kept and swept`() throws {
    let store = folder.store()
    let length = 50_000
    let rows = (0..<length).map { EntityRow("n\($0)", "level \($0)", children: ["n\($0 + 1)"]) }
    #expect(try store.take(rows).added == length)
    #expect(try store.countsAndWait() == EntityCounts(entities: length, notLoaded: 1))
    try store.take([EntityRow("n0", "level 0")], generation: 2)
    #expect(try store.sweepAndWait(before: 2) == 0)
    try store.take([EntityRow("n49000", "level 49000", children: [])], generation: 3)
    #expect(try store.sweepAndWait(before: 3) == length)
    #expect(try store.countsAndWait() == EntityCounts(entities: 1))
  }

  @Test func `ids that were not touched go by their kind`() throws {
    let store = folder.store()
    try store.take(["SAMPLE.1", "SAMPLE.2", "SAMPLE", "SAMPLE/3", "DATA.1"].map { EntityRow($0, $0) }, .objects)
    let unknown = try store.touchAndWait(["SAMPLE.1", "SAMPLE.9"], generation: 2)
    #expect(Array(unknown) == ["SAMPLE.9"])
    #expect(try store.removeUntouchedAndWait(prefix: "SAMPLE.", before: 2) == 1)
    #expect(try store.entityAndWait("SAMPLE.2") == nil)
    #expect(try store.countsAndWait().entities == 4)
  }

  @Test func `removing all leaves an empty cache that works`() throws {
    let store = folder.store()
    try store.take([EntityRow("A", "alpha", children: ["B"])], state: [7])
    try store.keepImageAndWait([1, 2], for: "x")
    while try store.indexSomeAndWait() {}
    try store.removeAllAndWait()
    #expect(try store.countsAndWait() == EntityCounts())
    #expect(try store.stateAndWait() == nil && store.searchAndWait("alpha", limit: 1).rows.isEmpty)
    try store.take([EntityRow("N", "beta")])
    #expect(try store.filterAndWait("alpha", limit: 9).rows.isEmpty)
    #expect(try store.filterAndWait("beta", limit: 9).rows.map(\.permID) == ["N"])
  }
}
