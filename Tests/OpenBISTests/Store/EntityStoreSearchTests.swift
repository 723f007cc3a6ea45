import PluginAPI
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreSearchTests {
  let folder = CacheFolder()

  private func rows() -> [EntityRow] {
    var first = EntityRow("A", "Frozen yeast culture", category: "Sample")
    first.summary = "from Zürich, 2nd lot"
    first.identifier = "/LAB/A-17"
    first.refcon = "{\"secret\":\"needle-in-refcon\"}"
    first.properties = [Property(key: "HIDDEN_KEY", label: "Organism", value: "Saccharomyces \"cerevisiae\" 50%")]
    var second = EntityRow("B", "Mouse liver", category: "Experiment")
    second.summary = "שלום עולם\u{0}behind"
    return [first, second, EntityRow("P", "Parent", category: "Project", children: ["B"])]
  }

  private func store(isIndexed: Bool = true) async throws -> EntityStore {
    let store = folder.store()
    try await store.take(rows())
    if isIndexed { while try await store.indexSome() {} }
    return store
  }

  private func found(_ text: String, _ store: EntityStore) async throws -> [String] {
    try await store.search(text, limit: 10).rows.map(\.permID)
  }

  private func filtered(_ text: String, _ store: EntityStore, under: String? = nil) async throws -> [String] {
    try await store.filter(text, under: under, limit: 10).rows.map(\.permID)
  }

  @Test func `words and prefixes of words are found in all shown texts`() async throws {
    let store = try await store()
    for text in ["yeast", "YEA", "zurich", "Zürich", "zür", "lab", "17", "cerevisiae", "sample froz", "2nd 50%"] {
      #expect(try await found(text, store) == ["A"], "\(text)")
    }
    #expect(try await found("שלום", store) == ["B"])
    #expect(try await found("behind", store) == ["B"])
    #expect(try await found("needle", store).isEmpty)
    #expect(try await found("east", store).isEmpty)
    #expect(try await found("yeast mouse", store).isEmpty)
  }

  @Test(arguments: [true, false])
  func `texts are found anywhere, with and without the index`(isIndexed: Bool) async throws {
    let store = try await store(isIndexed: isIndexed)
    #expect(try await store.indexPending() == !isIndexed)
    for text in ["east cul", "ZURICH", "needle-in", "\"cerev", "50%", "organism", "a-1", "st", "ö".isEmpty ? "" : "z"] {
      #expect(try await filtered(text, store).contains("A"), "\(text)")
    }
    #expect(try await filtered("ouse", store) == ["B"])
    #expect(try await filtered("עולם", store) == ["B"])
    #expect(try await filtered("\u{0}beh", store) == ["B"])
    #expect(try await filtered("hidden_key", store).isEmpty)
    #expect(try await filtered("yeastculture", store).isEmpty)
    #expect(try await filtered("li", store, under: "P") == ["B"])
    #expect(try await filtered("yeast", store, under: "P").isEmpty)
    #expect(try await filtered("mouse", store, under: "nobody").isEmpty)
  }

  @Test(arguments: [
    "", " ", "a", "zz", "\"", "\"\"", "*", "a*", "%", "_", "'", "a\"b OR c", "NOT", "AND OR", "text:x", "^a", "(", "a)",
    "{a b}: c", "a + b", "NEAR(a b)", "-", "\u{0}", "a\u{0}b", "\\", "שלום \u{202E}abc", "👩🏽‍🔬", "\u{FFFD}\u{10FFFF}",
  ])
  func `case 57: no text is interpreted as syntax`(text: String) async throws {
    let store = try await store()
    _ = try await store.search(text, limit: 10)
    _ = try await store.filter(text, limit: 10)
    _ = try await store.filter(text, under: "P", limit: 10)
    #expect(try await store.counts().entities == 3)
  }

  @Test func `case 57: searches for very long texts end`() async throws {
    let store = try await store()
    for text in [String(repeating: "a", count: 10_000), String(repeating: "yeast ", count: 2000)] {
      #expect(try await store.search(text, limit: 10).rows.count <= 1)
      #expect(try await store.filter(text, limit: 10).rows.isEmpty)
    }
  }

  @Test func `changed entities are found only by their new text, and removed ones no longer`() async throws {
    let store = try await store()
    try await store.take([EntityRow("B", "Rat kidney", category: "Experiment")])
    #expect(try await found("mouse", store).isEmpty)
    #expect(try await found("kidney", store) == ["B"])
    #expect(try await filtered("ouse", store).isEmpty)
    #expect(try await filtered("idney", store) == ["B"])
    while try await store.indexSome() {}
    #expect(try await filtered("ouse", store).isEmpty)
    #expect(try await filtered("idney", store) == ["B"])
    var deleted = EntityRow("B")
    deleted.isDeleted = true
    try await store.take([deleted])
    #expect(try await found("kidney", store).isEmpty)
    #expect(try await filtered("idney", store).isEmpty)
    try await store.take([EntityRow("C", "Other")])
    #expect(try await filtered("idney", store).isEmpty)
  }

  @Test func `results are sorted like lists and limited to the requested number`() async throws {
    let store = folder.store()
    try await store.take((0..<50).map { EntityRow("n\(49 - $0)", "Item \(49 - $0)") })
    while try await store.indexSome() {}
    let words = try await store.search("item", limit: 100)
    #expect(words.rows.map(\.permID) == (0..<50).map { "n\($0)" } && !words.hasMore)
    let some = try await store.filter("tem ", limit: 20)
    #expect(some.rows.count == 20 && some.hasMore && some.notIndexed == 0)
    #expect(try await store.search("item", limit: 20).hasMore)
  }

  @Test func `several words of one search are found together`() async throws {
    let store = folder.store()
    // More words with one prefix than are examined individually.
    try await store.take((0..<300).map { EntityRow("n\($0)", "probe\($0) common\($0 % 2 == 0 ? "even" : "odd")") })
    #expect(try await found("probe29 commono", store) == ["n29", "n291", "n293", "n295", "n297", "n299"])
    #expect(try await found("p probe7 c", store).count == 10)
    #expect(try await store.search("p c", limit: 400).rows.count == 300)
    #expect(try await store.search("probe", limit: 400).rows.count == 300)
    #expect(try await found("p commoneven probe298", store) == ["n298"])
    #expect(try await found("p q", store).isEmpty)
  }
}
