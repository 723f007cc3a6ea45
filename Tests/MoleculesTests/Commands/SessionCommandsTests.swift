import Foundation
import PluginAPI
import PluginJSON
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import Molecules

/// Tests of saving the shown molecules to a file and showing them again.
@MainActor struct SessionCommandsTests {
  private func path(_ name: String, in plugin: TestPlugin) -> String { plugin.context.folders.cache + "/" + name }

  private func viewer(_ plugin: TestPlugin, _ arguments: Record = Record()) async throws -> (
    ScreenDriver, ViewerController
  ) {
    let driver = try plugin.screen("viewer", arguments, size: Size(width: 60, height: 20))
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController))
  }

  @Test func `a session is saved from the screen and restored`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let (driver, controller) = try await viewer(plugin, ["document": "caffeine"])
    driver.press("left", "up", "+", "L", "3", "c")
    // Pictures drawn during motion may lack smooth edges.
    driver.advance(by: 1)
    let state = controller.state
    let picture = controller.content.pictures.picture
    driver.press("ctrl-s")
    driver.answer(path("work", in: plugin))
    await driver.settle()
    guard case .status(let told)? = driver.requests.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(told.message.hasPrefix("saved as '") && told.message.hasSuffix("work.molsession'"))
    driver.press("n")
    await driver.settle()
    #expect(controller.content.scene.molecule?.id != state.molecule)
    driver.press("ctrl-o")
    driver.answer(path("work.molsession", in: plugin))
    await driver.settle()
    #expect(controller.state == state)
    #expect(controller.content.pictures.picture == picture)
    let (_, other) = try await viewer(plugin, ["document": .text(path("work.molsession", in: plugin))])
    #expect(other.state == state)
  }

  @Test func `a session finds a molecule by its content under another number`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let file = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(file)])])
    let session = path("one.molsession", in: plugin)
    _ = try await plugin.run("session save", ["file": .text(session), "mode": "spacefilling"])
    _ = try await plugin.run("delete", ["molecule": "1"])
    _ = try await plugin.run("import", ["file": .list([.text(file)])])
    let opened = try await plugin.run("session open", ["file": .text(session)])
    #expect(opened.value["molecules"].list?.first?["id"] == 2)
    #expect(opened.diagnostics.isEmpty)
    let (_, controller) = try await viewer(plugin)
    #expect(controller.content.scene.molecule?.id == 2 && controller.content.scene.mode == .spacefilling)
    // The session for the next start applies only once.
    let (_, later) = try await viewer(plugin)
    #expect(later.content.scene.mode == .ballAndStick)
  }

  @Test func `a session reports missing molecules and shows the others`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let first = try LibraryFixture.file("FIRST", named: "first.pdb", code: "1AAA", in: plugin)
    let second = try LibraryFixture.file("SECOND", named: "second.pdb", code: "2BBB", in: plugin)
    let session = path("two.molsession", in: plugin)
    _ = try await plugin.run(
      "session save", ["file": .text(session), "molecule": .list([.text(first), .text(second)])])
    try FileManager.default.removeItem(atPath: first)
    let opened = try await plugin.run("session open", ["file": .text(session)])
    #expect(opened.diagnostics.map(\.code) == ["molecules.session-incomplete"])
    #expect(opened.diagnostics.first?.message == "1 of 2 molecules of the session are missing: '1AAA'")
    #expect(opened.value["molecules"].list?.map { $0["isThere"].bool } == [false, true])
    let (_, controller) = try await viewer(plugin, ["document": .text(session)])
    #expect(controller.title.contains("SECOND"))
    try FileManager.default.removeItem(atPath: second)
    let (driver, nothing) = try await viewer(plugin, ["document": .text(session)])
    #expect(nothing.content.scene.molecule == nil)
    #expect(driver.text.contains("all molecules of the session are missing: 1AAA, 2BBB"))
  }

  @Test func `a session shows and reports a file that changed`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let file = try LibraryFixture.file("FIRST", named: "first.pdb", in: plugin)
    let session = path("one.molsession", in: plugin)
    _ = try await plugin.run("session save", ["file": .text(session), "molecule": .list([.text(file)])])
    _ = try LibraryFixture.file("CHANGED", named: "first.pdb", in: plugin)
    let opened = try await plugin.run("session open", ["file": .text(session)])
    #expect(opened.diagnostics.map(\.code) == ["molecules.session-changed"])
  }

  @Test(arguments: [
    ("", "molecules.session-unreadable"), ("{", "molecules.session-unreadable"),
    ("[1]", "molecules.session-unreadable"),
    (#"{"format": "other", "molecules": [{}]}"#, "molecules.session-unreadable"),
    (#"{"format": "workbench-molecules-session", "version": 99, "molecules": [{}]}"#, "molecules.session-newer"),
    (#"{"format": "workbench-molecules-session", "version": 1, "molecules": [{}]}"#, "molecules.session-empty"),
    (
      #"{"format": "workbench-molecules-session", "molecules": [{"path": 7, "id": "x"}], "view": [1]}"#,
      "molecules.session-empty"
    ),
  ])
  func `a file that is not a session is refused`(text: String, code: String) async throws {
    let plugin = try await LibraryFixture.plugin()
    let file = path("x.molsession", in: plugin)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(await plugin.report("session open", ["file": .text(file)])?.code == code)
    let (driver, controller) = try await viewer(plugin, ["document": .text(file)])
    #expect(controller.content.scene.molecule == nil && driver.text.contains("session"))
  }

  @Test func `a file that is not a session is not overwritten`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let file = path("notes.txt", in: plugin)
    try "mine".write(toFile: file, atomically: true, encoding: .utf8)
    let report = await plugin.report("session save", ["file": .text(file)])
    #expect(report?.code == "molecules.session-not-written" && report?.kind == .refused)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let nowhere = await plugin.report("session save", ["file": .text(path("no/such/x.molsession", in: plugin))])
    #expect(nowhere?.code == "molecules.session-not-written" && nowhere?.advice == "create its folder first")
  }

  @Test func `lists of plain values are on one line of a session`() {
    let value: Value = ["a": [1, 2.5], "b": [["c": []]], "d": Value.record(Record())]
    let lines = [
      "{", "  \"a\": [1, 2.5],", "  \"b\": [", "    {", "      \"c\": []", "    }", "  ],", "  \"d\": {}", "}",
    ]
    #expect(String(decoding: SessionFile.text(value), as: UTF8.self) == lines.joined(separator: "\n"))
  }

  @Test func `reading written JSON restores it`() throws {
    let value: Value = [
      "text": "a \"quoted\"\n line \\ ü 🧬", "numbers": [0.1, -1e-30, 1, 3.4e38], "empty": [],
      "record": ["inner": [["a": true], .null]], "none": Value.record(Record()),
    ]
    #expect(try Value(json: SessionFile.text(value)) == value)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `numbers of a view are restored bit by bit`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      guard number.isFinite else { continue }
      let back = try Value(json: SessionFile.text(.number(Double(number)))).number.map { Float($0) }
      #expect(back == number)
    }
  }
}
