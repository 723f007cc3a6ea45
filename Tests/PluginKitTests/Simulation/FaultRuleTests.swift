import PluginAPI
import PluginSimulation
import Testing

/// A fault of a service with named operations, instances and values.
enum SampleFault: String, SimulatedFault {
  case hang
  case dropAfter = "drop-after"

  static let operations: [String]? = ["capture", "getInfo"]
  var marks: String { "@#:~+=" }
  var summary: String { "summary of \(rawValue)" }
}

/// A fault of a service whose calls are named by any text.
enum PlainFault: String, SimulatedFault {
  case stall
  case utf16 = "utf-16"
  case always

  var marks: String { self == .always ? "" : "@#~+" }
  var summary: String { "summary of \(rawValue)" }
}

struct FaultRuleTests {
  @Test(arguments: [
    ("hang", FaultRule<SampleFault>(.hang)),
    ("hang@capture", FaultRule(.hang, on: "capture")),
    ("hang@GETINFO#3", FaultRule(.hang, on: "getInfo", calls: 3...3)),
    ("hang#2-4", FaultRule(.hang, calls: 2...4)),
    ("hang#5-", FaultRule(.hang, calls: 5...Int.max)),
    ("hang@7", FaultRule(.hang, calls: 7...7)),
    ("hang@7-", FaultRule(.hang, calls: 7...Int.max)),
    ("hang@7x2", FaultRule(.hang, calls: 7...7, times: 2)),
    (
      "drop-after@capture#2-4:3~50+6=1=2",
      FaultRule(
        .dropAfter, on: "capture", calls: 2...4, instance: 3, percent: 50, times: 6, value: "1=2")
    ),
    ("hang=http://host:1/a@b#c", FaultRule(.hang, value: "http://host:1/a@b#c")),
    ("hang=x2", FaultRule(.hang, value: "x2")),
  ])
  func `a rule is parsed with all its parts`(_ text: String, _ rule: FaultRule<SampleFault>) throws {
    #expect(try FaultRule<SampleFault>(parsing: text) == rule)
    #expect(try FaultRule<SampleFault>(parsing: rule.text) == rule)
  }

  @Test(arguments: [
    ("stall@ROOTx3", FaultRule<PlainFault>(.stall, on: "ROOT", times: 3)),
    ("stall@layouts/w-1.xml", FaultRule(.stall, on: "layouts/w-1.xml")),
    ("stall@layouts/%40.xmlx1", FaultRule(.stall, on: "layouts/%40.xml", times: 1)),
    ("utf-16x2", FaultRule(.utf16, times: 2)),
  ])
  func `an operation is any text if the service does not list its operations`(
    _ text: String, _ rule: FaultRule<PlainFault>
  ) throws {
    #expect(try FaultRule<PlainFault>(parsing: text) == rule)
  }

  @Test(arguments: [
    "always@7", "always@capture", "always#2-", "always~50", "alwaysx2", "always+1", "stall:1", "stall=1",
  ])
  func `a condition that the fault does not support is refused, with the fault's name`(_ text: String) {
    let error = #expect(throws: FaultScriptError.self) { try FaultRule<PlainFault>(parsing: text) }
    guard case .badRule(let rule, let reason)? = error else {
      Issue.record("'\(text)' is not refused")
      return
    }
    #expect(rule == text && reason.contains("the fault '\(text.prefix(5) == "stall" ? "stall" : "always")'"))
  }

  @Test(arguments: [
    ("always@7", "the fault 'always' has no conditions"), ("alwaysx2", "the fault 'always' has no conditions"),
    ("stall:1", "rules of the fault 'stall' do not have ':'"), ("stall=1", "the fault 'stall' has no value"),
  ])
  func `a refused condition is named only as the user wrote it`(_ text: String, _ reason: String) {
    #expect(throws: FaultScriptError.badRule(text, reason: reason)) { try FaultRule<PlainFault>(parsing: text) }
  }

  @Test(arguments: ["hang@capturing", "hang@", "hang#0", "hang#x", "hang#5-2", "hang~101", "hang+many", "hang:-1"])
  func `a rule that cannot be parsed is refused with a reason`(_ text: String) {
    let error = #expect(throws: FaultScriptError.self) { try FaultRule<SampleFault>(parsing: text) }
    guard case .badRule(let rule, let reason)? = error else {
      Issue.record("'\(text)' is not refused")
      return
    }
    #expect(rule == text && !reason.isEmpty)
  }

  @Test(arguments: ["stall:2", "stall=5", "stall@"])
  func `rule syntax that a service does not support is refused`(_ text: String) {
    #expect(throws: FaultScriptError.self) { try FaultRule<PlainFault>(parsing: text) }
  }

  @Test func `an unknown fault is reported with the nearest name`() {
    #expect(throws: FaultScriptError.unknownFault("drop-afer", nearest: "drop-after")) {
      try FaultRule<SampleFault>(parsing: "drop-afer@capture")
    }
    let (unknown, bad) = (DeclaredError("a.unknown", .usage, "unknown"), DeclaredError("a.bad", .usage, "bad"))
    let report = FaultScriptError.unknownFault("hung", nearest: "hang")
      .report(unknownFault: unknown, badRule: bad, syntax: "NAME")
    #expect(report.code == "a.unknown" && report.message == "there is no fault 'hung'")
    #expect(report.advice == "the nearest is 'hang'; '--fault list' shows all")
  }

  @Test func `rules of a script are separated by line ends or semicolons`() throws {
    let script = "// two faults\nhang @ capture # 2; drop-after@getInfo\r\n\n  hang = slow\n"
    #expect(
      try FaultRule<SampleFault>.script(script) == [
        FaultRule(.hang, on: "capture", calls: 2...2), FaultRule(.dropAfter, on: "getInfo"),
        FaultRule(.hang, value: "slow"),
      ])
    #expect(try ["hang;hang#2", "drop-after"].faultRules(of: SampleFault.self).count == 3)
  }

  @Test func `faults are listed in two columns`() {
    #expect(SampleFault.list(column: 12) == ["hang        summary of hang", "drop-after  summary of drop-after"])
    #expect(SimulatorShell.faultList(["hang"], of: SampleFault.self, column: 12) == nil)
    #expect(SimulatorShell.faultList(["list"], of: SampleFault.self, column: 12)?.count == 2)
  }
}
