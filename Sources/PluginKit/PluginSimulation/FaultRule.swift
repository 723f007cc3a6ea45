public import PluginAPI

/// A fault that a simulator can produce, identified by its name in fault scripts.
public protocol SimulatedFault: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
  /// The effect in one line, for the list of faults.
  var summary: String { get }

  /// The operations that rules may name; nil for any text, which the simulator checks.
  static var operations: [String]? { get }
  /// The marks that rules of the fault may contain; a rule with another one would never apply. `x2` counts as `+2`.
  var marks: String { get }
}

extension SimulatedFault {
  public static var operations: [String]? { nil }
  public var marks: String { "@#~+" }

  /// Returns the faults with their effects, one per line.
  ///
  /// - Parameter column: The column at which the effects begin, from 0.
  public static func list(column: Int) -> [String] {
    allCases.map { fault in
      let blanks = max(1, column - fault.rawValue.utf8.count)
      return fault.rawValue + String(repeating: " ", count: blanks) + fault.summary
    }
  }
}

/// The conditions under which a simulator produces a fault, and its strength.
///
/// Its text is `NAME[@OPERATION][#CALL[-[CALL]]][:INSTANCE][~PERCENT][+TIMES][=VALUE]`, as in `hang@capture#2`. `@7` is
/// short for `#7`, and `x2` at the end for `+2`.
public struct FaultRule<Fault: SimulatedFault>: Sendable, Hashable {
  public var fault: Fault
  /// The operation, method or document that meets it; nil for those the fault is meant for.
  public var operation: String?
  /// The first and last call that meet it, counted from 1.
  public var calls: ClosedRange<Int>
  /// The number of the instance, such as a sensor, from 1; nil for all.
  public var instance: Int?
  /// The percentage of calls in which it occurs.
  public var percent: Int
  /// The total number of occurrences; nil for no limit.
  public var times: Int?
  /// The fault's argument: milliseconds, a status or an address.
  public var value: String?

  /// Creates a rule; without arguments, one that all calls meet.
  public init(
    _ fault: Fault, on operation: String? = nil, calls: ClosedRange<Int> = 1...Int.max, instance: Int? = nil,
    percent: Int = 100, times: Int? = nil, value: String? = nil
  ) {
    (self.fault, self.operation, self.calls, self.instance) = (fault, operation, calls, instance)
    (self.percent, self.times, self.value) = (percent, times, value)
  }

  /// A Boolean value indicating whether the rule is limited to certain calls by their numbers.
  public var hasCallNumbers: Bool { calls != 1...Int.max }

  /// Returns the value as a number, or the default if there is none.
  public func number(_ usual: Int) -> Int { value.flatMap(Int.init) ?? usual }
}

// MARK: Text

/// The reason a fault script cannot be read.
@frozen
public enum FaultScriptError: Error, Hashable {
  case unknownFault(String, nearest: String?)
  /// A part of a rule cannot be read.
  case badRule(String, reason: String)

  /// Returns the report of the error.
  ///
  /// - Parameters:
  ///   - unknownFault: The declaration of a simulator's error for an unknown name.
  ///   - badRule: The declaration for a rule that cannot be read.
  ///   - syntax: The syntax of rules, as the advice shows it.
  public func report(unknownFault: DeclaredError, badRule: DeclaredError, syntax: String) -> ErrorReport {
    switch self {
    case .unknownFault(let name, let nearest):
      unknownFault(
        "there is no fault '\(name)'",
        advice: (nearest.map { "the nearest is '\($0)'; " } ?? "") + "'--fault list' shows all")
    case .badRule(let rule, let reason):
      badRule("the fault '\(rule)' cannot be read: \(reason)", advice: "write it as \(syntax)")
    }
  }
}

