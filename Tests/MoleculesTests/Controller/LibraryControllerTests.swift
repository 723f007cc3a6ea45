import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of the library's list and its rows.
@MainActor struct LibraryControllerTests {
  private func library(
    returns: Bool = true, starters: Bool = true, size: Size = Size(width: 90, height: 20)
  ) async throws -> (ScreenDriver, TestPlugin) {
    let plugin = try await LibraryFixture.plugin(starters: starters)
    let driver = try plugin.screen("library", ["returns": .bool(returns)], size: size)
    await driver.settle()
    return (driver, plugin)
  }

  @Test func `the download row is above the molecules with code, title and counts`() async throws {
    let (driver, _) = try await library()
    let lines = driver.text.split(separator: "\n").map(String.init)
    #expect(lines[0].contains("Download new molecule"))
    #expect(lines.contains { $0.contains("CAFFEINE") && $0.contains("24 atoms   25 bonds") })
    #expect(driver.controller.status.map(\.text) == ["7 molecules"])
  }

  @Test func `the filter searches compounds, authors and keywords that rows do not show`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("A TITLE", named: "one.pdb", code: "1ABC", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let driver = try plugin.screen("library", ["returns": true], size: Size(width: 90, height: 20))
    await driver.settle()
    driver.press("/", "p", "e", "p", "t")
    await driver.settle()
    #expect(driver.text.contains("1ABC  A TITLE"))
    driver.press("z")
    await driver.settle()
    #expect(!driver.text.contains("A TITLE"))
    driver.press("backspace")
    await driver.settle()
    driver.press("enter")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("nothing was returned")
      return
    }
    #expect(value == 1)
  }

  @Test func `the filter ranks visible words, then hidden words, then scattered letters`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/"
    for (title, author) in [("SATIRE AM", "A.BEE"), ("RIVER", "A.STREAM"), ("A STREAM", "A.BEE")] {
      let text = LibraryFixture.text(title).replacing("A.BEE", with: author)
      try text.write(toFile: path + title + ".pdb", atomically: true, encoding: .utf8)
      _ = try await plugin.run("import", ["file": .list([.text(path + title + ".pdb")])])
    }
    let driver = try plugin.screen("library", ["returns": true], size: Size(width: 90, height: 20))
    await driver.settle()
    driver.press("/")
    driver.type("stream")
    await driver.settle()
    let titles = ["SATIRE AM", "RIVER", "A STREAM"]
    let found = driver.text.split(separator: "\n").compactMap { line in titles.first { line.contains($0) } }
    #expect(found == ["A STREAM", "RIVER", "SATIRE AM"])
  }

  @Test func `enter returns the molecule to the viewer that opened the library`() async throws {
    let (driver, _) = try await library()
    driver.press("down", "down", "enter")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("nothing was returned")
      return
    }
    #expect(value == 2)
  }

  @Test func `the molecule shown by the viewer is selected`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("library", ["returns": true, "selected": 4])
    await driver.settle()
    #expect(driver.text.split(separator: "\n").first { $0.contains("▌") }?.contains("CAFFEINE") == true)
  }

  @Test func `keys pressed before the list is loaded take effect`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let driver = try plugin.screen("library", ["returns": true, "selected": 4])
    driver.press("home")
    await driver.settle()
    driver.press("enter")
    #expect(driver.pushed == [ScreenRequest("search")])
  }

  @Test func `enter opens a viewer if no viewer opened the library`() async throws {
    let (driver, _) = try await library(returns: false)
    driver.press("down", "enter")
    #expect(driver.pushed == [ScreenRequest("viewer", arguments: ["molecule": 1])])
  }

  @Test(arguments: ["right", "d"])
  func `the right arrow and d open the details`(key: String) async throws {
    let (driver, _) = try await library()
    driver.press("down", key)
    #expect(driver.pushed == [ScreenRequest("detail", arguments: ["molecule": 1])])
  }

  @Test func `a click on the disclosure mark opens the details`() async throws {
    let (driver, _) = try await library()
    driver.click(x: 88, y: 3)
    #expect(driver.pushed == [ScreenRequest("detail", arguments: ["molecule": 3])])
  }

  @Test func `the download row cannot be deleted`() async throws {
    let (driver, plugin) = try await library()
    driver.press("home", "x")
    await driver.settle()
    guard case .status(let told)? = driver.requests.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(told.message == "this row is not a molecule and cannot be deleted")
    #expect(try await plugin.run("list").value.table?.rowCount == 7)
    #expect(driver.text.contains("Download new molecule"))
  }

  @Test func `deleting asks for confirmation`() async throws {
    let (driver, plugin) = try await library()
    driver.press("down", "x")
    guard let request = driver.lastChoice else {
      Issue.record("nothing was asked")
      return
    }
    #expect(request.selected == "keep" && request.title.contains("B-DNA"))
    driver.answer("keep")
    await driver.settle()
    #expect(try await plugin.run("list").value.table?.rowCount == 7)
    driver.press("delete")
    driver.answer("delete")
    await driver.settle()
    #expect(try await plugin.run("list").value.table?.rowCount == 6)
    #expect(!driver.text.contains("B-DNA"))
    driver.press("down", "x")
    driver.answer(nil)
    await driver.settle()
    #expect(try await plugin.run("list").value.table?.rowCount == 6)
  }

  @Test func `the download row opens the search, whose molecule is returned`() async throws {
    let (driver, _) = try await library()
    driver.press("home", "enter")
    #expect(driver.pushed == [ScreenRequest("search")])
    driver.receive(.returned(screen: "search", 3))
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("nothing was returned")
      return
    }
    #expect(value == 3)
  }

  @Test func `an imported file is selected`() async throws {
    let (driver, plugin) = try await library(starters: false)
    driver.press("I")
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    driver.answer(" " + path + " ")
    await driver.settle()
    #expect(driver.text.contains("PEPTIDE"))
    driver.press("enter")
    guard case .pop(let value)? = driver.requests.last else {
      Issue.record("the imported molecule is not selected")
      return
    }
    #expect(value == 1)
  }

  @Test func `a deleted molecule is restored with its original, also from another screen`() async throws {
    let (driver, plugin) = try await library(starters: false)
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let store = try MoleculeLibrary(plugin.context).store
    let original = try store.local.originals.read("peptide.pdb")
    await driver.settle()
    driver.press("down", "x")
    driver.answer("delete")
    await driver.settle()
    #expect(!driver.text.contains("PEPTIDE") && store.local.originals.files().isEmpty)
    guard case .status(let told)? = driver.requests.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(told.message == "deleted 'PEPTIDE'; press u to restore it")
    let second = try plugin.screen("library", ["returns": true])
    await second.settle()
    second.press("u")
    await second.settle()
    #expect(second.text.contains("PEPTIDE"))
    #expect(try store.local.originals.read("peptide.pdb") == original)
    second.press("u")
    guard case .status(let nothing)? = second.requests.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(nothing.message == "nothing to restore")
  }

  @Test func `a deletion that cannot be undone asks for a second confirmation`() async throws {
    let (driver, plugin) = try await library(starters: false)
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    await driver.settle()
    try MoleculeLibrary(plugin.context).store.local.originals.remove("peptide.pdb")
    driver.press("down", "x")
    driver.answer("delete")
    await driver.settle()
    guard let request = driver.lastChoice else {
      Issue.record("nothing was asked")
      return
    }
    #expect(request.title.contains("cannot be restored") && request.isDestructive)
    driver.answer("keep")
    await driver.settle()
    #expect(driver.text.contains("PEPTIDE"))
    driver.press("x")
    driver.answer("delete")
    await driver.settle()
    driver.answer("delete-for-good")
    await driver.settle()
    #expect(!driver.text.contains("PEPTIDE"))
  }

  @Test func `a path without a file leaves the list unchanged`() async throws {
    let (driver, _) = try await library(starters: false)
    driver.press("I")
    driver.answer("/nowhere.pdb")
    await driver.settle()
    driver.press("I")
    driver.answer("")
    await driver.settle()
    #expect(driver.controller.status.map(\.text) == ["0 molecules"])
  }

  @Test func `text typed after a slash filters the rows`() async throws {
    let (driver, _) = try await library()
    driver.press("/")
    #expect(driver.controller.wantsText)
    driver.type("caff")
    #expect(driver.text.contains("CAFFEINE") && !driver.text.contains("B-DNA"))
    driver.press("enter")
    guard case .pop? = driver.requests.last else {
      Issue.record("the found row was not chosen")
      return
    }
  }

  @Test func `a change by another command is shown`() async throws {
    let (driver, plugin) = try await library()
    _ = try await plugin.run("delete", ["molecule": "caffeine"])
    plugin.context.loop.drain()
    await driver.settle()
    #expect(!driver.text.contains("CAFFEINE"))
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 3), (12, 2), (30, 5), (200, 60)])
  func `every screen size is drawn`(width: Int, height: Int) async throws {
    let (driver, _) = try await library(size: Size(width: width, height: height))
    #expect(driver.frame.frameSize == Size(width: width, height: height))
    driver.press("down", "end", "/", "x", "escape")
    #expect(driver.outline.items.count == 8)
  }
}
