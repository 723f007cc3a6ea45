import Testing

@testable import OpenBIS

@Suite struct EntityListSourceTests {
  private func root(_ id: String, _ category: String) -> EntityRow {
    var row = EntityRow(id)
    (row.category, row.summaryHeader, row.isRootLevel) = (category, id, true)
    return row
  }

  @Test func `The first screen has all roots, by category, with the navigation among them`() throws {
    let folder = CacheFolder()
    let cache = folder.store()
    try cache.take([root("PLASMID", "")], .navigation)
    try cache.take([root("P2", "Plasmids"), root("P10", "Plasmids"), root("Y1", "Yeasts")], .roots(of: "PLASMID"))
    let page = try EntityListSource.top.page(CacheReading(cache: cache), 0..<10)
    #expect(page.rows.map(\.permID) == ["Y1", "P2", "P10", "PLASMID"] && page.total == 4)
    #expect(try EntityListSource.top.filter("p1", CacheReading(cache: cache), limit: 5).rows.map(\.permID) == ["P10"])
  }

  @Test func `A navigation that is not among the roots stands alone`() throws {
    let folder = CacheFolder()
    let cache = folder.store()
    var category = EntityRow("PROBES")
    category.children = .ids(["A"])
    try cache.take([category], .navigation)
    try cache.take([root("A", "Probes")], .roots(of: "PROBES"))
    #expect(try EntityListSource.top.page(CacheReading(cache: cache), 0..<10).rows.map(\.permID) == ["PROBES"])
  }
}