extension FaultRule {
  /// Parses a script: one rule per line, or several separated by ';'.
  ///
  /// White space is ignored, and '//' begins a line of comment.
  public static func script(_ text: String) throws(FaultScriptError) -> [FaultRule] {
    var rules: [FaultRule] = []
    for line in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      let rule = line.filter { !$0.isWhitespace }
      if !rule.isEmpty, !rule.hasPrefix("//") { rules.append(try FaultRule(parsing: rule)) }
    }
    return rules
  }

  /// Parses the text of one rule.
  public init(parsing text: String) throws(FaultScriptError) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var parts: [(mark: Character, text: String)] = [(" ", "")]
    for character in halves.first ?? "" {
      if "@#:~+".contains(character) {
        parts.append((character, ""))
      } else {
        parts[parts.count - 1].text.append(character)
      }
    }
    let last = parts.count - 1
    if let count = Self.removeTimes(&parts[last].text) { parts.append(("+", count)) }
    let name = parts.removeFirst().text
    guard let fault = Fault(rawValue: name) else {
      throw .unknownFault(name, nearest: Suggestion.nearest(to: name, in: Fault.allCases.map(\.rawValue)))
    }
    self.init(fault, value: halves.count == 2 ? String(halves[1]) : nil)
    if halves.count == 2, !fault.marks.contains("=") {
      throw .badRule(text, reason: "the fault '\(name)' has no value")
    }
    for part in parts { try read(part.mark, part.text, of: text) }
  }

  /// Removes the `x2` from the end of a text and returns the number's digits; nil if there is none.
  private static func removeTimes(_ text: inout String) -> String? {
    guard let cross = text.lastIndex(of: "x") else { return nil }
    let digits = text[text.index(after: cross)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    defer { text.removeSubrange(cross...) }
    return String(digits)
  }

  private mutating func read(_ mark: Character, _ part: String, of rule: String) throws(FaultScriptError) {
    guard fault.marks.contains(mark) else {
      let name = fault.rawValue
      throw .badRule(
        rule,
        reason: fault.marks.isEmpty
          ? "the fault '\(name)' has no conditions" : "rules of the fault '\(name)' do not have '\(mark)'")
    }
    switch mark {
    case "@" where !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }:
      calls = try Self.calls(part, of: rule)
    case "@": operation = try Self.operation(part, of: rule)
    case "#": calls = try Self.calls(part, of: rule)
    default:
      guard let number = Int(part), number >= 0, mark != "~" || number <= 100 else {
        throw .badRule(rule, reason: "'\(part)' is not a number that '\(mark)' can have")
      }
      if mark == ":" { instance = number } else if mark == "~" { percent = number } else { times = number }
    }
  }

  private static func operation(_ name: String, of rule: String) throws(FaultScriptError) -> String {
    guard let all = Fault.operations else {
      if name.isEmpty { throw .badRule(rule, reason: "a name is missing after '@'") }
      return name
    }
    if let operation = all.first(where: { $0.lowercased() == name.lowercased() }) { return operation }
    let hint = Suggestion.nearest(to: name, in: all).map { "; the nearest is '\($0)'" } ?? ""
    throw .badRule(rule, reason: "there is no operation '\(name)'\(hint)")
  }

  private static func calls(_ part: String, of rule: String) throws(FaultScriptError) -> ClosedRange<Int> {
    let ends = part.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = Int(ends.first ?? ""), first >= 1, ends.count <= 2 else {
      throw .badRule(rule, reason: "'\(part)' is not the number of a call")
    }
    let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Int(ends[1]) ?? 0
    guard last >= first else { throw .badRule(rule, reason: "'\(part)' is not a range of calls") }
    return first...last
  }

  /// The rule as ``init(parsing:)`` reads it.
  public var text: String {
    var text = fault.rawValue
    if let operation { text += "@\(operation)" }
    if calls.upperBound < Int.max {
      text += calls.count == 1 ? "#\(calls.lowerBound)" : "#\(calls.lowerBound)-\(calls.upperBound)"
    } else if calls.lowerBound > 1 {
      text += "#\(calls.lowerBound)-"
    }
    if let instance { text += ":\(instance)" }
    if percent < 100 { text += "~\(percent)" }
    if let times { text += "+\(times)" }
    return text + (value.map { "=\($0)" } ?? "")
  }
}

extension [String] {
  /// Reads the values of an option for faults, each a script.
  public func faultRules<Fault: SimulatedFault>(
    of type: Fault.Type = Fault.self
  ) throws(FaultScriptError) -> [FaultRule<Fault>] {
    var rules: [FaultRule<Fault>] = []
    for text in self { rules += try FaultRule<Fault>.script(text) }
    return rules
  }
}
