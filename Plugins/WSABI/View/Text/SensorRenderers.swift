import PluginAPI

/// A renderer of the results of captures.
struct CaptureRunRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for item in value["items"].list ?? [] {
      let outcome = item["outcome"].text ?? ""
      let time = item["milliseconds"].number.map { "\(Int($0.rounded())) ms" } ?? ""
      text.add(
        .init(TextWidth.padded("\(item["item"].integer ?? 0)", to: 6), .secondary),
        .init(TextWidth.padded(item["title"].text ?? "", to: 26)),
        .init(outcome, outcome == "stored" ? .plain : .error), .init("  \(time)", .secondary))
      for capture in item["captures"].list ?? [] { text.add(CaptureLine.span(capture)) }
      if let message = item["message"].text, !message.isEmpty { text.add(.init("  " + message, .warning)) }
    }
    if request.detail == .full {
      for step in value["steps"].list ?? [] where step["isAnswer"].bool == true { text.add(Self.span(step)) }
    }
    return text
  }

  private static func span(_ step: Value) -> StyledText.Run {
    let time = Int((step["milliseconds"].number ?? 0).rounded())
    let (address, operation) = (step["address"].text ?? "", step["operation"].text ?? "")
    return .init("  \(time) ms  \(address)  \(operation): \(step["status"].text ?? "")", .secondary)
  }
}

/// A renderer of a sensor's information.
struct SensorCheckRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading(value["message"].text ?? "")
    page.field("Address", value["address"].text)
    page.field("Problem", value["problem"].text)
    page.field("Modality", value["modality"].text)
    page.field("Submodality", value["submodality"].text)
    page.field("Namespace", value["namespace"].text)
    page.field("Answered after", value["latencyMilliseconds"].number.map { "\(Int($0.rounded())) ms" })
    var text = page.text
    let told = (value["parameters"].list ?? []).filter { !["modality", "submodality"].contains($0["name"].text) }
    if !told.isEmpty { text.add(.init("")) }
    let width = KeyColumn.width(told.map { 2 + TextWidth.columns($0["name"].text ?? "") })
    for parameter in told {
      let allowed = parameter["allowed"].list?.compactMap(\.text) ?? []
      let mark = parameter["isReadOnly"].bool == true ? "  " : "* "
      let rest = allowed.isEmpty ? "" : "  (\(allowed.joined(separator: ", ")))"
      text.add(
        .init(TextWidth.padded(mark + (parameter["name"].text ?? ""), to: width), .secondary),
        .init((parameter["value"].text ?? "") + rest))
    }
    if told.contains(where: { $0["isReadOnly"].bool == false }) { text.add(.init("* can be set", .secondary)) }
    return text
  }

}

/// The column of a sensor's keys, which are never truncated, as readers of piped output look values up by key.
private enum KeyColumn {
  /// Returns the width of a column of keys, with a gap after the longest, in columns.
  static func width(_ keys: [Int]) -> Int { max(20, (keys.max() ?? 0) + 2) }
}

/// A renderer of found sensors.
struct DiscoveredRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for sensor in value.list ?? [] {
      text.add(
        .init(TextWidth.padded(sensor["name"].text ?? "", to: 28)),
        .init(TextWidth.padded(sensor["modality"].text ?? "", to: 10)), .init("  " + (sensor["address"].text ?? "")),
        .init("  (\(sensor["interface"].text ?? ""))", .secondary))
    }
    if value.list?.isEmpty ?? true { text.add(.init("no sensor was found", .secondary)) }
    return text
  }
}

/// A renderer of a sensor's response to one operation.
struct SensorAnswerRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading("\(value["operation"].text ?? ""): \(value["status"].text ?? "")")
    page.field("Session", value["session"].text)
    for id in value["captureIds"].list ?? [] { page.field("Captured", id.text) }
    page.field("Message", value["message"].text)
    let metadata = value["metadata"].record?.fields ?? []
    if request.isPlain {
      for field in metadata { page.field(field.name, field.value.text) }
      return page.text
    }
    var text = page.text
    let width = KeyColumn.width(metadata.map { TextWidth.columns($0.name) })
    for field in metadata {
      let lines = TextWidth.wrapped(field.value.text ?? "", to: max(20, request.width - width))
      for (index, line) in lines.enumerated() {
        text.add(.init(TextWidth.padded(index == 0 ? field.name : "", to: width), .secondary), .init(line))
      }
    }
    return text
  }
}

/// A renderer of operations in progress at sensors.
struct OperationsRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for operation in value.list ?? [] {
      let item = operation["item"].integer.map { "item \($0)" } ?? ""
      text.add(
        .init(TextWidth.padded(operation["number"].integer.map(String.init) ?? "–", to: 6), .secondary),
        .init(TextWidth.padded(item, to: 12)), .init(operation["stage"].text ?? ""),
        .init("  " + (operation["address"].text ?? ""), .secondary))
    }
    if value.list?.isEmpty ?? true { text.add(.init("nothing is under way", .secondary)) }
    return text
  }
}
