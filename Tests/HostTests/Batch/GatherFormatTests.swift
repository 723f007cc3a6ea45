import PluginAPI
import Testing

@testable import Host

struct GatherFormatTests {
  /// Returns the gathered results of a run.
  private static func gathered(_ run: BatchFolder, _ format: GatherFormat, schema: ValueSchema = .any) throws -> String
  {
    String(decoding: try bytes(run, format, schema: schema), as: UTF8.self)
  }

  private static func bytes(_ run: BatchFolder, _ format: GatherFormat, schema: ValueSchema = .any) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let records = try RunRecords(of: run.folder, run.plan, SilentProgress())
    try format.write(records, schema: schema, SilentProgress()) { bytes += $0 }
    return bytes
  }

  @Test func `Arrow has the columns of CSV, with types that hold the values of all items`() throws {
    let run = try BatchFolder(itemCount: 3)
    try run.log(
      "a",
      [
        BatchFolder.value(1, ["n": 1, "t": "x"]), BatchFolder.value(2, ["n": 2.5, "t": nil]),
        BatchFolder.error(3, ErrorReport(code: "sample.no-rock", kind: .notFound, "no rock")),
      ])
    let document = try ArrowDocument(try Self.bytes(run, .arrow))
    let names = ["item", "item.id", "n", "t", "error.code", "error.message"]
    #expect(document.fields.map(\.name) == names && document.hasEnd)
    #expect(document.fields.map(\.type) == ["Int64", "Utf8", "Float64", "Utf8", "Utf8", "Utf8"])
    #expect(document["item"] == [1, 2, 3] && document["item.id"] == ["a", "b", "c"])
    #expect(document["n"] == [.number(1), 2.5, nil] && document["t"] == ["x", nil, nil])
    #expect(document["error.code"] == [nil, nil, "sample.no-rock"])
  }

  @Test func `global options choose the format`() {
    let formats: [(GlobalOptions.Format, GatherFormat)] = [
      (.text, .jsonLines), (.json, .jsonLines), (.jsonLines, .jsonLines), (.csv, .csv), (.tsv, .tsv), (.arrow, .arrow),
    ]
    for (option, format) in formats { #expect(GatherFormat(option) == format) }
  }

  @Test func `records are in item order, without data about the attempt`() throws {
    let run = try BatchFolder(itemCount: 3, shardCount: 2)
    try run.log(shard: 1, "a", [BatchFolder.value(3, "z\",\"run\":{", milliseconds: 7), BatchFolder.value(1, "x")])
    try run.log(shard: 2, "a", [BatchFolder.value(2, .list([1, .null]))])
    #expect(
      try Self.gathered(run, .jsonLines) == #"""
        {"item":1,"id":"a","value":"x","diagnostics":[]}
        {"item":2,"id":"b","value":[1,null],"diagnostics":[]}
        {"item":3,"id":"c","value":"z\",\"run\":{","diagnostics":[]}

        """#)
  }

  @Test func `CSV and TSV have the columns of all items, error columns last`() throws {
    let run = try BatchFolder(itemCount: 5)
    let table = Value.table(Table(columns: [.init("id", .texts(["p", "q"])), .init("n", .integers([1, 2]))]))
    try run.log(
      "a",
      [
        BatchFolder.value(1, ["rows": table, "count": 2]),
        BatchFolder.error(2, ErrorReport(code: "sample.no-rock", kind: .notFound, "no rock, \"none\"")),
        BatchFolder.value(3, .list([["m": 1.5]])), BatchFolder.value(4, "text"), BatchFolder.value(5, ["n": 9]),
      ])
    #expect(
      try Self.gathered(run, .csv) == """
        item,item.id,id,n,m,value,error.code,error.message\r
        1,a,p,1,,,,\r
        1,a,q,2,,,,\r
        2,b,,,,,sample.no-rock,"no rock, ""none""\"\r
        3,c,,,1.5,,,\r
        4,d,,,,text,,\r
        5,e,,9,,,,\r

        """)
    #expect(
      try Self.gathered(run, .tsv).hasPrefix("item\titem.id\tid\tn\tm\tvalue\terror.code\terror.message\n1\ta\tp\t1"))
  }

  @Test func `a map of numbers becomes rows`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log(
      "a",
      [
        BatchFolder.value(1, ["status": "optimal", "fluxes": ["R1": 1.5, "R2": -2]]),
        BatchFolder.value(2, ["status": "infeasible", "fluxes": .record(Record())]),
      ])
    let schema = ValueSchema.record([.init("status", .text), .init("fluxes", .map(.number))])
    #expect(
      try Self.gathered(run, .csv, schema: schema) == "item,item.id,id,fluxes\r\n1,a,R1,1.5\r\n1,a,R2,-2\r\n2,b,,\r\n")
  }

  @Test func `a record's declared table provides its rows, even if empty`() throws {
    let run = try BatchFolder(itemCount: 3)
    try run.log(
      "a",
      [
        BatchFolder.value(1, ["chains": .record(Record()), "residues": .list([])]),
        BatchFolder.value(2, ["chains": ["A": "H"], "residues": .list([["chain": "A", "number": 1]])]),
        BatchFolder.value(3, ["chains": .list([["id": "A"]]), "residues": .null]),
      ])
    let residues = ValueSchema.table([.init("chain", .text), .init("number", .integer)])
    let schema = ValueSchema.record([.init("chains", .map(.text)), .init("residues", .optional(residues))])
    #expect(
      try Self.gathered(run, .csv, schema: schema)
        == "item,item.id,chain,number\r\n1,a,,\r\n2,b,A,1\r\n3,c,,\r\n")
  }

  @Test func `declared columns appear without rows, and other columns follow`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log("a", [BatchFolder.value(1, .list([])), BatchFolder.value(2, .list([["b": 1, "c": 2]]))])
    #expect(
      try Self.gathered(run, .csv, schema: .list(.record([.init("a", .text), .init("b", .integer)])))
        == "item,item.id,a,b,c\r\n1,a,,,\r\n2,b,,1,2\r\n")
    #expect(
      try Self.gathered(run, .csv, schema: .record([.init("n", .integer)])).hasPrefix("item,item.id,n,"))
  }

  @Test func `an item with an empty list has one row`() throws {
    let run = try BatchFolder(itemCount: 2)
    try run.log("a", [BatchFolder.value(1, .list([["n": 1]])), BatchFolder.value(2, .list([]))])
    #expect(try Self.gathered(run, .csv) == "item,item.id,n\r\n1,a,1\r\n2,b,\r\n")
  }

  @Test func `failed items are listed in order and filtered by code`() throws {
    let run = try BatchFolder(itemCount: 3, shardCount: 3)
    for item in 1...3 {
      let code = item == 2 ? "sample.other" : "sample.no-rock"
      try run.log(
        shard: item, "a", [BatchFolder.error(item, ErrorReport(code: code, kind: .notFound, "there is no rock"))])
    }
    let all = try FailedItem.all(of: run.folder, code: nil, SilentProgress())
    #expect(all.map(\.item) == [1, 2, 3] && all[1].code == "sample.other" && all[0].id == "a")
    #expect(try FailedItem.all(of: run.folder, code: "sample.no-rock", SilentProgress()).map(\.item) == [1, 3])
  }

  @MainActor @Test(arguments: [("format", "csv"), ("format", "jsonl"), ("output", "results.jsonl")])
  func `gathering into a database accepts neither a format nor a file`(option: String, value: String) async throws {
    let run = try CommandLineRun()
    let folder = run.home + "/run"
    try await run("batch", "plan", folder, "--from", "sample list", "--", "sample", "info", "{name}")
    let error = await run.error(
      "batch", "gather", folder, "--into", "postgresql://ada@127.0.0.1:1/lab", "--\(option)", value)
    #expect(error?.code == "host.unfitting-argument" && error?.exitStatus == 2)
    #expect(error?.message == "'--\(option)' and '--into' exclude each other")
  }

  @Test func `a written plan is read back, and invalid plans are refused`() throws {
    let run = try BatchFolder(itemCount: 2)
    #expect(try RunPlan(reading: run.folder) == run.plan)
    var (noItems, noShards) = (run.plan, run.plan)
    noItems.itemCount = 0
    noShards.shardCount = 0
    for value in [Value.record(Record()), noItems.value, noShards.value] {
      try HostFile.write(JSONWriter.bytes(of: value), to: run.folder.plan)
      let error = #expect(throws: ErrorReport.self) { try RunPlan(reading: run.folder) }
      #expect(error?.code == "batch.broken-run")
    }
    #expect(RunFolder("/runs/./dssp/").path == "/runs/dssp")
    let missing = #expect(throws: ErrorReport.self) { try RunPlan(reading: RunFolder("/nonexistent/run")) }
    #expect(missing?.exitStatus == 3)
  }
}
