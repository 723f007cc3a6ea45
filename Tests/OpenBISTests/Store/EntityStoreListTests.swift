import PluginAPI
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreListTests {
  let folder = CacheFolder()

  @Test func `children are sorted by category descending, then header in natural order, then id`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("P", "parent", children: ["a10", "a9", "z", "b", "tie2", "tie1", "gone"]),
      EntityRow("a10", "Item 10", category: "A"), EntityRow("a9", "item 9", category: "A"),
      EntityRow("z", "Alpha", category: "Z"), EntityRow("b", "x", category: "AB"),
      EntityRow("tie2", "same", category: "A"), EntityRow("tie1", "same", category: "A"),
    ])
    #expect(try await store.childNames("P") == ["z", "b", "a9", "a10", "tie1", "tie2", "gone"])
  }

  @Test func `an entity that changes its header moves in every list`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("P", "p", children: ["a", "b"]), EntityRow("Q", "q", children: ["b", "a"]), EntityRow("a", "1"),
      EntityRow("b", "2"),
    ])
    #expect(try await store.take([EntityRow("a", "3")]).changed == 1)
    #expect(try await store.childNames("P") == ["b", "a"])
    #expect(try await store.childNames("Q") == ["b", "a"])
    #expect(try store.check(in: folder) == [])
  }

  @Test func `any page of a long list equals that part of the whole`() async throws {
    let store = folder.store()
    let names = (0..<1000).map { "c\($0)" }
    try await store.take([EntityRow("P", "p", children: names)] + names.map { EntityRow($0, "Header \($0)") })
    let whole = try await store.childNames("P")
    #expect(whole == names)
    for range in [0..<10, 490..<510, 505..<700, 990..<1000, 995..<2000, 1000..<1010, 0..<0] {
      let page = try await store.children(of: "P", range)
      #expect(page.total == 1000)
      #expect(page.rows.map(\.permID) == Array(whole[range.clamped(to: 0..<1000)]))
    }
  }

  @Test func `a new list of children replaces the previous one`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("P", "p", children: ["a", "b", "c"]), EntityRow("a", "a"), EntityRow("b", "b")])
    #expect(try await store.take([EntityRow("P", "p", children: ["b", "d", "b"])]).changed == 1)
    #expect(try await store.childNames("P") == ["b", "d"])
    #expect(try await store.entity("P")?.childCount == 2)
    #expect(try await store.take([EntityRow("P", "p", children: ["b", "d", "b"])]).unchanged == 1)
    #expect(try await store.take([EntityRow("P", "p", children: [])]).changed == 1)
    #expect(try await store.entity("P")?.childCount == 0)
    #expect(try await store.take([EntityRow("P", "p")]).unchanged == 1)
    #expect(try store.check(in: folder) == [])
  }

  @Test func `unreadable children leave the previous ones and mark the entity`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("P", "p", children: ["a"])])
    var row = EntityRow("P", "p")
    row.children = .unreadable
    let applied = try await store.take([row])
    #expect(applied.changed == 1 && applied.warnings.map(\.code) == ["openbis.children-unreadable"])
    #expect(try await store.childNames("P") == ["a"])
    #expect(try await store.entity("P")?.flags.contains(.childrenUnreadable) == true)
    try await store.take([EntityRow("P", "p", children: ["a"])])
    #expect(try await store.entity("P")?.flags.contains(.childrenUnreadable) == false)
  }

  @Test func `entities may list their own parents`() async throws {
    let store = folder.store()
    func row(_ id: String, _ parents: [String]) -> EntityRow {
      var row = EntityRow(id, id)
      row.parents = PackedTexts(parents)
      return row
    }
    try await store.take([row("c1", ["P", "Q"]), row("c2", ["P"]), EntityRow("P", "p")], .objects)
    #expect(try await store.childNames("P") == ["c1", "c2"])
    #expect(try await store.childNames("Q") == ["c1"])
    #expect(try await store.entity("P")?.childCount == 2)
    #expect(try await store.entity("Q")?.childCount == 1)
    // Both report the edge: if one withdraws it, the other still reports it.
    try await store.take([EntityRow("P", "p", children: ["c1", "c3"])])
    #expect(try await store.childNames("P") == ["c1", "c2", "c3"])
    try await store.take([EntityRow("P", "p", children: [])])
    #expect(try await store.childNames("P") == ["c1", "c2"])
    try await store.take([row("c1", ["Q"])], .objects)
    #expect(try await store.childNames("P") == ["c2"])
    #expect(try await store.entity("P")?.childCount == 1)
    #expect(try await store.take([row("c1", ["Q"])], .objects).unchanged == 1)
    #expect(try store.check(in: folder) == [])
  }

  @Test func `roots are listed by category or all together`() async throws {
    let store = folder.store()
    try await store.take([
      EntityRow("1", "b", category: "A", root: true), EntityRow("2", "a", category: "A", root: true),
      EntityRow("3", "x", category: "AB", root: true), EntityRow("4", "no", category: "A", root: false),
      EntityRow("5", "unsaid", category: "A"),
    ])
    #expect(try await store.roots(in: "A", 0..<10).rows.map(\.permID) == ["2", "1"])
    #expect(try await store.roots(in: "AB", 0..<10).total == 1)
    #expect(try await store.roots(in: nil, 0..<10).rows.map(\.permID) == ["3", "2", "1"])
    #expect(try await store.roots(in: nil, 1..<2).rows.map(\.permID) == ["2"])
    try await store.take([EntityRow("2", "a", category: "A", root: false)])
    #expect(try await store.roots(in: "A", 0..<10).rows.map(\.permID) == ["1"])
  }

  @Test func `case 46: an empty navigation changes nothing and warns; another one takes its place`() async throws {
    let store = folder.store()
    try await store.take((0..<12).map { EntityRow("N\($0)", "Navigation \($0)") }, .navigation)
    let applied = try await store.take([], .navigation, generation: 2)
    #expect(applied.warnings.map(\.code) == ["openbis.navigation-empty"])
    #expect(try await store.navigation().map(\.permID) == (0..<12).map { "N\($0)" })
    try await store.take([EntityRow("N3", "Navigation 3")], .navigation, generation: 3)
    #expect(try await store.navigation().map(\.permID) == ["N3"])
    #expect(try await store.counts().entities == 12)
  }

  @Test func `details mark the returned entities and those missing`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("A", "a"), EntityRow("B", "b")])
    let applied = try await store.take([EntityRow("A", "a"), EntityRow("X", "extra")], .details(of: ["A", "B", "U"]))
    #expect(applied.missing == ["B"] && applied.added == 1)
    #expect(try await store.entity("B")?.flags == .missingOnServer)
    #expect(try await store.entity("A")?.flags == .detailed)
    try await store.take([EntityRow("B", "b")])
    #expect(try await store.entity("B")?.flags == [])
    try await store.take([], .details(of: ["A"]))
    #expect(try await store.entity("A")?.flags == [.detailed, .missingOnServer])
  }

  @Test func `lists that exceed the memory limit are stored like others`() async throws {
    let store = folder.store()
    let (count, long) = (24_000, String(repeating: "x", count: 70))
    func id(_ number: Int) -> String { "\(number % count)" + long }
    func rows(_ step: Int) -> [EntityRow] {
      (0..<count).map { EntityRow(id($0), "Header \($0)", children: (1...3).map { id(3 * $0 * step) }) }
        + [EntityRow(id(7), "Header 7", children: [id(1), id(2)])]
    }
    let applied = try await store.take(rows(1))
    #expect(applied.added == count && applied.warnings.map(\.code) == ["openbis.duplicate-rows"])
    #expect(try await store.counts() == EntityCounts(entities: count))
    #expect(try await store.childNames(id(5)) == [id(3), id(6), id(9)])
    #expect(try await store.childNames(id(7)) == [id(1), id(2)])
    #expect(try await store.take(rows(2), generation: 2).changed == count)
    #expect(try await store.childNames(id(5)) == [id(6), id(12), id(18)])
    #expect(try store.check(in: folder) == [])
  }

  @Test func `case 19: a hundred thousand children in one cell are listed page by page`() async throws {
    let store = folder.store()
    let names = (0..<100_000).map { "20260101120000-\($0)" }
    try await store.take([EntityRow("P", "p", children: names.reversed())])
    #expect(try await store.children(of: "P", 0..<2).rows.map(\.permID) == Array(names[0..<2]))
    #expect(try await store.children(of: "P", 99_999..<100_001).rows.map(\.permID) == [names[99_999]])
    try await store.take([EntityRow("P", "p", children: Array(names[..<50_000]))], generation: 2)
    #expect(try await store.entity("P")?.childCount == 50_000)
    #expect(try await store.sweep(before: 2) == 50_000)
    #expect(try store.check(in: folder) == [])
  }
}
