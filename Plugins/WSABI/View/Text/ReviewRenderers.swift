import PluginAPI

/// A renderer of a person's missing fingers, the problems of captures, and their quality.
struct PersonCheckRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let open = value["open"].list?.compactMap(\.text) ?? []
    page.heading("Person \(value["person"].integer ?? 0)")
    page.paragraph(open.isEmpty ? "No finger is open." : "Open: " + open.joined(separator: ", "))
    page.gap()
    for finger in value["fingers"].list ?? [] { page.field(finger["finger"].text ?? "", Self.words(finger)) }
    let findings = value["findings"].list ?? []
    if !findings.isEmpty { page.gap() }
    for finding in findings { page.field("Look at", Self.words(finding: finding)) }
    let unseen = value["unseen"].list?.compactMap(\.integer) ?? []
    if !unseen.isEmpty { page.field("Not compared", Self.items(unseen)) }
    let qualities = value["qualities"].list ?? []
    if !qualities.isEmpty { page.gap() }
    for quality in qualities {
      page.field("Item \(quality["item"].integer ?? 0)", Self.words(quality: quality))
    }
    return page.text
  }

  /// Returns the state of a finger, and an item's condition of one that was captured.
  private static func words(_ finger: Value) -> String {
    let (state, condition) = (finger["state"].text ?? "", finger["condition"].text ?? "")
    let isSaid = [PartCondition.present.rawValue, state, ""].contains(condition)
    return isSaid ? state : "\(state), \(condition)"
  }

  private static func words(finding: Value) -> String {
    let fingers = (finding["fingers"].list ?? []).compactMap(\.text)
    let isSame = finding["kind"].text == OrderCheck.Finding.Kind.sameFingerTwice.rawValue
    let words = isSame ? "show the same finger" : "show different fingers"
    let items = items((finding["items"].list ?? []).compactMap(\.integer))
    return "\(fingers.joined(separator: " and ")) of \(items) \(words)"
  }

  private static func words(quality: Value) -> String {
    let (score, minimum) = (quality["score"].integer ?? 0, quality["minimum"].integer ?? 0)
    let words = "quality \(score) by \(quality["scorer"].text ?? "")"
    return score < minimum ? "\(words), and should be \(minimum)" : words
  }

  private static func items(_ numbers: [Int]) -> String {
    (numbers.count == 1 ? "item " : "items ") + numbers.map(String.init).joined(separator: " and ")
  }
}

/// A renderer of an export's result.
struct ExportedRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading("Person \(value["person"].integer ?? 0) is in '\(value["path"].text ?? "")'")
    page.field("Format", value["format"].text)
    page.field("Files", value["files"].integer.map(String.init))
    page.field("Captures", value["captures"].integer.map(String.init))
    page.field("Size", value["sizeInBytes"].integer.map { "\($0) bytes" })
    page.add(leftOut: value)
    return page.text
  }
}

/// A renderer of an import's result.
struct ImportedRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading("Person \(value["person"].integer ?? 0) is in the store")
    page.field("Items", value["items"].integer.map(String.init))
    page.field("Captures", value["captures"].integer.map(String.init))
    page.field("Size", value["sizeInBytes"].integer.map { "\($0) bytes" })
    page.add(leftOut: value)
    return page.text
  }
}

extension FieldPage {
  /// Adds the parts that could not be included.
  fileprivate mutating func add(leftOut value: Value) {
    for entry in value["leftOut"].list ?? [] {
      field("Left out", "\(entry["what"].text ?? ""): \(entry["reason"].text ?? "")")
    }
  }
}
