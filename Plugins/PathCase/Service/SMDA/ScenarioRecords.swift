import PluginAPI

/// A list of objects of a document.
struct ScenarioRecords {
  var rows: [ScenarioRecord] = []

  init(_ value: Value?, _ place: String, kind: String = "network") throws {
    guard case .list(let values)? = value?.content else {
      throw ScenarioFileError(kind: kind, place: place, reason: value == nil ? "it is missing" : "it is no list")
    }
    for (index, value) in values.enumerated() {
      guard case .record(let record) = value.content else {
        throw ScenarioFileError(kind: kind, place: "\(place)[\(index)]", reason: "it is no object")
      }
      rows.append(ScenarioRecord(place: "\(place)[\(index)]", record: record, kind: kind))
    }
  }
}

/// An object of a document, with its position.
struct ScenarioRecord {
  var place: String
  var record: Record
  var kind = "network"

  /// Returns a text; nil if there is none.
  func text(_ field: String) throws -> String? {
    switch record[field]?.content {
    case nil, .null?: return nil
    case .text(let text)?: return text
    default: throw ScenarioFileError(kind: kind, place: "\(place).\(field)", reason: "it is no text")
    }
  }

  /// Returns a required id.
  func identifier(_ field: String) throws -> Identifier {
    guard let text = try text(field), !text.isEmpty else {
      throw ScenarioFileError(kind: kind, place: "\(place).\(field)", reason: "it is missing or empty")
    }
    return Identifier(text)
  }
}
