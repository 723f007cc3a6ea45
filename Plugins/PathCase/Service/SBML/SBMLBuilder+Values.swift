import PluginText
import PluginXML

/// Reading of attributes, with their errors.
extension SBMLBuilder {
  /// Returns a problem at the current position.
  func problem(_ code: String, rule: Int? = nil, id: String? = nil, _ text: String) -> SBMLProblem {
    let place = place
    return SBMLProblem(
      code: "pathcase." + code, rule: rule, line: Int(place.line), column: Int(place.column), id: id, text: text)
  }

  func refuse(_ code: String, rule: Int? = nil, id: String? = nil, _ text: String) -> SBMLRefusal {
    SBMLRefusal(problem: problem(code, rule: rule, id: id, text))
  }

  func warn(_ code: String, rule: Int? = nil, id: String? = nil, _ text: String) {
    // The number of reported problems is limited to what a user would read.
    if document.warnings.count < 100 { document.warnings.append(problem(code, rule: rule, id: id, text)) }
  }

  /// Returns the required id of an element.
  func id(of element: XMLElement, rule: Int? = nil) throws -> Identifier {
    guard let text = element["id"] else {
      throw refuse("str-003", rule: rule, "<\(element.name.local)> has no id")
    }
    if text.isEmpty || text.utf8.contains(where: { $0 <= 32 }) {
      throw refuse("id-003", rule: 10310, id: text, "the id '\(text)' is empty or has a blank")
    }
    return Identifier(text)
  }

  /// Registers the meaning of a name.
  func declare(_ id: Identifier, _ symbol: SBMLDraft.Symbol) throws {
    if draft.symbols.updateValue(symbol, forKey: id) != nil {
      throw refuse("id-001", rule: 10301, id: id.text, "the id '\(id)' is given to two things")
    }
  }

  /// Returns a number; nil if the attribute is absent.
  func number(_ name: String, of element: XMLElement) throws -> Double? {
    guard let text = element[name] else { return nil }
    if let number = SBMLNumber.read(text) { return number }
    throw refuse("typ-001", id: element["id"], "'\(text)' is no number for \(name)")
  }

  /// Returns a Boolean value; nil if the attribute is absent.
  func flag(_ name: String, of element: XMLElement) throws -> Bool? {
    guard let text = element[name] else { return nil }
    switch text.trimmed() {
    case "true", "1": return true
    case "false", "0": return false
    default: throw refuse("typ-002", id: element["id"], "'\(text)' is neither 'true' nor 'false' for \(name)")
    }
  }
}

/// Numbers in the notation of XML Schema and SBML.
///
/// - Source: XML Schema Part 2, section 3.2.5, type `double`.
enum SBMLNumber {
  static func read(_ raw: String) -> Double? {
    let text = raw.trimmed()
    switch text {
    case "INF", "+INF": return .infinity
    case "-INF": return -.infinity
    case "NaN": return .nan
    default: break
    }
    if text.isEmpty { return nil }
    // Swift also reads '0x10', 'nan' and numbers that are too large.
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns the text of a number, which is read back exactly.
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number > 0 ? "INF" : "-INF" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    return "\(number)"
  }
}
