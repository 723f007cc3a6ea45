import PluginAPI
import PluginStore
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the grouped metadata of a molecule.
@MainActor struct DetailControllerTests {
  private func plugin() async throws -> TestPlugin {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    return plugin
  }

  /// Returns the screen after it has read the metadata.
  private func detail(
    _ arguments: Record = ["molecule": 1], size: Size = Size(width: 80, height: 24), on plugin: TestPlugin? = nil
  ) async throws -> ScreenDriver {
    let host: TestPlugin
    if let plugin { host = plugin } else { host = try await self.plugin() }
    let driver = try host.screen("detail", arguments, size: size)
    await driver.settle()
    return driver
  }

  @Test func `groups are listed under the compound, in the original's order`() async throws {
    let driver = try await detail(["molecule": 1, "model": 1], size: Size(width: 60, height: 40))
    let lines = driver.text.split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init)
    #expect(lines.first == "TEST PEPTIDE")
    let groups = MetadataEntry.Group.allCases.map(\.title)
    #expect(lines.filter(groups.contains) == groups)
    #expect(lines.contains("Current structure     1 of 1"))
    #expect(driver.controller.title == "1ABC")
  }

  @Test func `metadata is read when the screen opens, not before`() async throws {
    let plugin = try await plugin()
    let store = try MoleculeLibrary(plugin.context).store
    // Without its metadata a molecule can still be listed, shown and drawn.
    try await store.local.sqlite.write { try $0.execute("DELETE FROM metadata") }
    _ = try await plugin.run("list")
    let viewer = try plugin.screen("viewer", ["molecule": 1])
    await viewer.settle()
    #expect((viewer.controller as? ViewerController)?.content.pictures.picture != nil)
    try await store.local.sqlite.write {
      try $0.execute("INSERT INTO metadata VALUES (1, 0, 0, 'Title', 'WRITTEN LATER')")
    }
    let later = try await detail(on: plugin)
    #expect(later.text.contains("WRITTEN LATER"))
  }

  @Test func `enter shows the whole text on its own screen`() async throws {
    let plugin = try await plugin()
    let driver = try await detail(size: Size(width: 40, height: 12), on: plugin)
    driver.press("end", "enter")
    let request = try #require(driver.pushed.last)
    #expect(request.screen == "text")
    #expect(request.arguments["title"] == "Sequence: Chain A")
    let page = try plugin.screen("text", request.arguments)
    #expect(page.text.split(separator: "\n").first?.drop { $0 == " " } == "GA")
    #expect(page.controller.title == "Sequence: Chain A")
  }

  @Test func `truncated text is marked`() async throws {
    let plugin = try await plugin()
    let wide = try await detail(size: Size(width: 80, height: 40), on: plugin)
    #expect(!wide.text.contains("›"))
    let narrow = try await detail(size: Size(width: 30, height: 40), on: plugin)
    #expect(narrow.text.contains("›"))
  }

  @Test func `clicks select and open an entry`() async throws {
    let driver = try await detail(size: Size(width: 60, height: 40))
    let row = try #require(
      driver.text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("A.BEE") })
    driver.click(x: 5, y: row, clicks: 2)
    #expect(driver.pushed.last?.arguments["text"] == "A.BEE, C.DEE")
  }

  @Test func `M opens the molecule in the viewer`() async throws {
    let driver = try await detail()
    driver.press("M")
    #expect(driver.pushed == [ScreenRequest("viewer", arguments: ["molecule": 1])])
  }

  @Test func `an unknown molecule is reported`() async throws {
    let driver = try await detail(["molecule": 9])
    #expect(driver.text.contains("molecule '9' not found"))
    driver.press("enter", "down", "end")
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (10, 3), (23, 5), (200, 60)])
  func `every screen size is drawn with the selected entry visible`(width: Int, height: Int) async throws {
    let driver = try await detail(size: Size(width: width, height: height))
    let count = driver.outline.items.count
    var unseen: [Int] = []
    for entry in 0..<count {
      let marks = (0..<height).count { driver.frame[0, $0].text == "▌" }
      if width > 1, height > 0, marks != 1 { unseen.append(entry) }
      driver.press("down")
    }
    #expect(count > 10 && unseen.isEmpty)
  }
}
