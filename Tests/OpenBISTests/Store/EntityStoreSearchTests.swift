import PluginAPI
import Testing

@testable import OpenBIS

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

  private func store(isIndexed: Bool = true) throws -> EntityStore {
    let store = folder.store()
    try store.take(rows())
    if isIndexed { while try store.indexSomeAndWait() {} }
    return store
  }

  private func found(_ text: String, _ store: EntityStore) throws -> [String] {
    try store.searchAndWait(text, limit: 10).rows.map(\.permID)
  }

  private func filtered(_ text: String, _ store: EntityStore, under: String? = nil) throws -> [String] {
    try store.filterAndWait(text, under: under, limit: 10).rows.map(\.permID)
  }

  @Test func `words and beginnings of words are found wherever people read them`() throws {
    let store = try store()
    for text in ["yeast", "YEA", "zurich", "Zürich", "zür", "lab", "17", "cerevisiae", "sample froz", "2nd 50%"] {
      #expect(try found(text, store) == ["A"], "\(text)")
    }
    #expect(try found("שלום", store) == ["B"])
    #expect(try found("behind", store) == ["B"])
    #expect(try found("needle", store).isEmpty && found("east", store).isEmpty && found("yeast mouse", store).isEmpty)
  }

  @Test(arguments: [true, false])
  func `texts are found anywhere, with the index and before it`(isIndexed: Bool) throws {
    let store = try store(isIndexed: isIndexed)
    #expect(try store.indexPendingAndWait() == !isIndexed)
    for text in ["east cul", "ZURICH", "needle-in", "\"cerev", "50%", "organism", "a-1", "st", "ö".isEmpty ? "" : "z"] {
      #expect(try filtered(text, store).contains("A"), "\(text)")
    }
    #expect(try filtered("ouse", store) == ["B"] && filtered("עולם", store) == ["B"])
    #expect(try filtered("\u{0}beh", store) == ["B"])
    #expect(try filtered("hidden_key", store).isEmpty && filtered("yeastculture", store).isEmpty)
    #expect(try filtered("li", store, under: "P") == ["B"] && filtered("yeast", store, under: "P").isEmpty)
    #expect(try filtered("mouse", store, under: "nobody").isEmpty)
  }

  @Test(arguments: [
    "", " ", "a", "zz", "\"", "\"\"", "*", "a*", "%", "_", "'", "a\"b OR c", "NOT", "AND OR", "text:x", "^a", "(", "a)",
    "{a b}: c", "a + b", "NEAR(a b)", "-", "\u{0}", "a\u{0}b", "\\", "שלום \u{202E}abc", "👩🏽‍🔬", "\u{FFFD}\u{10FFFF}",
  ])
  func `case 57: no text is syntax`(text: String) throws {
    let store = try store()
    _ = try store.searchAndWait(text, limit: 10)
    _ = try store.filterAndWait(text, limit: 10)
    _ = try store.filterAndWait(text, under: "P", limit: 10)
    #expect(try store.countsAndWait().entities == 3)
  }

  @Test func `case 57: very long texts end`() throws {
    let store = try store()
    for text in [String(repeating: "a", count: 10_000), String(repeating: "yeast ", count: 2000)] {
      #expect(try store.searchAndWait(text, limit: 10).rows.count <= 1)
      #expect(try store.filterAndWait(text, limit: 10).rows.isEmpty)
    }
  }

  @Test func `what changed is found by its new text alone, and what was removed not at all`() throws {
    let store = try store()
    try store.take([EntityRow("B", "Rat kidney", category: "Experiment")])
    #expect(try found("mouse", store).isEmpty && found("kidney", store) == ["B"])
    #expect(try filtered("ouse", store).isEmpty && filtered("idney", store) == ["B"])
    while try store.indexSomeAndWait() {}
    #expect(try filtered("ouse", store).isEmpty && filtered("idney", store) == ["B"])
    var deleted = EntityRow("B")
    deleted.isDeleted = true
    try store.take([deleted])
    #expect(try found("kidney", store).isEmpty && filtered("idney", store).isEmpty)
    try store.take([EntityRow("C", "Other")])
    #expect(try filtered("idney", store).isEmpty)
  }

  @Test func `results are in the order of lists and no more than asked for`() throws {
    let store = folder.store()
    try store.take((0..<50).map { EntityRow("n\(49 - $0)", "Item \(49 - $0)") })
    while try store.indexSomeAndWait() {}
    let words = try store.searchAndWait("item", limit: 100)
    #expect(words.rows.map(\.permID) == (0..<50).map { "n\($0)" } && !words.hasMore)
    let some = try store.filterAndWait("tem ", limit: 20)
    #expect(some.rows.count == 20 && some.hasMore && some.notIndexed == 0)
    #expect(try store.searchAndWait("item", limit: 20).hasMore)
  }

  @Test func `words of many kinds in one text are found together`() throws {
    let store = folder.store()
    // More words with one prefix than are examined individually.
    try store.take((0..<300).map { EntityRow("n\($0)", "probe\($0) common\($0 % 2 == 0 ? "even" : "odd")") })
    #expect(try found("probe29 commono", store) == ["n29", "n291", "n293", "n295", "n297", "n299"])
    #expect(try found("p probe7 c", store).count == 10)
    #expect(try store.searchAndWait("p c", limit: 400).rows.count == 300)
    #expect(try store.searchAndWait("probe", limit: 400).rows.count == 300)
    #expect(try found("p commoneven probe298", store) == ["n298"])
    #expect(try found("p q", store).isEmpty)
  }
}
