/// A change of the metadata of a capture or a service.
struct FaultyMetadata: Sendable {
  private let rule: SimulatorFaultRule

  init(_ rule: SimulatorFaultRule) { self.rule = rule }

  func changed(_ items: [SimulatedItem]) -> [SimulatedItem] {
    switch rule.fault {
    case .doubleKeys: items + items.suffix(1).map { SimulatedItem($0.key, .text("the second")) }
    case .wrongTypes:
      items + [
        SimulatedItem("count", .plain("many", type: "int")), SimulatedItem("flag", .plain("maybe", type: "boolean")),
        SimulatedItem("odd", .plain("?", type: "notAType")), SimulatedItem("bytes", .plain("*", type: "base64Binary")),
      ]
    case .hugeNumbers:
      items + [
        SimulatedItem("huge", .plain(String(repeating: "9", count: 400), type: "integer")),
        SimulatedItem("beyond", .plain("9223372036854775808", type: "long")),
        SimulatedItem("tiny", .plain("-9223372036854775809", type: "integer")),
      ]
    case .notANumber:
      items + [
        SimulatedItem("nan", .plain("NaN", type: "double")), SimulatedItem("inf", .plain("-INF", type: "float")),
        SimulatedItem("swift", .plain("nan", type: "double")), SimulatedItem("hex", .plain("0x10", type: "double")),
      ]
    case .badDates: with("captureDate", .plain("2026-02-31T25:61:61Zulu", type: "dateTime"), items)
    case .date: with("captureDate", .plain(rule.value ?? "1970-01-01T00:00:00", type: "dateTime"), items)
    case .lyingType: with("contentType", .text("image/x-wsq"), items)
    case .unknownType: with("contentType", .text("x-biometric/unheard-of"), items)
    case .noType: items.filter { $0.key != "contentType" }
    case .unknownModality: parameter("modality", "Aura", items)
    case .noModality: items.filter { $0.key != "modality" }
    case .noSubmodality: items.filter { $0.key != "submodality" }
    default: items
    }
  }

  /// Returns the items with the value of a key replaced; old services use another name for the key.
  private func with(_ key: String, _ value: SimulatedValue, _ items: [SimulatedItem]) -> [SimulatedItem] {
    items.map { item in
      item.key == key || (key == "captureDate" && item.key == "captureTime") ? SimulatedItem(item.key, value) : item
    }
  }

  private func parameter(_ key: String, _ word: String, _ items: [SimulatedItem]) -> [SimulatedItem] {
    items.map { $0.key == key ? SimulatedItem(key, .parameter(.fixed(key, .text(word)))) : $0 }
  }
}
