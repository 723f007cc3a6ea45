import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityListSourceTests {
  private func root(_ id: String, _ category: String) -> EntityRow {
    var row = EntityRow(id)
    (row.category, row.summaryHeader, row.isRootLevel) = (category, id, true)
    return row
  }

  @Test func `The first screen lists the navigation by name, then the other roots by category`() async throws {
    let folder = CacheFolder()
    let cache = folder.store()
    try await cache.take([root("YEAST", ""), root("PLASMID", ""), root("10", "Lab"), root("9", "Lab")], .navigation)
    try await cache.take(
      [root("P2", "Plasmids"), root("P10", "Plasmids"), root("Y1", "Yeasts")], .roots(of: "PLASMID"))
    let page = try await cache.page(of: .top, 0..<10)
    #expect(page.rows.map(\.permID) == ["PLASMID", "YEAST", "9", "10", "Y1", "P2", "P10"] && page.total == 7)
    for start in 0..<8 {
      let part = try await cache.page(of: .top, start..<start + 2)
      #expect(part.rows == Array(page.rows.dropFirst(start).prefix(2)) && part.total == 7)
    }
    #expect(try await cache.filter("p1", in: .top, limit: 5).rows.map(\.permID) == ["P10"])
  }

  @Test func `A category without a list of children has the roots of its label or its id`() async throws {
    let folder = CacheFolder()
    let cache = folder.store()
    var byLabel = root("TYPE_04", "Navigation")
    byLabel.summaryHeader = "Type 04"
    try await cache.take([byLabel, root("TYPE_05", "Navigation"), root("TYPE_06", "Navigation")], .navigation)
    try await cache.take([root("A", "Type 04"), root("B", "Type 04"), root("C", "TYPE_05")], .roots(of: nil))
    let categories = try await cache.navigation()
    func ids(_ place: Int) async throws -> [String] {
      try await cache.page(of: EntityListSource(below: categories[place]), 0..<10).rows.map(\.permID)
    }
    #expect(try await ids(0) == ["A", "B"])
    #expect(try await ids(1) == ["C"])
    #expect(try await ids(2) == [])
    let source = EntityListSource(below: categories[0])
    while try await cache.indexSome() {}
    #expect(try await cache.filter("b", in: source, limit: 5).rows.map(\.permID) == ["B"])
    // Once the server reports the children, they are shown.
    byLabel.children = .ids(["C"])
    try await cache.take([byLabel], .navigation)
    #expect(try await cache.page(of: source, 0..<10).rows.map(\.permID) == ["C"])
  }

  @Test func `A navigation that is not among the roots is listed alone`() async throws {
    let folder = CacheFolder()
    let cache = folder.store()
    var category = EntityRow("PROBES")
    category.children = .ids(["A"])
    try await cache.take([category], .navigation)
    try await cache.take([root("A", "Probes")], .roots(of: "PROBES"))
    #expect(try await cache.page(of: .top, 0..<10).rows.map(\.permID) == ["PROBES"])
  }
}
