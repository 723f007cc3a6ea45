import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

@Suite(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
struct ScenarioCommandTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  private func smda(_ name: String, _ more: [String: Value] = [:]) async throws -> Value {
    var arguments = Record()
    let folder = try #require(ScenarioTruth.folder)
    arguments["network"] = .text(folder.appendingPathComponent(name + ".json").path)
    for (field, value) in more { arguments[field] = value }
    return try await plugin().run("smda", arguments).value
  }

  private func texts(_ value: Value) -> [String] { value.list?.compactMap(\.text) ?? [] }

  private func write(_ text: String, _ name: String, _ folder: TemporaryFolder) throws -> String {
    try folder.write(Array(text.utf8), name).path
  }

  private func rendered(_ value: Value, isPlain: Bool = false) -> String {
    ScenarioRenderer().render(value, for: TextRequest(width: 78, isPlain: isPlain)).plainText
  }

  @Test func `the worked example is printed as a tree`() async throws {
    let value = try await smda("t07_glycolysis_gng", ["mode": "realizable", "marginals": true])
    #expect(value["count"] == "4" && value["mode"] == "realizable" && value["countedMode"] == "realizable")
    #expect(texts(value["mustForward"]) == ["G6Pase", "FBPase", "PEPCK"])
    #expect(texts(value["mustBackward"]) == ["PGI", "ALD", "TPI", "LOWER", "LDH"])
    #expect(value["marginals"].list?[3]["activeShare"] == .number(0.5))
    #expect(value["poolLevels"]["g6p"] == "C")
    let text = rendered(value)
    #expect(text.hasPrefix("t07_glycolysis_gng: 4 realizable scenarios\n├─ network: 12 processes, 10 pools\n"))
    #expect(text.contains("├─ observed: g6p C, lac A, accoa U"))
    #expect(text.contains("└─ never run: HK, PDH\n"))
    #expect(text.contains("4 of 16 scenarios that fit by signs can have balanced fluxes"))
    #expect(text.contains("also PFK +, PYK +") && text.contains("only those that always run"))
    #expect(rendered(value, isPlain: true).allSatisfy { $0.isASCII || $0 == "\u{202F}" })
  }

  @Test func `processes active in all shown scenarios are printed once`() async throws {
    let value = try await smda("t05_glycolysis_free", ["page-size": 3])
    let lines = rendered(value).split(separator: "\n").drop { $0 != "scenarios" }.dropFirst()
    let first = try #require(lines.first)
    #expect(first.hasPrefix("├─ in all shown: HK +, "), "\(rendered(value))")
    #expect(!lines.dropFirst().contains { $0.contains("HK") })
    #expect(lines.contains { $0.contains("1: also ") || $0.contains("1: nothing else") })
  }

  @Test func `a page deep in trillions of scenarios is computed directly`() async throws {
    let value = try await smda("e1_e_coli_core_free", ["page": .integer(41_074_270_690), "page-size": 100])
    #expect(value["count"] == "4107427068928" && value["scenarios"].list?.count == 28)
    #expect(value["page"] == 41_074_270_690 && value["pageSize"] == 100)
    #expect(texts(value["scenarioNumbers"]).last == "4107427068928")
    #expect(rendered(value).contains("4\u{202F}107\u{202F}427\u{202F}068\u{202F}928 (10^12.6) necessary scenarios"))
  }

  @Test func `filters restrict the counted scenarios`() async throws {
    let name = "t05_glycolysis_free"
    #expect(try await smda(name, ["forward": .list(["HK"]), "idle": .list(["PDH"])])["mustForward"] == .list(["HK"]))
    #expect(texts(try await smda(name, ["backward": .list(["LDH"])])["mustBackward"]) == ["LDH"])
    let some = try await smda(name, ["active": .list(["HK"]), "at-most": 3])
    #expect(
      some["scenarios"].list?.allSatisfy { ($0.record?.fields ?? []).count { $0.value.text != "0" } <= 3 } == true)
    let simplest = try await smda(name, ["active": .list(["HK"]), "simplest": true])
    #expect(simplest["count"] == "1" && texts(simplest["mustActive"]) == ["HK", "G6Pase"])
    let sample = try await smda(name, ["sample": 5, "seed": 9])
    let again = try await smda(name, ["sample": 5, "seed": 9])
    #expect(sample["scenarios"].list?.count == 5 && sample == again)
    #expect(sample["page"] == .null && some["page"] == 1)
    let error = await #expect(throws: (any Error).self) { try await smda(name, ["active": .list(["HX"])]) }
    #expect((error as? any ReportableError)?.report.code == "pathcase.unknown-process")
  }

  @Test func `a contradiction is explained with the chain of rules`() async throws {
    let value = try await smda("t08_glycolysis_conflict")
    let conflicts = try #require(value["conflicts"].list)
    #expect(conflicts.count == 1 && Set(texts(conflicts[0]["observations"])) == ["fbp", "f6p"])
    #expect(texts(conflicts[0]["chain"]).count > 3 && conflicts[0]["isMinimal"] == true)
    let text = rendered(value)
    #expect(text.contains("there is no scenario with f6p = U and fbp = C together\n├─ 1. "))
    let strict = try await smda("t07_glycolysis_gng", ["mode": "strict"])
    #expect(rendered(strict).contains("scenarios would exist if these processes were inhibited"))
    #expect(!texts(strict["missingRegulation"]).isEmpty)
    let limited = try await smda("t07_glycolysis_gng", ["at-most": 2])
    #expect(limited["conflicts"].list?.first?["limitsActive"] == true)
    #expect(texts(limited["conflicts"].list?.first?["chain"] ?? .null).last?.contains("no more processes") == true)
  }

  @Test func `observations and rules are read from files`() async throws {
    let scratch = try TemporaryFolder()
    let observations = try write("pool,label\ng6p,C\nlac,A\naccoa,U\n", "seen.csv", scratch)
    let network = "t05_glycolysis_free"
    let seen = try await smda(network, ["observations": .text(observations)])
    #expect(seen["count"] == "16" && seen["observed"].list?.count == 3)
    let measured = try write(
      "pool,value,unit,unavailable_below,accumulated_above\ng6p,9,mM,1,5\nlac,2,mM,1,5\naccoa,<LOD,mM,1,5\n",
      "measured.csv", scratch)
    #expect(try await smda(network, ["observations": .text(measured)])["count"] == "16")
    let levels = try write("pool,level\ng6p,C\nlac,A\naccoa,U\n", "levels.csv", scratch)
    #expect(try await smda(network, ["observations": .text(levels)])["count"] == "16")
    let blood = try write("pool,value,unit\np-glc-blood,9.5,mM\n", "blood.csv", scratch)
    let plasma = try await plugin().run("smda", ["network": "w-glycolysis", "observations": .text(blood)]).value
    #expect(plasma["observed"].list?.first?["label"] == "C")
    let rules = try write(#"{"rules": {"R8": false}}"#, "rules.json", scratch)
    let loose = try await smda(network, ["observations": .text(observations), "rules": .text(rules)])
    #expect((BigUnsigned(loose["count"].text ?? "") ?? .zero) > 16)
    #expect(try await smda(network, ["labels": 4])["labels"] == "UACS")
    let wrong = try write("pool,label\ng6p,C\nlacx,A\n", "wrong.csv", scratch)
    let error = await #expect(throws: (any Error).self) {
      try await smda(network, ["observations": .text(wrong)])
    }
    #expect((error as? any ReportableError)?.report.message.contains(": line 3 ") == true)
  }

  @Test func `several pathways are analyzed together`() async throws {
    let plugin = try await plugin()
    let table = try #require(try await plugin.run(line: "list").value.table)
    let ids = (0..<2).compactMap { table.row($0)["id"]?.text }
    func count(_ word: String) async throws -> Int {
      try await plugin.run("smda", ["network": .text(word), "page-size": 0]).value["processes"].integer ?? 0
    }
    let both = try await count(ids.joined(separator: ","))
    let single = [try await count(ids[0]), try await count(ids[1])]
    #expect(both > single[0] && both > single[1])
    let off = try await plugin.run(
      "smda", ["network": .text(ids.joined(separator: ",")), "pathway-off": .list([.text(ids[0])])]
    ).value
    #expect((off["neverActive"].list?.count ?? 0) >= 2)
  }

  @Test func `rules are printed as an editable file`() async throws {
    let value = try await plugin().run(line: "rules").value
    #expect(value["rules"]["R8"] == true && value["triggers"]["inhibitor"] == "C")
    #expect(value["statements"]["R6"].text?.contains("produced if and only if") == true)
  }
}
