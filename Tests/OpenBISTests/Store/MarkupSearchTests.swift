import PluginAPI
import PluginStore
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Searching property values with markup.
struct MarkupSearchTests {
  private let folder = CacheFolder()

  private static let html =
    "<div style=\"color: red\"><p>Culti<b>vation</b> of caf&eacute;</p><a href=\"https://elsewhere.org\">more</a></div>"
  private static let xml = "<root><commentEntry person=\"somebody\">remark</commentEntry></root>"

  private func row(_ id: String, _ value: String) -> EntityRow {
    var row = EntityRow(id, "Header \(id)")
    row.properties = [Property(key: "K", label: "Notes", value: value)]
    return row
  }

  private func expectText(_ store: EntityStore) async throws {
    func words(_ text: String) async throws -> [String] { try await store.search(text, limit: 9).rows.map(\.permID) }
    func parts(_ text: String) async throws -> [String] { try await store.filter(text, limit: 9).rows.map(\.permID) }
    for text in ["cultivation", "cafe", "more"] {
      #expect(try await words(text) == ["H"], "\(text)")
      #expect(try await parts(text) == ["H"], "\(text)")
    }
    #expect(try await words("remark") == ["X"])
    #expect(try await parts("emar") == ["X"])
    #expect(try await parts("tion of caf") == ["H"])
    for text in ["div", "style", "color", "red", "href", "elsewhere", "eacute", "root", "commentEntry", "somebody"] {
      #expect(try await words(text).isEmpty, "\(text)")
      #expect(try await parts(text).isEmpty, "\(text)")
    }
    #expect(try await words("plain").count == 1)
    #expect(try await parts("notes").count == 3)
  }

  @Test func `markup is not searched, and words across several tags are found`() async throws {
    let store = folder.store()
    try await store.take([row("H", Self.html), row("X", Self.xml), row("P", "plain")])
    try await expectText(store)
    while try await store.indexSome() {}
    try await expectText(store)
    // Words of the former text are removed as they were entered.
    try await store.take([row("H", "<p>other</p>"), row("X", "none"), row("P", "plain")])
    #expect(try await store.search("cultivation", limit: 9).rows.isEmpty)
    #expect(try await store.search("other", limit: 9).rows.map(\.permID) == ["H"])
  }

  @Test func `a cache of an older version is indexed again`() async throws {
    let old = SQLiteStore(name: "entities", path: folder.file, migrations: Array(EntityMigrations.all.prefix(2)))
    try await old.write { connection in
      for (index, (id, value)) in [("H", Self.html), ("X", Self.xml), ("P", "plain")].enumerated() {
        let properties = [Property(key: "K", label: "Notes", value: value)]
        var sort: [UInt8] = []
        SortKey.append(category: "Sample", header: "Header \(id)", permID: id, isLoaded: true, to: &sort)
        try connection.execute(
          """
          INSERT INTO entity (id, perm_id, flags, sort, category, header, summary, properties)
            VALUES (?, ?, 0, ?, 'Sample', ?, '', ?)
          """, [index + 1, id, sort, "Header \(id)", EntityCoding.bytes(properties)])
        var text: [UInt8] = []
        EntityWords.append(
          header: "Header \(id)", summary: "", identifier: "", category: "Sample", properties: properties,
          searched: { $0 }, to: &text)
        try connection.execute(
          "INSERT INTO words (rowid, text) VALUES (?, ?)", [index + 1, String(decoding: text, as: UTF8.self)])
      }
    }
    #expect(try await old.read { try $0.value("SELECT count(*) FROM words WHERE words MATCH 'href'").integer } == 1)
    await old.close()
    let store = folder.store()
    try await expectText(store)
    while try await store.indexSome() {}
    try await expectText(store)
  }
}
