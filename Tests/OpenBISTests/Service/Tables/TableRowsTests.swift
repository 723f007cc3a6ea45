import PluginAPI
import PluginNet
import PluginServer
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Rows of tables, well-formed and malformed.
@Suite(.timeLimit(.minutes(10)))
struct TableRowsTests {
  /// Returns the rows and the summary of a response.
  private func rows(_ result: String, _ host: TableService.Host = .v1) async throws -> ([EntityRow], TableSummary) {
    let channel = RowChannel()
    let service = TableService(CannedCaller(result), host: host, dataStore: "DSS1")
    let summary = try await service.rows(.navigation, into: channel)
    return (try all(channel), summary)
  }

  private func all(_ channel: RowChannel) throws -> [EntityRow] {
    var rows: [EntityRow] = []
    while let batch = try channel.next() { rows += batch }
    return rows
  }

  /// Returns the single row of a table with these columns.
  private func row(_ columns: [String: String]) async throws -> EntityRow {
    let names = columns.keys.sorted()
    let (rows, _) = try await rows(TableText.v1(["PERM_ID"] + names, [["id"] + names.map { columns[$0] ?? "" }]))
    return try #require(rows.first)
  }

  private static let columns = [
    "PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "ROOT_LEVEL",
  ]

  @Test func `a table of V1 becomes rows, with columns identified by their titles`() async throws {
    let cells = [
      "20130115-1", #"{"b":1, "a":[9007199254740993]}"#, "Probes", "P 1", "of a kind", "/S/P1", #"["a","b c"]"#, "true",
    ]
    let order = [7, 3, 0, 5, 2, 1, 6, 4]
    let (rows, summary) = try await rows(
      TableText.v1(order.map { Self.columns[$0] }, [order.map { cells[$0] }, order.map { _ in "x" }]))
    var expected = EntityRow("20130115-1")
    (expected.refcon, expected.category) = (cells[1], "Probes")
    (expected.summaryHeader, expected.summary, expected.identifier) = ("P 1", "of a kind", "/S/P1")
    (expected.children, expected.isRootLevel) = (.ids(["a", "b c"]), true)
    #expect(rows.count == 2 && rows[0] == expected)
    #expect(summary.rowCount == 2 && summary.skippedRows == 0 && !summary.hasDeletedColumn)
    #expect(summary.columns == order.map { Self.columns[$0] })
  }

  @Test func `missing columns leave values unset, empty cells clear them`() async throws {
    let (bare, _) = try await rows(TableText.v1(["PERM_ID"], [["a"]]))
    #expect(bare == [EntityRow("a")])
    let empty = try await row([
      "REFCON": "", "CATEGORY": "", "SUMMARY": "", "CHILDREN": "", "PROPERTIES": "", "IMAGES": "", "DELETED": "",
    ])
    #expect(empty.refcon == "" && empty.category == "" && empty.summary == "" && empty.summaryHeader == nil)
    #expect(empty.children == .ids([]) && empty.properties == [] && empty.images == [] && !empty.isDeleted)
  }

  @Test func `numbers in a table of V3 become their digits`() async throws {
    let (rows, _) = try await rows(
      TableText.v3(["PERM_ID", "SUMMARY", "CATEGORY"], [["a", 5, .number(1.5)], [7, .null, .bool(true)]]), .v3)
    #expect(rows.map(\.permID) == ["a", "7"])
    #expect(rows.map(\.summary) == ["5", ""] && rows.map(\.category) == ["1.5", "true"])
  }

  @Test func `rows before the columns are read too`() async throws {
    let result = #"{"rows":[["a",{"value":"x"}]],"more":{"rows":[]},"columns":[{"title":"PERM_ID"},"SUMMARY"]}"#
    let (rows, _) = try await rows(result)
    #expect(rows.map(\.permID) == ["a"] && rows.map(\.summary) == ["x"])
  }

