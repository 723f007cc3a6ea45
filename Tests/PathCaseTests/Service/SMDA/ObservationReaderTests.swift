import PluginAPI
import Testing

@testable import PathCase

struct ObservationReaderTests {
  private func rows(_ text: String) throws -> [ObservationRow] { try ObservationReader.read(Array(text.utf8)) }

  private var network: ScenarioNetwork {
    var network = ScenarioNetwork()
    network.pools = ["a", "b", "c", "d"].map { ScenarioPool(id: $0) }
    return network
  }

  private let range = BiofluidRange(
    pool: "a", unavailableBelow: 1, accumulatedAbove: 5, severeAbove: 10, unit: "mmol/L")

  /// Returns the letters of the levels observed at `a` for a given value.
  private func letters(_ value: String, levels: Int = 4) throws -> String? {
    var network = network
    network.rules.levels = levels
    return try network.observing(rows("pool,value,unit\na,\(value),mmol/L"), ranges: [range]).pools[0].observed?.letters
  }

  private func code(_ text: String) -> String? {
    do {
      _ = try network.observing(rows(text), ranges: [range])
      return nil
    } catch let error as ErrorReport {
      return error.code
    } catch {
      return "other"
    }
  }

  @Test func `labels in CSV and JSON are read equally`() throws {
    let table = try network.observing(rows("Pool;Label\r\n# a note\r\n\"a\"; C\r\nb;U|A\r\n\r\nc;\r\n"))
    let list = try network.observing(
      rows(#"[{"pool": "a", "label": "C"}, {"pool": "b", "label": ["U", "A"]}, {"pool": "c", "label": null}]"#))
    #expect(table == list)
    #expect(table.pools.map { $0.observed?.letters } == ["C", "UA", nil, nil])
    #expect(
      try network.observing(rows(#"{"observations": [{"pool": "b", "label": "U|A"}]}"#)).pools[1].observed?.letters
        == "UA")
  }

  @Test func `a value at a threshold has the level nearer to normal`() throws {
    #expect(
      try ["0.5", "1", "5", "5.01", "10", "10.5", "-3"].map { try letters($0) } == ["U", "A", "A", "C", "C", "S", "U"])
    #expect(try letters("12", levels: 3) == "C")
  }

  @Test func `intervals give all levels they overlap, and values below detection are unavailable`() throws {
    #expect(try letters("0.5..7") == "UAC" && letters("6..20") == "CS" && letters("6..20", levels: 3) == "C")
    #expect(try letters("<LOD") == "U" && letters("< 0.1") == "U" && letters("nd") == "U")
    #expect(try letters("") == nil && letters("NA") == nil)
    let list = try rows(#"[{"pool": "a", "value": [0.5, 7]}, {"pool": "a", "value": "0.5..7", "unit": "mmol/L"}]"#)
    #expect(try network.observing(list, ranges: [range]).pools[0].observed?.letters == "UAC")
  }

  @Test func `a value below a limit gives each level below it`() throws {
    // The pool is unavailable below 1 and accumulated above 5.
    #expect(try letters("<1") == "U" && letters("<1.5") == "UA" && letters("< 5") == "UA" && letters("<7") == "UAC")
    #expect(try letters("<20", levels: 3) == "UAC" && letters("<0") == "U" && letters("<-1") == "U")
    // Without thresholds, or without the lower one, nothing else is known about it.
    #expect(try network.observing(rows("pool,value\nb,<3")).pools[1].observed?.letters == "U")
    #expect(
      try network.observing(rows("pool,value,accumulated_above\nb,<3,2")).pools[1].observed?.letters == "UAC")
    #expect(code("pool,value,unit\na,<3,g/L") == "pathcase.smda-unit")
  }

  @Test func `a pool may be named without its SBML prefix`() throws {
    var network = network
    network.pools[0].id = "M_a"
    let observed = try network.observing(
      rows("pool,value\na,7"), ranges: [BiofluidRange(pool: "M_a", accumulatedAbove: 5)])
    #expect(observed.pools[0].observed?.letters == "C")
    #expect(throws: ErrorReport.self) { try network.observing(rows("pool,label\na,A\nM_a,C")) }
  }

  @Test func `a row with both a label and a value is refused in any format`() {
    for text in ["pool,label,value\na,A,3", #"[{"pool": "a", "label": "A", "value": 3}]"#] {
      #expect(throws: ScenarioFileError.self) { try rows(text) }
    }
    #expect(code(#"[{"pool": "a", "label": "A", "value": null}]"#) == nil)
  }

  @Test func `thresholds may be given in the row`() throws {
    let header = "pool,value,unavailable_below,accumulated_above,severe_above\n"
    #expect(try network.observing(rows(header + "b,3,1,2,9")).pools[1].observed?.letters == "C")
    #expect(code(header + "b,3,4,2,9") == "pathcase.smda-thresholds")
    #expect(code(header + "b,3,,4,2") == "pathcase.smda-thresholds")
    let object = #"[{"pool": "b", "value": 0, "unavailable_below": 1}]"#
    #expect(try network.observing(rows(object)).pools[1].observed?.letters == "U")
  }

  @Test func `each error in a row has its code and names the row`() {
    #expect(code("pool,label\nx,A") == "pathcase.smda-unknown-pool")
    #expect(code("pool,label\na,A\nb,A\na,C") == "pathcase.smda-two-levels")
    #expect(code("pool,label\na,A\na,A") == nil)
    #expect(code("pool,label\na,S") == "pathcase.smda-unknown-level")
    #expect(code("pool,label\na,A|") == "pathcase.smda-unknown-level")
    #expect(code("pool,value\nb,3") == "pathcase.smda-no-thresholds")
    #expect(code("pool,value,unit\na,3,mg/dL") == "pathcase.smda-unit")
    #expect(code("pool,value\na,7..3") == "pathcase.smda-interval")
    let error = #expect(throws: ErrorReport.self) { try network.observing(rows("pool,label\na,A\n\na,C")) }
    #expect(error?.report.message == "line 4 cannot be used: pool 'a' is C here but A at line 2")
  }

  @Test(arguments: [
    "", "pool\na", "name,label\na,A", "pool,value\na,nan", "pool,value\na,0x10", "pool,value\na,1e400",
    "pool,value\na,2;5", "pool,value\na,1,2", "pool,label\n,A", "pool,label\n\"a,A", "pool,label,value\na,A,3",
    #"[{"pool": "a", "value": true}]"#, #"[{"pool": "a", "value": [1]}]"#, #"[{"pool": "a", "label": []}]"#,
    #"[{"label": "A"}]"#, #"{"pools": []}"#, "[1]", "[", #"[{"pool": "a", "value": 1e400}]"#,
  ])
  func `a file without a list of observations is refused`(text: String) {
    let error = #expect(throws: ScenarioFileError.self) { try rows(text) }
    #expect(error?.report.code == "pathcase.smda-observations")
  }

  @Test func `bytes that are not text are refused, and a byte order mark is accepted`() throws {
    #expect(throws: ScenarioFileError.self) { try ObservationReader.read([0x70, 0xFF, 0x0A]) }
    #expect(try ObservationReader.read([0xEF, 0xBB, 0xBF] + Array("pool,label\na,A".utf8)).count == 1)
  }
}
