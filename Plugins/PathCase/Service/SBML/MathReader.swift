import PluginText
import PluginXML

/// Converts a MathML formula to a program.
///
/// - Source: SBML Level 3 Version 2 Core, section 3.4.
struct MathReader {
  /// An open element.
  private struct Frame {
    var name: String
    /// The operation on the values; nil if there is none.
    var operation: FormulaOperation?
    /// The model's own function to apply; nil if there is none.
    var function: Identifier?
    /// The number of values on the stack since it began.
    var count = 0
    var type = ""
  }

  /// The formula; if it contains unknown elements, its steps give no value.
  private(set) var program = FormulaProgram()
  /// The parameters of a function.
  private(set) var parameters: [Identifier] = []
  /// The functions of the model.
  private let functions: [Identifier: FormulaFunction]
  private var frames: [Frame] = []
  private var text: [UInt8] = []
  /// The first part of a number in two parts.
  private var firstPart: String?

  /// The maximum number of steps after functions have been inlined.
  private let most: Int

  init(functions: [Identifier: FormulaFunction] = [:], most: Int = FormulaFunction.mostSteps) {
    self.functions = functions
    self.most = most
  }

  mutating func begin(_ element: XMLElement) {
    let name = element.name.local
    var frame = Frame(name: name, type: element["type"] ?? "")
    switch name {
    case "ci", "cn", "csymbol":
      text.removeAll(keepingCapacity: true)
      firstPart = nil
      if name == "csymbol" { frame.type = element["definitionURL"] ?? "" }
    case "sep":
      firstPart = String(decoding: text, as: UTF8.self).trimmed()
      text.removeAll(keepingCapacity: true)
    case "piecewise": frame.operation = .piecewise
    case "true": push(.number(1))
    case "false": push(.number(0))
    case "pi": push(.number(.pi))
    case "exponentiale": push(.number(2.718281828459045))
    case "infinity": push(.number(.infinity))
    case "notanumber": push(.number(.nan))
    default:
      // The operation is the first child of the element that applies it.
      if let last = frames.indices.last, frames[last].name == "apply", frames[last].operation == nil,
        let operation = FormulaOperation(rawValue: name)
      {
        frames[last].operation = operation
      }
    }
    frames.append(frame)
  }

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    if text.count < 1 << 16 { text.append(contentsOf: bytes) }
  }

  mutating func end() {
    guard let frame = frames.popLast() else { return }
    switch frame.name {
    case "cn": push(.number(number(frame.type)))
    case "ci": pushName(Identifier(String(decoding: text, as: UTF8.self).trimmed()))
    case "csymbol":
      // Nothing moves: the time is the initial one.
      let constant = frame.type.hasSuffix("/avogadro") ? 6.022_141_79e23 : frame.type.hasSuffix("/time") ? 0 : .nan
      push(.number(constant))
    case "apply":
      if let name = frame.function { return apply(name, count: frame.count) }
      guard let operation = frame.operation else { return fail() }
      push(.apply(operation, count: frame.count))
    case "piecewise": push(.apply(.piecewise, count: frame.count))
    default:
      // Degrees, bases, pieces and semantics pass their contents on.
      add(frame.count)
    }
  }

  private mutating func add(_ count: Int) {
    if let last = frames.indices.last { frames[last].count += count }
  }

  private mutating func push(_ step: FormulaProgram.Step) {
    program.steps.append(step)
    add(1)
  }

  private mutating func pushName(_ name: Identifier) {
    if let last = frames.indices.last {
      if frames[last].name == "bvar" { return parameters.append(name) }
      // A name that is applied is a function of the model's own.
      if frames[last].name == "apply", frames[last].operation == nil, frames[last].function == nil,
        frames[last].count == 0
      {
        frames[last].function = name
        return
      }
    }
    push(.symbol(name))
  }

  /// Inlines a function in place of its arguments; functions are defined before they are used.
  private mutating func apply(_ name: Identifier, count: Int) {
    guard let function = functions[name], function.apply(to: &program.steps, count: count, most: most)
    else {
      // The arguments are kept, so that the result has no value.
      push(.apply(.neq, count: 0))
      return add(count)
    }
    add(1)
  }

  /// Adds a step that has no value.
  private mutating func fail() { push(.apply(.neq, count: 0)) }

  private func number(_ type: String) -> Double {
    let last = String(decoding: text, as: UTF8.self).trimmed()
    guard let firstPart else { return SBMLNumber.read(last) ?? .nan }
    guard let first = SBMLNumber.read(firstPart), let second = SBMLNumber.read(last) else { return .nan }
    return type == "rational" ? first / second : SBMLNumber.read(firstPart + "e" + last) ?? .nan
  }
}
