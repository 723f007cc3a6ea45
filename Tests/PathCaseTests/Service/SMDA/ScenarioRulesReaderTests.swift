import FoundationEssentials
import PluginAPI
import TestSupport
import Testing

@testable import PathCase

struct ScenarioRulesReaderTests {
  private func read(_ text: String) throws -> ScenarioRules { try ScenarioRulesReader.read(Array(text.utf8)) }

  private func reason(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return (error as? any ReportableError)?.report.message
    }
  }

  @Test func `the bundled rules file contains the default rules`() throws {
    let path = Checkout.root.path + "/Plugins/PathCase/Resources/smda/rules.json"
    #expect(try ScenarioRulesReader.read(try NetworkFile.bytes(path)) == ScenarioRules())
  }

  @Test func `rules, labels and triggers are read, and missing ones have defaults`() throws {
    let rules = try read(
      #"{"labels": ["U","A","C","S"], "rules": {"R2": false, "R0": true}, "triggers": {"inhibitor": "S"}}"#)
    #expect(rules.levels == 4 && !rules.blocksFullOutputs && rules.accumulatedNeedsProducer)
    #expect(rules.inhibitorTrigger == .severelyAccumulated && rules.inputTrigger == .available)
    #expect(try read("{}") == ScenarioRules())
    for rule in ScenarioRules.switchable {
      #expect(try read(#"{"rules": {"R\#(rule.rawValue)": false}}"#)[rule] == false)
    }
  }

  @Test func `an error states its position`() {
    #expect(reason("[]") == "the rules cannot be read: it is not an object with labels, rules or triggers")
    #expect(
      reason(#"{"rules": {"R9": true}}"#)?.contains("rules.R9: it is not a rule that can be turned on or off") == true)
    #expect(reason(#"{"rules": {"R10": true}}"#)?.contains("rules.R10") == true)
    #expect(reason(#"{"rules": {"R5": false}}"#)?.contains("cannot be turned off") == true)
    #expect(reason(#"{"rules": {"R1": 1}}"#)?.contains("neither true nor false") == true)
    #expect(reason(#"{"labels": ["U","C","A"]}"#)?.contains("labels") == true)
    #expect(reason(#"{"triggers": {"inhibitor": "S"}}"#)?.contains("'S' is not a level") == true)
    #expect(reason(#"{"triggers": {"input": "U"}}"#)?.contains("triggers.input") == true)
    #expect(reason(#"{"triggers": {"product": "A"}}"#)?.contains("triggers.product") == true)
    #expect(reason("{")?.contains("not JSON") == true)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `disabling a rule never reduces the number of scenarios`() throws {
    let network = try ScenarioTruth.example("t07_glycolysis_gng.json").network
    let usual = try ScenarioAnalysis(network.applying(ScenarioRules())).count
    #expect(usual == 16)
    var more: [ScenarioRule] = []
    for rule in ScenarioRules.switchable {
      var rules = ScenarioRules()
      rules[rule] = false
      let count = try ScenarioAnalysis(network.applying(rules)).count
      #expect(count >= usual)
      if count > usual { more.append(rule) }
    }
    #expect(more == [.inhibitors, .steadyState, .product, .accumulation])
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `explicit triggers are kept, and others follow the rules`() throws {
    let network = try ScenarioTruth.example("t13_four_labels.json").network
    var rules = network.rules
    #expect(network.applying(rules) == network)
    rules.inputTrigger = .accumulated
    #expect(network.applying(rules).processes.allSatisfy { $0.inputs.allSatisfy { $0.trigger == .accumulated } })
    #expect(network.applying(rules).processes[0].inhibitors.first?.trigger == .accumulated)
    let three = network.applying(ScenarioRules())
    #expect(three.rules.levels == 3 && three.pools.first { $0.id == "pyr" }?.observed == .accumulated)
  }
}
