import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 28 to 35: children and the server's references to entities.
struct ChildrenCases {
  /// Returns a lab whose cache has A with the children B and C, after a response with another CHILDREN cell.
  private func lab(then cell: String) async throws -> (WrittenLab, CommandResult) {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", WrittenLab.rootColumns,
      [WrittenLab.root("A", children: #"["B","C2"]"#), WrittenLab.root("B"), WrittenLab.root("C2")])
    try await lab.run("sync")
    lab.write(
      "ROOT", WrittenLab.rootColumns,
      [WrittenLab.root("A", children: cell, header: "now"), WrittenLab.root("B"), WrittenLab.root("C2")])
    return (lab, try await lab.run("sync --full"))
  }

  private func children(_ lab: WrittenLab) async throws -> [Value]? { try await lab.entity("A")["children"].list }

  @Test(arguments: [#"["A","#, "B,C", #"["A" "B"]"#, #"["A"]]"#])
  func `case 28: unreadable children leave the cached ones, and the entity is marked`(_ cell: String) async throws {
    let (lab, result) = try await lab(then: cell)
    #expect(try await children(lab) == ["B", "C2"])
    let entity = try await lab.entity("A")
    #expect(entity["state"].list?.contains("childrenUnreadable") == true && entity["summaryHeader"] == "now")
    #expect(result.diagnostics.contains { $0.code == "openbis.children-unreadable" && $0.message.contains("1 rows") })
  }

  @Test func `case 29: elements of CHILDREN that are not ids are dropped, and the others stay`() async throws {
    let (lab, result) = try await lab(then: #"[null,"B",7,["nested"],{"a":"b"},true,"D"]"#)
    #expect(try await children(lab) == ["B", "D"])
    #expect(result.diagnostics.contains { $0.code == "openbis.children-dropped" && $0.message.contains("5") })
  }

  @Test func `case 30: an empty CHILDREN cell is an empty list, an object is not`() async throws {
    let (empty, _) = try await lab(then: "")
    #expect(try await children(empty) == [])
    #expect(try await empty.entity("A")["state"].list?.contains("childrenUnreadable") == false)
    let (object, _) = try await lab(then: #"{"A":"B"}"#)
    #expect(try await children(object) == ["B", "C2"])
    #expect(try await object.entity("A")["state"].list?.contains("childrenUnreadable") == true)
  }

  @Test func `case 31: a child without a row is listed by its id, and drilling requests it`() async throws {
    let (lab, _) = try await lab(then: #"["B","NOBODY"]"#)
    let list = try await lab.run("drill A --cached").value
    #expect(list.list?.count == 2)
    let lost = try #require(list.list?.first { $0["permId"] == "NOBODY" })
    #expect(lost["state"].list?.contains("notLoaded") == true)
    let text = try lab.plugin.text(list)
    #expect(text.contains("(not loaded)  NOBODY"), "\(text)")
    let tree = try await lab.run("tree A").value
    #expect(tree.list?.count { $0["kind"] == "notLoaded" } == 1)
    #expect(try lab.plugin.text(tree).contains("NOBODY"))
    lab.write("DRILL", WrittenLab.rootColumns, [WrittenLab.root("NOBODY", header: "somebody")])
    try await lab.run("drill A")
    #expect(lab.parameters("DRILL").last?["entities"].list?.first?["PERM_ID"] == "A")
    #expect(try await lab.entity("NOBODY")["summaryHeader"] == "somebody")
  }

  @Test func `case 32: cycles are browsed endlessly, and trees and exports contain each entity once`() async throws {
    let user = try await LabUser.synced(.tagBrowser)
    user.server.add(SimulatorFaultRule(.selfChildren, on: "ROOT"))
    try await user.run("sync --full")
    let content = try await user.content()
    let ring = try #require(
      content.edges.first { edge in
        let ends = edge.split(separator: " > ").map(String.init)
        return ends[0] == ends[1]
      }
    ).split(separator: " > ").map(String.init)[0]
    for _ in 0..<3 {
      let ids = try await user.plugin.run("drill", ["perm-id": .text(ring), "cached": true]).value.list
      #expect(ids?.contains { $0["permId"].text == ring } == true)
    }
    let tree = try await user.plugin.run("tree", ["perm-id": .text(ring), "depth": 1000]).value
    let shown = tree.list?.filter { $0["kind"] == "entity" }.compactMap { $0["permId"].text } ?? []
    #expect(shown.count == Set(shown).count && shown.count > 10)
    #expect(tree.list?.contains { $0["kind"] == "again" } == true)
    let export = try await user.plugin.run("export", ["perm-id": .text(ring)]).value
    #expect(export["entities"].list?.count == shown.count)
  }

  @Test func `case 33: a chain of fifty thousand generations is swept, shown and exported iteratively`()
    async throws
  {
    let user = try await LabUser.loggedIn {
      $0.dialect = .mid
      $0.faults = [SimulatorFaultRule(.deepChain, on: "ROOT")]
    }
    try await user.run("sync --no-index")
    #expect(try await user.content().entities.count > 50_000)
    let tree = try await user.run("tree CHAIN-0 --depth 60000 --rows 60000").value
    #expect(tree.list?.count { $0["kind"] == "entity" } == 50_000)
    let folder = CacheFolder()
    let file = folder.path + "/chain.csv"
    let export = try await user.plugin.run("export", ["perm-id": "CHAIN-0", "format": "csv", "output": .text(file)])
    #expect(export.value["entities"] == 50_000)
    // The first entity of the chain is removed, and with it all that only it led to.
    user.server.heal()
    #expect(try await user.run("sync --full --no-index").value["removed"] == 50_000)
  }

  @Test func `case 34: a REFCON that is not JSON is sent back as text, and the server's error is shown`()
    async throws
  {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", WrittenLab.rootColumns,
      [WrittenLab.root("A", refcon: "{broken"), WrittenLab.root("B", refcon: "")])
    try await lab.run("sync")
    #expect(try await lab.content().entities["A"]?.contains("'{broken'") == true)
    lab.write("DRILL", WrittenLab.rootColumns, [WrittenLab.root("A", refcon: "{broken")])
    lab.write("DETAIL", WrittenLab.detailColumns, [WrittenLab.detail("A", refcon: "{broken")])
    try await lab.run("drill A")
    try await lab.run("detail A")
    try await lab.run("drill B")
    #expect(lab.parameters("DRILL").map { $0["entities"].list?.first?["REFCON"] } == ["{broken", ""])
    #expect(lab.parameters("DETAIL").map { $0["entities"].list?.first?["REFCON"] } == ["{broken"])
    let user = try await LabUser.synced()
    user.server.add(SimulatorFaultRule(.scriptFails, on: "DETAIL"))
    let id = try #require(user.server.permIDs(0..<1).first)
    let shown = try await user.plugin.run("detail", ["perm-id": .text(id)])
    let warning = try #require(shown.diagnostics.first)
    #expect(warning.code == "openbis.remote-error" && warning.message.contains("NameError"))
    #expect(shown.value["permId"].text == id)
  }

  @Test func `case 35: a REFCON with large numbers and half surrogates is sent back unchanged`() async throws {
    let lab = try await WrittenLab()
    let words = [
      #"{"z":9007199254740993,"a":1.0,"code":"X"}"#, #"{"b":[1,{"c":null}],"a":"\u00e9\ud83d\ude00"}"#,
      #"{"half":"\ud800","code":"Y"}"#, #"{"emoji":"🧪","e":1e400,"n":-0}"#, "12345678901234567890", #""text""#,
    ]
    lab.write(
      "NAVIGATION", WrittenLab.navigationColumns,
      words.enumerated().map { ["C\($0)", $1, "Navigation", "C\($0)", "", "true"] })
    lab.write("ROOT", WrittenLab.rootColumns, [])
    try await lab.run("sync")
    // In ROOT as text.
    #expect(Set(lab.parameters("ROOT").compactMap { $0["entities"].list?.first?["REFCON"].text }) == Set(words))
    // In DRILL and DETAIL as the value, digit for digit.
    for (index, word) in words.enumerated() {
      _ = try? await lab.run("drill C\(index)")
      let call = try #require(lab.fixture.calls.last { $0.parameters.last?["requestKey"] == "DRILL" })
      let body = String(decoding: call.body, as: UTF8.self)
      #expect(body.contains(#""REFCON":\#(word)"#), "\(body)")
    }
  }
}