  @Test func `case 22: rows with fewer or more cells than columns are skipped and counted`() async throws {
    let (rows, summary) = try await rows(
      TableText.v1(["PERM_ID", "SUMMARY"], [["a", "1"], ["b"], ["c", "3", "4"], [], ["e", "5"]]))
    #expect(rows.map(\.permID) == ["a", "e"] && rows.map(\.summary) == ["1", "5"])
    #expect(summary.skippedRows == 3 && summary.rowCount == 2)
    #expect(summary.warnings.map(\.code) == ["openbis.row-skipped"])
    #expect(summary.warnings[0].message.contains("NAVIGATION") && summary.warnings[0].message.contains("3"))
  }

  @Test func `case 22: elements that are not rows are skipped`() async throws {
    let (rows, summary) = try await rows(#"{"columns":["PERM_ID"],"rows":[["a"],{"b":["x"]},null,"c",["d"]]}"#)
    #expect(rows.map(\.permID) == ["a", "d"] && summary.skippedRows == 3)
  }

  @Test func `case 23: of columns with the same title the first one is used`() async throws {
    let (rows, summary) = try await rows(TableText.v1(["SUMMARY", "PERM_ID", "SUMMARY"], [["one", "a", "two"]]))
    #expect(rows.map(\.summary) == ["one"])
    #expect(summary.warnings.map(\.code) == ["openbis.column-twice"])
    #expect(summary.warnings[0].message.contains("'SUMMARY'"))
  }

  @Test(arguments: [
    TableText.v1(["REFCON"], [["x"]]), TableText.v1([], []), #"{"rows":[["a"]]}"#, "{}", "null", "[]", "7",
    #"{"columns":{}}"#, #"{"columns":[{"title":"PERM_ID"}],"rows":7}"#,
  ])
  func `case 24: a table without PERM_ID, or another value, is refused as a whole`(result: String) async throws {
    let lab = try LabFixture { _ in .result(result) }
    let session = RPCSession(lab.connection(), user: "u", key: .none, token: Secret("token-1"))
    let channel = RowChannel()
    let service = TableService(session, host: .v1, dataStore: "DSS1")
    let error = await errorOf { try await service.rows(.navigation, into: channel) }
    #expect(error is RPCError || error is UselessResult)
    if error is RPCError {
      #expect(codeOf(error) == "openbis.unusable-answer")
      #expect(messageOf(error).contains("createReportFromAggregationService"))
      #expect(messageOf(error).contains(lab.address.base))
    }
    #expect(throws: (any Error).self) { try channel.next() }
  }

  @Test func `case 25: rows without an id are skipped`() async throws {
    let result = #"{"columns":["PERM_ID","SUMMARY"],"rows":[["","x"],[null,"x"],[{"@id":3},"x"],["a","x"]]}"#
    let (rows, summary) = try await rows(result)
    #expect(rows.map(\.permID) == ["a"] && summary.skippedRows == 3)
    #expect(summary.warnings.first?.message.contains("without PERM_ID") == true)
  }

  @Test func `case 26: unknown columns are ignored`() async throws {
    let (rows, summary) = try await rows(TableText.v1(["X", "PERM_ID", "perm_id"], [["{[", "a", "b"]]))
    #expect(rows == [EntityRow("a")] && summary.warnings.isEmpty)
  }

  @Test func `case 27: cells may be bare values, and unknown members of cells are ignored`() async throws {
    let result = """
      {"columns":[{"@id":1,"title":"PERM_ID"},{"title":"SUMMARY","x":[{}]},{"title":"CHILDREN"}],
       "rows":[["a",5,["c","d"]],[{"x":{"value":"no"},"value":"b","@type":[1,[2]]},{"value":{"y":1}},{"value":["e"]}]]}
      """
    let (rows, _) = try await rows(result)
    #expect(rows.map(\.permID) == ["a", "b"] && rows.map(\.summary) == ["5", #"{"y":1}"#])
    #expect(rows.map(\.children) == [.ids(["c", "d"]), .ids(["e"])])
  }

  @Test(arguments: [
    // Case 28.
    ("[\"a\"", EntityRow.Children.unreadable), ("a,b", .unreadable), ("[a]", .unreadable), ("[\"a\",]", .unreadable),
    ("[\"a\"] x", .unreadable), ("[\"a\nb\"]", .unreadable), ("null", .unreadable), ("\"a\"", .unreadable),
    // Case 29.
    (#"["a",null,7,["b",["c"]],{"d":"e"},"","f",true]"#, .ids(["a", "f"])),
    // Case 30.
    ("", .ids([])), (" \n", .ids([])), ("{\"a\":1}", .unreadable), ("[]", .ids([])), ("[ ]", .ids([])),
    (#" [ "a" , "b\u00e9\n\"" ] "#, .ids(["a", "bé\n\""])), (#"["a","a"]"#, .ids(["a", "a"])),
  ])
  func `cases 28, 29, 30: children are a list of ids, empty or unreadable`(
    cell: String, expected: EntityRow.Children
  ) async throws {
    #expect(try await row(["CHILDREN": cell]).children == expected)
  }

  @Test func `cases 28 and 29: unreadable and dropped children are counted`() async throws {
    let (_, summary) = try await rows(
      TableText.v1(["PERM_ID", "CHILDREN"], [["a", "{"], ["b", #"[null,"c",1]"#], ["c", "x"]]))
    #expect(summary.warnings.map(\.code) == ["openbis.children-unreadable", "openbis.children-dropped"])
    #expect(summary.warnings.map { $0.message.filter(\.isNumber) } == ["2", "2"])
  }

  @Test func `case 19: a cell of a million children is read`() async throws {
    let list = "[" + (0..<1_000_000).map { "\"CHILD-\($0)-20130115000000\"" }.joined(separator: ",") + "]"
    let channel = RowChannel()
    let caller = CannedCaller(TableText.v1(["PERM_ID", "CHILDREN"], [["a", list]]), pieceInBytes: 1 << 14)
    _ = try await TableService(caller, host: .v1, dataStore: "D").rows(.navigation, into: channel)
    guard case .ids(let ids) = try all(channel).first?.children else {
      Issue.record("no children")
      return
    }
    #expect(ids.count == 1_000_000 && ids[999_999] == "CHILD-999999-20130115000000")
  }

  @Test func `cases 34 and 35: REFCON is stored byte for byte`() async throws {
    for refcon in [
      "", "{", "not json", #"{"b":9007199254740993,"a":1e400,"b":2}"#, "{\"x\":\"\\ud83d\"}", "😀 \u{0}\u{1B}[31m",
    ] {
      #expect(try await row(["REFCON": refcon]).refcon == refcon)
    }
  }

  @Test func `case 35: half of a surrogate pair in a cell itself is replaced and reported`() async throws {
    let (rows, summary) = try await rows(#"{"columns":["PERM_ID","REFCON"],"rows":[["a","x\ud83dy"]]}"#)
    #expect(rows.map(\.refcon) == ["x\u{FFFD}y"])
    #expect(summary.warnings.map(\.code) == ["openbis.text-replaced"])
  }

  @Test(arguments: [
    ("TRUE", true), ("true", true), ("True", true), ("1", true), ("false", false), ("0", false), ("yes", false),
    ("", false), ("11", false), ("true ", false),
  ])
  func `case 44: only true and 1 delete`(cell: String, isDeleted: Bool) async throws {
    #expect(try await row(["DELETED": cell, "SUMMARY": "x"]).isDeleted == isDeleted)
  }

  @Test func `case 44: a row that deletes sets nothing else`() async throws {
    let row = try await row(["DELETED": "true", "SUMMARY": "", "ROOT_LEVEL": "", "CHILDREN": "", "REFCON": ""])
    var expected = EntityRow("id")
    expected.isDeleted = true
    #expect(row == expected)
  }

  @Test(arguments: [
    ("true", true), ("x", true), ("1", true), ("false", false), ("FALSE", false), ("0", false), ("", false),
  ])
  func `case 45: a root level of false or 0 is not a root`(cell: String, isRoot: Bool) async throws {
    #expect(try await row(["ROOT_LEVEL": cell]).isRootLevel == isRoot)
  }

  @Test func `case 58: NUL does not end a text`() async throws {
    let (rows, _) = try await rows(#"{"columns":["PERM_ID","SUMMARY"],"rows":[["a\u0000b","c\u0000d"]]}"#)
    #expect(rows.map(\.permID) == ["a\0b"] && rows.map(\.summary) == ["c\0d"])
  }

  /// The number of pieces of a large table, of 0.4 MB each; together they exceed the system's buffers of a connection,
  /// of 36 MB or more.
  private static let pieces = 200

  @Test func `case 18: a large table arrives in batches, and the server waits until they are read`() async throws {
    let rows = Array(
      (0..<1000).map { #"[{"value":"ID-\#($0)"},"\#(String(repeating: "s", count: 400))"]"# }
        .joined(separator: ",").utf8)
    let sent = Mutexed(0)
    let lab = try LabFixture { call in
      if call.method == "ping" { return .result("1") }
      return .response(
        ServerResponse(
          200,
          .stream(length: nil) { body in
            try await body.write(Array(#"{"id":\#(call.id),"result":{"columns":["PERM_ID","SUMMARY"],"rows":["#.utf8))
            for number in 1...Self.pieces {
              try await body.write(rows + Array((number < Self.pieces ? "," : "]}}").utf8))
              sent.withLock { $0 = number }
            }
          }))
    }
    let session = RPCSession(lab.connection(), user: "u", key: .none, token: Secret("token-1"))
    let channel = RowChannel(capacity: 2)
    let service = TableService(session, host: .v1, dataStore: "DSS1")
    let task = Task { try await service.rows(.navigation, into: channel) }
    while !channel.isFull { await Task.yield() }
    // The thread of all transfers has time to receive the whole table, but does not.
    for _ in 0..<100 { _ = try await session.callForValue(RPCCall(interface: .query, method: "ping")) }
    #expect(sent.value < Self.pieces)
    let (count, largest) = try await onThread {
      var (count, largest) = (0, 0)
      while let batch = try channel.next() { (count, largest) = (count + batch.count, max(largest, batch.count)) }
      return (count, largest)
    }
    #expect(count == 1000 * Self.pieces && largest <= 512)
    #expect(try await task.value.rowCount == 1000 * Self.pieces)
  }

  @Test func `case 12: a table that ends within a row is discarded`() async throws {
    let body = Array(#"{"jsonrpc":"2.0","id":1,"result":{"columns":["PERM_ID"],"rows":[["a"],["b"#.utf8)
    let lab = try LabFixture { _ in
      .response(ServerResponse(type: "application/json", body, fault: .overstated(by: 50)))
    }
    let session = RPCSession(lab.connection(), user: "u", key: .none, token: Secret("token-1"))
    let channel = RowChannel()
    let service = TableService(session, host: .v1, dataStore: "DSS1")
    let error = await errorOf { try await service.rows(.navigation, into: channel) }
    #expect(codeOf(error) == "net.cut-short")
    #expect(throws: RPCError.self) { try channel.next() }
  }

  @Test func `a consumer that stops reading rows ends the call`() async throws {
    let channel = RowChannel()
    channel.fail(CancellationError())
    let table = TableText.v1(["PERM_ID"], (0..<2000).map { ["\($0)"] })
    let service = TableService(CannedCaller(table, pieceInBytes: 5000), host: .v1, dataStore: "D")
    await #expect(throws: CancellationError.self) { try await service.rows(.navigation, into: channel) }
  }
}
