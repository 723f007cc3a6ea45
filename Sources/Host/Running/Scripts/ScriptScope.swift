import PluginAPI

/// The variables of a script, and the values of its words and conditions.
///
/// Scripts and the prompt evaluate everything here.
struct ScriptScope: Sendable {
  /// The variable with the last error: `{code, message, script, command}`; null before.
  static let error = "error"

  private var values: [String: Value] = [error: .null]
  private var sizes: [String: Int] = [:]
  private var size = 0

  /// The names of the variables, sorted.
  var names: [String] { values.keys.sorted() }

  /// The value of a variable; nil if there is none.
  subscript(name: String) -> Value? { values[name] }

  /// Sets a variable.
  ///
  /// - Throws: ``ScriptError/tooLarge(_:limit:)``.
  mutating func set(_ name: String, _ value: Value) throws(ErrorReport) {
    let new = ScriptValue.size(of: value)
    if new > ScriptLimits.value {
      throw ScriptError.tooLarge("the value of '$\(name)'", limit: "\(ScriptLimits.value >> 20) MiB")
    }
    if value.isNested(deeperThan: Value.maximumDepth) {
      throw ScriptError.unfitting("the value of '$\(name)' is nested deeper than \(Value.maximumDepth) levels")
    }
    let total = size - (sizes[name] ?? 0) + new
    if total > ScriptLimits.variables {
      throw ScriptError.tooLarge("all variables together", limit: "\(ScriptLimits.variables >> 20) MiB")
    }
    (values[name], sizes[name], size) = (value, new, total)
  }

  /// Removes a variable.
  mutating func remove(_ name: String) {
    size -= sizes[name] ?? 0
    (values[name], sizes[name]) = (nil, nil)
  }

  /// Returns the value that a reference names.
  func value(of reference: ScriptReference) throws(ErrorReport) -> Value {
    guard let value = values[reference.name] else { throw ScriptError.unknownVariable(reference.name, known: names) }
    return try ScriptValue.part(of: value, reference)
  }

  /// Returns the text of a word.
  func text(of word: ScriptWord) throws(ScriptFault) -> String {
    do {
      return try text(of: word.parts[...])
    } catch {
      throw ScriptFault(error, at: word.position)
    }
  }

  private func text(of parts: ArraySlice<ScriptWord.Part>) throws(ErrorReport) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .reference(let reference):
        text += try ScriptValue.text(of: try value(of: reference), named: reference.text)
      }
      if text.utf8.count > ScriptLimits.word {
        throw ScriptError.tooLarge("a word", limit: "\(ScriptLimits.word >> 20) MiB")
      }
    }
    if text.utf8.contains(0) { throw ScriptError.notText("a word") }
    return text
  }

  /// Returns the value of an expression.
  func value(of expression: ScriptExpression) throws(ScriptFault) -> Value {
    switch expression {
    case .constant(let value): return value
    case .word(let word):
      guard let reference = word.reference else { return .text(try text(of: word)) }
      do {
        return try value(of: reference)
      } catch {
        throw ScriptFault(error, at: word.position)
      }
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try value(of: element)) }
      return .list(values)
    }
  }

  /// Returns the elements that a loop goes through.
  func rows(of expression: ScriptExpression, at position: ScriptPosition) throws(ScriptFault) -> ScriptRows {
    let value = try value(of: expression)
    var name = "the list"
    if case .word(let word) = expression { name = word.source }
    do {
      return try ScriptRows(value, named: name)
    } catch {
      throw ScriptFault(error, at: position)
    }
  }

  /// Returns the numbers of `FIRST..LAST`.
  func rows(ofRange word: ScriptWord) throws(ScriptFault) -> ScriptRows {
    let text = try text(of: word)
    let bytes = Array(text.utf8)
    let dots = bytes.indices.dropLast().first { bytes[$0] == UInt8(ascii: ".") && bytes[$0 + 1] == bytes[$0] }
    guard let dots, let first = Int(String(decoding: bytes[..<dots], as: UTF8.self)),
      let last = Int(String(decoding: bytes[(dots + 2)...], as: UTF8.self))
    else {
      throw ScriptFault(
        ScriptError.unfitting("'\(text)' is not a range of whole numbers", advice: "write for example 1..10"),
        at: word.position)
    }
    let (span, overflows) = last.subtractingReportingOverflow(first)
    if overflows && last > first || !overflows && span >= ScriptLimits.turns {
      throw ScriptFault(
        ScriptError.tooLarge("the range '\(text)'", limit: "\(ScriptLimits.turns) numbers"), at: word.position)
    }
    return ScriptRows(first: first, last: last)
  }

  /// Returns true if a condition holds.
  func holds(_ condition: ScriptCondition) throws(ScriptFault) -> Bool {
    switch condition {
    case .value(let expression, let position):
      let value = try value(of: expression)
      guard let flag = value.bool else {
        throw ScriptFault(
          ScriptError.unfitting(
            "\(ScriptValue.summary(of: value)) is neither true nor false",
            advice: "compare it, for example with '!= null'"
          ), at: position)
      }
      return flag
    case .comparison(let left, let comparison, let right, let position):
      let (left, right) = (try value(of: left), try value(of: right))
      do {
        return try ScriptValue.holds(left, comparison, right)
      } catch {
        throw ScriptFault(error, at: position)
      }
    case .not(let condition): return !(try holds(condition))
    case .all(let conditions):
      for condition in conditions where !(try holds(condition)) { return false }
      return true
    case .any(let conditions):
      for condition in conditions where try holds(condition) { return true }
      return false
    }
  }

  /// Returns the words of a call, and the values of its variables for the words that stand in for them.
  ///
  /// A word that is one reference has its value, any other word its text; neither can become an option or a command.
  func arguments(of call: ScriptCall) throws(ScriptFault) -> (arguments: [String], values: SplicedValues) {
    var values = SplicedValues()
    var arguments: [String] = []
    for word in call.words {
      if let literal = word.literal {
        arguments.append(literal)
        continue
      }
      let (option, parts) = try word.splitOption()
      do throws(ErrorReport) {
        let value: Value
        if !word.isQuoted, parts.count == 1, case .reference(let reference) = parts[parts.startIndex] {
          value = try self.value(of: reference)
          if value.isNull { throw ScriptError.noValue(reference.text) }
        } else {
          value = .text(try text(of: parts))
        }
        arguments.append(option + values.add(.value(value), as: word.source(of: parts)))
      } catch {
        throw ScriptFault(error, at: word.position)
      }
    }
    return (arguments, values)
  }
}

extension ScriptWord {
  /// Splits `--name=` from the parts that are its value.
  ///
  /// - Throws: ``ScriptFault`` if a variable is part of the option's name.
  func splitOption() throws(ScriptFault) -> (option: String, value: ArraySlice<Part>) {
    guard case .text(let text) = parts[0], text.hasPrefix("--") else { return ("", parts[...]) }
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw ScriptFault(
        ScriptError.syntax(
          "'\(source)' has a variable in the name of an option", advice: "write the name of the option"),
        at: position)
    }
    let end = text.utf8.index(after: sign)
    let suffix = String(text[end...])
    return (String(text[..<end]), (suffix.isEmpty ? [] : [.text(suffix)]) + parts.dropFirst())
  }

  /// Returns parts of the word for messages.
  func source(of parts: ArraySlice<Part>) -> String {
    ScriptWord(position: position, parts: Array(parts)).source
  }
}
