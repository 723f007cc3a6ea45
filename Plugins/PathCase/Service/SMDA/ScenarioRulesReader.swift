import PluginAPI
import PluginJSON

/// Reads rule sets of scenario analysis from JSON; settings that are not in the file keep their values.
///
/// ```json
/// {"labels": ["U", "A", "C"],
///  "rules": {"R1": true, "R2": true, "R3": true, "R4": true, "R6": true, "R7": true, "R8": true},
///  "triggers": {"input": "A", "activator": "A", "inhibitor": "C"}}
/// ```
/// Other fields are ignored.
enum ScenarioRulesReader {
  /// The maximum file size in bytes.
  private static let limitInBytes = 1 << 20

  /// Reads a rule set.
  ///
  /// - Parameter rules: The settings for fields that are not in the file.
  /// - Throws: ``ScenarioFileError``.
  static func read(_ bytes: [UInt8], onto rules: ScenarioRules = ScenarioRules()) throws(ScenarioFileError)
    -> ScenarioRules
  {
    let value: Value
    do {
      value = try Value(json: bytes, depth: 16, sizeInBytes: limitInBytes)
    } catch {
      throw fault("", "it is not JSON: \(error.report.message)")
    }
    guard let record = value.record else { throw fault("", "it is not an object with labels, rules or triggers") }
    var rules = rules
    if let labels = record["labels"] { rules.levels = try levels(labels) }
    if let switches = record["rules"] { try read(switches: switches, into: &rules) }
    if let triggers = record["triggers"] { try read(triggers: triggers, into: &rules) }
    for trigger in [rules.inputTrigger, rules.activatorTrigger, rules.inhibitorTrigger]
    where Int(trigger.rawValue) >= rules.levels {
      throw fault("triggers", "'\(trigger.letter)' is not a level", "it needs the labels U, A, C, S")
    }
    return rules
  }

  /// Returns the number of levels in a list of their letters, lowest first.
  ///
  /// - Parameter kind: The kind of file, for the error.
  static func levels(_ value: Value, kind: String = "rules") throws(ScenarioFileError) -> Int {
    let all = MetaboliteLevel.allCases.map { Value.text(String($0.letter)) }
    guard let given = value.list, given.count >= 3, given == Array(all.prefix(given.count)) else {
      throw ScenarioFileError(kind: kind, location: "labels", reason: "it must be U, A, C or U, A, C, S")
    }
    return given.count
  }

  private static func read(switches: Value, into rules: inout ScenarioRules) throws(ScenarioFileError) {
    guard let record = switches.record else { throw fault("rules", "it is not an object of rules that are on or off") }
    for field in record.fields {
      guard let isOn = field.value.bool else { throw fault("rules.\(field.name)", "it is neither true nor false") }
      let rule = ScenarioRule.allCases.first { "R\($0.rawValue)" == field.name }
      if let rule, ScenarioRules.switchable.contains(rule) {
        rules[rule] = isOn
      } else if rule == .observation || rule == .direction {
        guard isOn else { throw fault("rules.\(field.name)", "this rule cannot be turned off") }
      } else {
        let known = ScenarioRules.switchable.map { "R\($0.rawValue)" }.joined(separator: ", ")
        throw fault(
          "rules.\(field.name)", "it is not a rule that can be turned on or off",
          "use \(known); for R10 use '--mode strict'")
      }
    }
  }

  private static func read(triggers: Value, into rules: inout ScenarioRules) throws(ScenarioFileError) {
    guard let record = triggers.record else { throw fault("triggers", "it is not an object of levels") }
    for field in record.fields {
      guard let letter = field.value.text, let level = MetaboliteLevel(letter: letter), level > .unavailable else {
        throw fault("triggers.\(field.name)", "it is not a level above 'U'")
      }
      switch field.name {
      case "input": rules.inputTrigger = level
      case "activator": rules.activatorTrigger = level
      case "inhibitor": rules.inhibitorTrigger = level
      default:
        throw fault(
          "triggers.\(field.name)", "it is not a trigger", "use input, activator or inhibitor")
      }
    }
  }

  private static func fault(_ location: String, _ reason: String, _ advice: String? = nil) -> ScenarioFileError {
    ScenarioFileError(kind: "rules", location: location, reason: reason, advice: advice)
  }
}
