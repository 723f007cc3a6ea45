import PluginAPI
import PluginSimulation
import PluginTesting
import PluginText
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 43 to 48, 56 and 57: deletions, clocks and intervals, details and searches.
struct DeletionCases {
  private static let columns = WrittenLab.rootColumns + ["DELETED"]

  @Test func `case 43: deletions of unknown ids are ignored, and that of a category sweeps its entities`()
    async throws
  {
    let user = try await LabUser.synced(.yeastlab)
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.oddDeletions))
    try await user.run("sync --full")
    let after = try await user.content()
    #expect(!after.entities.keys.contains { $0.hasPrefix("NEVER-SEEN") })
    #expect(Set(before.entities.keys).subtracting(after.entities.keys) == ["WESTERN_BLOTTING"])
    #expect(try await user.canBrowse())
  }

  @Test func `case 43: entities reachable only from a deleted category are removed by the same refresh`() async throws {
    let lab = try await WrittenLab()
    let columns = WrittenLab.navigationColumns + ["DELETED"]
    let top = { (id: String, deleted: String) in [id, "{}", "Navigation", id, "", "true", deleted] }
    lab.write("NAVIGATION", columns, [top("C", ""), top("D", "")])
    lab.write("ROOT C", WrittenLab.rootColumns, [WrittenLab.root("C", children: #"["A"]"#), WrittenLab.root("A")])
    lab.write(
      "ROOT D", WrittenLab.rootColumns,
      [WrittenLab.root("D", children: #"["B","A"]"#), WrittenLab.root("B", children: #"["X"]"#), WrittenLab.root("X")])
    try await lab.run("sync")
    #expect(try await lab.content().entities.count == 5)
    lab.write("NAVIGATION", columns, [top("C", ""), top("D", "true")])
    try await lab.run("sync")
    #expect(try await lab.content().entities.keys.sorted() == ["A", "C"])
    let asked = try #require(lab.parameters("ROOT").last)
    #expect(asked["entities"].list?.first?["PERM_ID"] == "C" && asked["lastupdate"] == "0.000000")
    try await lab.run("sync")
    #expect(lab.parameters("ROOT").last?["lastupdate"] != "0.000000")
  }

  @Test @MainActor
  func `case 43: a screen replaces a deleted entity with its nearest existing ancestor and reports it`()
    async throws
  {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", Self.columns,
      [
        WrittenLab.root("C", children: #"["A"]"#) + [""], WrittenLab.root("A", children: #"["B"]"#) + [""],
        WrittenLab.root("B", children: #"["X"]"#) + [""], WrittenLab.root("X") + [""],
      ])
    try await lab.run("sync")
    let opened = try lab.plugin.screen("browser", ["perm-id": "B"], size: Size(width: 90, height: 24))
    await opened.settle()
    let shown = opened.text
    #expect(shown.contains("Header X"), "\(shown)")
    lab.write(
      "ROOT", Self.columns, [WrittenLab.root("B").map { $0 == "B" ? "B" : "" } + ["true"]])
    try await lab.run("sync")
    await opened.settle()
    opened.advance(by: 2)
    await opened.settle()
    let notices = opened.requests.compactMap { if case .status(let notice) = $0 { notice } else { nil } }
    #expect(notices.contains { $0.code == "openbis.entity-deleted" })
    #expect(!opened.controller.title.contains("Header B"), "\(opened.controller.title)")
  }

  @Test func `case 44: only true and 1 delete, in any case`() async throws {
    let lab = try await WrittenLab()
    let words = ["TRUE", "true", "1", "false", "yes", "0", ""]
    lab.write("ROOT", Self.columns, words.indices.map { WrittenLab.root("A\($0)") + [""] })
    try await lab.run("sync")
    lab.write("ROOT", Self.columns, words.enumerated().map { WrittenLab.root("A\($0)") + [$1] })
    #expect(try await lab.run("sync").value["removed"] == 3)
    #expect(try await lab.content().entities.keys.sorted() == ["A3", "A4", "A5", "A6", "C"])
  }

  @Test func `case 45: a root level of false or 0 is not a root`() async throws {
    let lab = try await WrittenLab()
    let levels = ["true", "false", "0", "FALSE", "", "1", "yes"]
    lab.write(
      "ROOT", WrittenLab.rootColumns, levels.enumerated().map { WrittenLab.root("A\($0)").dropLast() + [$1] })
    try await lab.run("sync")
    let roots = try await lab.run("roots Things").value.list?.compactMap { $0["permId"].text }
    #expect(roots == ["A0", "A5", "A6"])
  }

  @Test(arguments: [SimulatorDialect.final, .mid])
  func `case 46: a suddenly empty navigation keeps the cache, with a warning and without a sweep`(
    _ dialect: SimulatorDialect
  ) async throws {
    let user = try await LabUser.synced(.yeastlab) { $0.dialect = dialect }
    let before = try await user.content()
    #expect(try await user.run("categories").value.list?.count == 12)
    user.server.add(SimulatorFaultRule(.emptyNavigation))
    for line in ["sync", "sync --full"] {
      #expect(try await user.codes(line) == ["openbis.no-categories"])
      #expect(try await user.content() == before)
    }
    #expect(!user.server.log.contains("ROOT"))
    user.server.heal()
    try await user.run("sync --full")
    #expect(try await user.content() == before)
  }

  @Test(arguments: [SimulatorFault.clockAhead, .clockBehind])
  func `case 47: no change is lost when clocks differ by ten minutes`(_ fault: SimulatorFault) async throws {
    let user = try await LabUser.loggedIn(.yeastlab) { $0.faults = [SimulatorFaultRule(fault)] }
    let first = user.server.permIDs(0..<1)
    // Changed during the first refresh, and after it.
    user.server.modify(first)
    try await user.run("sync")
    let second = user.server.permIDs(1..<2)
    user.server.modify(second)
    // The server's clock is corrected between two refreshes.
    user.server.heal()
    user.server.modify(user.server.permIDs(2..<3))
    try await user.run("sync")
    for permID in user.server.permIDs(0..<3) {
      #expect(try await user.entity(permID)["summary"].text == user.server.entity(permID)?.summary)
    }
    let asked = user.server.calls.filter { $0.requestKey == "ROOT" }.compactMap {
      $0.parameters.last?["lastupdate"].text
    }
    let since = try #require(asked.last.flatMap(Double.init))
    #expect(asked.first == "0.000000" && since > 0)
    // By the server's clock, at least a quarter of an hour before the beginning of the previous refresh.
    let offset = fault == .clockAhead ? 600.0 : -600.0
    #expect(since <= Double(user.server.now) / 1000 + offset - 899)
  }

  @Test(arguments: [("0", 60), ("-5", 60), ("abc", 3600), ("1e9", 604_800), ("1800", 1800), ("", 3600), ("nan", 3600)])
  func `case 48: an unusual refresh interval is limited`(_ text: String, _ seconds: Int) async throws {
    let user = try await LabUser.loggedIn()
    user.server.setRefreshInterval(text)
    try await user.run("sync")
    #expect(try await user.state().preferences.refreshIntervalInSeconds == seconds)
    user.server.forgetCalls()
    let start = user.plugin.context.now()
    user.plugin.context.setNow(Instant(seconds: start.seconds + Int64(seconds) - 1))
    try await user.run("sync --if-due")
    #expect(user.server.callCount == 0)
    user.plugin.context.setNow(Instant(seconds: start.seconds + Int64(seconds)))
    try await user.run("sync --if-due")
    #expect(user.server.log.contains("NAVIGATION"))
  }

  @Test func `case 56: rows of other entities in DETAIL are used, and an entity without a row is marked and stays`()
    async throws
  {
    let user = try await LabUser.synced()
    let ids = user.server.permIDs(0..<6)
    let line: Record = ["perm-id": .text(ids[0])]
    user.server.add(SimulatorFaultRule(.extraDetails, on: "DETAIL", times: 1))
    _ = try await user.plugin.run("detail", ["perm-id": .text(ids[5])])
    #expect(try await user.entity(ids[0])["identifier"].text != nil)
    let header = try await user.entity(ids[0])["summaryHeader"]
    for fault in [SimulatorFault.noDetails, .otherDetails] {
      user.server.heal()
      user.server.add(SimulatorFaultRule(fault, on: "DETAIL", times: 1))
      let result = try await user.plugin.run("detail", line)
      let warning = try #require(result.diagnostics.first { $0.code == "openbis.no-details" })
      #expect(warning.message.contains(ids[0]) && warning.message.contains("may have been deleted"))
      #expect(result.value["state"].list?.contains("missingOnServer") == true)
      #expect(result.value["summaryHeader"] == header && result.value["identifier"].text != nil)
    }
    // It existed all the time.
    let again = try await user.plugin.run("detail", line)
    #expect(again.value["state"].list?.contains("missingOnServer") == false)
  }

  @Test func `case 57: any text can be searched, on the server with at least three characters`() async throws {
    let texts = [
      "ab", "  ab  ", "\"", "a\"b OR *", "*", "kin*", "NEAR(a b)", "col:x", "(", "^a", "-a", "a' OR 1=1 --",
      String(repeating: "x", count: 10_000), "שלום עולם", "مرحبا بالعالم", "\u{0}abc", "👩‍👩‍👧", "{}",
    ]
    let user = try await LabUser.synced()
    for text in ["", " ", "\t\n"] {
      #expect(await user.plugin.report("search", ["text": .text(text)])?.code == "openbis.empty-text")
    }
    for text in texts {
      user.server.forgetCalls()
      _ = try await user.plugin.run("search", ["text": .text(text)])
      _ = try await user.plugin.run("search", ["text": .text(text), "anywhere": true])
      #expect(user.server.callCount == 0)
      let result = try await user.plugin.run("search", ["text": .text(text), "remote": true])
      if text.trimmed().count < 3 {
        #expect(user.server.callCount == 0 && result.diagnostics.map(\.code) == ["openbis.text-too-short"])
      } else {
        let sent = user.server.calls.filter { $0.requestKey == "SEARCH" }.map { $0.parameters.last?["searchtext"].text }
        #expect(sent == [text], "\(text.prefix(20))")
      }
    }
  }
}
