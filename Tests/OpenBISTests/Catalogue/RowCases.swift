import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 18 to 27: large tables, and malformed rows and columns.
struct RowCases {
  @Test func `case 18: a large table is stored while it arrives, and lists can be read`() async throws {
    let user = try await LabUser.synced(.plain) {
      $0.entities = 100_000
      $0.categories = 1
    }
    // More entities than before, in one response.
    let path = try await user.cachePath()
    let isOver = Mutexed(false)
    let task = Task {
      defer { isOver.withLock { $0 = true } }
      return try await user.run("sync --full")
    }
    let reader = EntityStore(path: path)
    var (reads, readsMeanwhile) = (0, 0)
    while user.server.callCount < 3 || reads < 20 {
      #expect(try await reader.roots(in: nil, 50_000..<50_050).rows.count == 50)
      reads += 1
      if !isOver.value { readsMeanwhile += 1 }
      await Task.yield()
    }
    let result = try await task.value
    #expect(result.value["entities"] == 100_001)
    // Rows are counted while they arrive: a response received at once would be reported once.
    #expect(result.progress.filter { $0.label.contains("entities") }.count > 12)
    #expect(readsMeanwhile > 0)
    await reader.close()
  }

  @Test func `case 19: a cell with a hundred thousand children becomes edges that are read by page`()
    async throws
  {
    let lab = try await WrittenLab()
    let ids = (0..<100_000).map { "\"20240101120000000-\($0)\"" }.joined(separator: ",")
    lab.write("ROOT", WrittenLab.rootColumns, [WrittenLab.root("MANY", children: "[" + ids + "]")])
    try await lab.run("sync --no-index")
    let page = try await lab.run("drill MANY --cached --offset 99990 --limit 20")
    #expect(page.value.list?.count == 10)
    #expect(page.value.list?.last?["permId"] == "20240101120000000-99999")
    #expect(page.value.list?.last?["state"].list?.contains("notLoaded") == true)
  }

  @Test func `case 20: the last of two rows with one id is used, and duplicates are counted`() async throws {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", WrittenLab.rootColumns,
      [
        WrittenLab.root("A", header: "first"), WrittenLab.root("B"), WrittenLab.root("A", header: "last"),
      ])
    let result = try await lab.run("sync")
    #expect(try await lab.entity("A")["summaryHeader"] == "last")
    #expect(result.value["entities"] == 3)
    let warning = try #require(result.diagnostics.first { $0.code == "openbis.duplicate-rows" })
    #expect(warning.message.contains("1 of the rows"))
  }

  @Test func `case 21: an id in two categories is one entity, which both list`() async throws {
    let lab = try await WrittenLab()
    lab.write(
      "NAVIGATION", WrittenLab.navigationColumns,
      [["C", "{}", "Navigation", "C", "", "true"], ["D", "{}", "Navigation", "D", "", "true"]])
    lab.write(
      "ROOT C", WrittenLab.rootColumns,
      [WrittenLab.root("C", children: #"["A","X"]"#), WrittenLab.root("A"), WrittenLab.root("X")])
    lab.write(
      "ROOT D", WrittenLab.rootColumns,
      [WrittenLab.root("D", children: #"["X","B"]"#), WrittenLab.root("X"), WrittenLab.root("B")])
    #expect(try await lab.run("sync").value["entities"] == 5)
    for category in ["C", "D"] {
      let ids = try await lab.run("drill \(category) --cached").value.list?.map { $0["permId"] }
      #expect(ids?.contains("X") == true && ids?.count == 2)
    }
    let above = try await lab.content().edges.filter { $0.hasSuffix("> X") }
    #expect(above == ["C > X", "D > X"], "\(above)")
  }

  @Test func `case 22: rows that are too short or too long are skipped and counted`() async throws {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", WrittenLab.rootColumns,
      [
        WrittenLab.root("A"), Array(WrittenLab.root("B").dropLast()), WrittenLab.root("C2") + ["more"],
        WrittenLab.root("D"),
      ])
    let result = try await lab.run("sync")
    #expect(result.value["skipped"] == 2 && result.value["entities"] == 3)
    #expect(result.diagnostics.contains { $0.code == "openbis.rows-skipped" && $0.message.hasPrefix("2 rows") })
    #expect(
      result.diagnostics.contains { $0.code == "openbis.row-skipped" && $0.message.contains("ROOT has 2 rows") })
    #expect(try await lab.content().entities.keys.sorted() == ["A", "C", "D"])
  }

  @Test func `case 23: the first of two columns with one title is used, with a warning`() async throws {
    let lab = try await WrittenLab()
    lab.write(
      "ROOT", WrittenLab.rootColumns + ["SUMMARY_HEADER"], [WrittenLab.root("A", header: "first") + ["second"]])
    let result = try await lab.run("sync")
    #expect(try await lab.entity("A")["summaryHeader"] == "first")
    #expect(result.diagnostics.contains { $0.code == "openbis.column-twice" && $0.message.contains("SUMMARY_HEADER") })
  }

  @Test func `case 24: a table without PERM_ID is refused as a whole, and the cache stays`() async throws {
    let user = try await LabUser.synced()
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.missingPermIDColumn, on: "ROOT"))
    let report = try #require(await user.report("sync --full"))
    #expect(report.code == "openbis.unusable-answer" && report.message.contains("PERM_ID"))
    #expect(report.message.contains("createReportFromAggregationService") && report.message.contains("127.0.0.1"))
    #expect(try await user.content() == before)
    #expect(try await user.canBrowse())
  }

  @Test func `case 25: rows without an id are skipped and counted`() async throws {
    let lab = try await WrittenLab()
    let row = { (cell: String) in
      #"[\#(cell),{"value":"{}"},{"value":"T"},{"value":"H"},{"value":""},{"value":"[]"},{"value":"true"}]"#
    }
    let columns = WrittenLab.rootColumns.map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
    let cells = [#"{"value":"A"}"#, #"{"value":""}"#, #"{"value":null}"#, "null", #"{"value":"B"}"#, "{}"]
    lab.write("ROOT", #"{"columns":[\#(columns)],"rows":[\#(cells.map(row).joined(separator: ","))]}"#)
    let result = try await lab.run("sync")
    #expect(result.value["skipped"] == 4)
    #expect(try await lab.content().entities.keys.sorted() == ["A", "B", "C"])
  }

  @Test func `case 26: unknown columns are ignored`() async throws {
    let user = try await LabUser.loggedIn { $0.faults = [SimulatorFaultRule(.extraColumns)] }
    let result = try await user.run("sync")
    // A few children of the demo are null.
    #expect(result.diagnostics.allSatisfy { $0.code == "openbis.children-dropped" })
    let undisturbed = try await LabUser.synced()
    #expect(try await user.content().entities.keys.sorted() == undisturbed.content().entities.keys.sorted())
  }

  @Test func `case 27: cells that are bare texts and numbers are accepted`() async throws {
    let lab = try await WrittenLab()
    let columns = WrittenLab.rootColumns.map { #""\#($0)""# }.joined(separator: ",")
    lab.write(
      "ROOT",
      #"{"columns":[\#(columns)],"rows":[["A","{}","Things",17,2.50,"[\"B\"]",true],["B",{"value":"{}"},null,"b","","[]",""]]}"#
    )
    try await lab.run("sync")
    let entity = try await lab.entity("A")
    #expect(entity["summaryHeader"] == "17" && entity["summary"] == "2.50" && entity["children"] == ["B"])
    #expect(entity["state"].list?.contains("root") == true)
    #expect(try await lab.entity("B")["category"] == "")
  }
}
