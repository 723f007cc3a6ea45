import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

struct FreezeCommandTests {
  @Test func `a frozen layout is drawn unchanged after database updates until it is removed`() async throws {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: PathwayShelfTests.resources)
    let table = try #require(try await plugin.run(line: "list").value.table)
    for row in 0..<5 {
      let id = try #require(table.row(row)["id"])
      let before = try await plugin.run("layout", ["network": id]).value
      let kept = try await plugin.run("freeze", ["pathway": id]).value
      #expect(kept["isOwn"] == true && kept["nodes"].integer == before["nodes"].list?.count)
      let after = try await plugin.run("layout", ["network": id]).value
      #expect(after["engine"] == "frozen")
      #expect(ids(after) == ids(before), "\(id)")
      #expect(near(after, before), "\(id)")
      _ = try await plugin.run("freeze", ["pathway": id, "remove": true])
      #expect(try await plugin.run("layout", ["network": id]).value["engine"] == "layers")
    }
  }

  @Test func `freezing an unknown pathway suggests the nearest name`() async throws {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: PathwayShelfTests.resources)
    let report = await plugin.report("freeze", ["pathway": "glycolisis"])
    #expect(report?.code == "pathcase.unknown-pathway" && report?.advice != nil)
  }

  private func ids(_ layout: Value) -> [Value] { layout["nodes"].list?.map { $0["id"] } ?? [] }

  /// Returns whether nodes have the same positions, except for the origin of the picture.
  private func near(_ one: Value, _ two: Value) -> Bool {
    func places(_ layout: Value) -> [(Double, Double)] {
      layout["nodes"].list?.map { ($0["x"].number ?? .nan, $0["y"].number ?? .nan) } ?? []
    }
    let (first, second) = (places(one), places(two))
    guard first.count == second.count, let a = first.first, let b = second.first else { return false }
    let shift = (b.0 - a.0, b.1 - a.1)
    return zip(first, second).allSatisfy { abs($1.0 - $0.0 - shift.0) < 1e-6 && abs($1.1 - $0.1 - shift.1) < 1e-6 }
  }
}
