import PluginAPI

/// The conditions under which a fault occurs, and its strength.
struct SimulatorFaultRule: Sendable, Hashable {
  var fault: SimulatorFault
  /// The affected operations; nil for those the fault makes sense for.
  var operation: SensorOperation?
  /// The first and last call that meet it, counted from 1 for each sensor, and for each operation if one is named.
  var calls = 1...Int.max
  /// The number of the sensor, from 1; nil for all.
  var sensor: Int?
  /// The percentage of calls in which it occurs, by the seed.
  var percent = 100
  /// The total number of occurrences; nil for no limit.
  var times: Int?
  /// The fault's argument: milliseconds, a status or an address.
  var value: String?

  init(
    _ fault: SimulatorFault, on operation: SensorOperation? = nil, calls: ClosedRange<Int> = 1...Int.max,
    sensor: Int? = nil, percent: Int = 100, times: Int? = nil, value: String? = nil
  ) {
    (self.fault, self.operation, self.calls, self.sensor) = (fault, operation, calls, sensor)
    (self.percent, self.times, self.value) = (percent, times, value)
  }

  /// Creates a fault of one call, counted from 1.
  init(_ fault: SimulatorFault, on operation: SensorOperation, call: Int, sensor: Int? = nil, value: String? = nil) {
    self.init(fault, on: operation, calls: call...call, sensor: sensor, value: value)
  }

  /// Reads `NAME[@OPERATION][#CALL[-[CALL]]][:SENSOR][~PERCENT][+TIMES][=VALUE]`.
  init(parsing text: String) throws(SimulatorError) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var parts: [(mark: Character, text: String)] = [(" ", "")]
    for character in halves.first ?? "" {
      if "@#:~+".contains(character) {
        parts.append((character, ""))
      } else {
        parts[parts.count - 1].text.append(character)
      }
    }
    let name = parts.removeFirst().text
    guard let fault = SimulatorFault(rawValue: name) else {
      throw .unknownFault(name, nearest: Suggestion.nearest(to: name, in: SimulatorFault.allCases.map(\.rawValue)))
    }
    self.init(fault, value: halves.count == 2 ? String(halves[1]) : nil)
    for part in parts { try take(part.mark, part.text, of: text) }
  }

  private mutating func take(_ mark: Character, _ part: String, of rule: String) throws(SimulatorError) {
    switch mark {
    case "@":
      operation = SensorOperation.allCases.first { $0.rawValue.lowercased() == part.lowercased() }
      if operation == nil {
        let nearest = Suggestion.nearest(to: part, in: SensorOperation.allCases.map(\.rawValue))
        let hint = nearest.map { "; the nearest is '\($0)'" } ?? ""
        throw .badFaultRule(rule, reason: "there is no operation '\(part)'\(hint)")
      }
    case "#":
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard let first = Int(ends.first ?? ""), first >= 1, ends.count <= 2 else {
        throw .badFaultRule(rule, reason: "'\(part)' is no number of a call")
      }
      let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Int(ends[1]) ?? 0
      guard last >= first else { throw .badFaultRule(rule, reason: "'\(part)' is no range of calls") }
      calls = first...last
    default:
      guard let number = Int(part), number >= 0, mark != "~" || number <= 100 else {
        throw .badFaultRule(rule, reason: "'\(part)' is no number")
      }
      if mark == ":" { sensor = number } else if mark == "~" { percent = number } else { times = number }
    }
  }

  /// The rule as ``init(parsing:)`` reads it.
  var text: String {
    var text = fault.rawValue
    if let operation { text += "@\(operation.rawValue)" }
    if calls.upperBound < Int.max {
      text += calls.count == 1 ? "#\(calls.lowerBound)" : "#\(calls.lowerBound)-\(calls.upperBound)"
    } else if calls.lowerBound > 1 {
      text += "#\(calls.lowerBound)-"
    }
    if let sensor { text += ":\(sensor)" }
    if percent < 100 { text += "~\(percent)" }
    if let times { text += "+\(times)" }
    return text + (value.map { "=\($0)" } ?? "")
  }

  /// Parses a script: one rule per line, or several separated by ';'; '//' begins a comment.
  static func script(_ text: String) throws(SimulatorError) -> [SimulatorFaultRule] {
    var rules: [SimulatorFaultRule] = []
    for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == ";" }) {
      let rule = line.filter { !$0.isWhitespace }
      if !rule.isEmpty, !rule.hasPrefix("//") { rules.append(try SimulatorFaultRule(parsing: rule)) }
    }
    return rules
  }

  /// Returns the value as a number, or the default if there is none.
  func number(_ usual: Int) -> Int { value.flatMap(Int.init) ?? usual }
}
