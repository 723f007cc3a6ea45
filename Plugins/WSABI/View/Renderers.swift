import PluginAPI

/// A renderer of a list of people: one line each.
struct PeopleRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for person in value.list ?? [] {
      let born = person["dateOfBirth"].list?.compactMap(\.text).first ?? ""
      text.add(
        .init(TextWidth.padded("\(person["id"].integer ?? 0)", to: 6), .secondary),
        .init(person["name"].text ?? "(no name)"), .init(born.isEmpty ? "" : "  \(born)", .secondary))
    }
    if value.list?.isEmpty ?? true { text.add(.init("no people", .secondary)) }
    return text
  }
}

/// A renderer of a person with details, and with items if the value has them.
struct PersonRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading("\(value["id"].integer ?? 0)  " + (value["name"].text ?? "(no name)"))
    for field in value.record?.fields ?? [] where !["id", "name", "items", "created", "modified"].contains(field.name) {
      let texts = field.value.list?.compactMap(\.text) ?? [field.value.text].compactMap { $0 }
      page.field(CaptureText.label(field.name), texts.joined(separator: ", "))
    }
    page.field("Added", value["created"].date?.description)
    var text = page.text
    if let items = value["items"].list {
      text.add(.init(""))
      text.lines += ItemLine.lines(items, isPlain: request.isPlain)
    }
    return text
  }
}

/// A renderer of items: one line each, with a mark for captures and problems.
struct ItemsRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    text.lines += ItemLine.lines(value.list ?? [], isPlain: request.isPlain)
    if value.list?.isEmpty ?? true { text.add(.init("no items", .secondary)) }
    return text
  }
}

/// A renderer of the items that a template added to a person, and of the manner of their capture.
struct EnrolledRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let (items, leftOut) = (value["added"].list ?? [], value["leftOut"].list?.compactMap(\.text) ?? [])
    text.lines += ItemLine.lines(items, isPlain: request.isPlain)
    if items.isEmpty {
      let words = leftOut.isEmpty ? "nothing to add: the person has all items of the template" : "nothing was added"
      text.add(.init(words, .secondary))
    }
    if !leftOut.isEmpty { text.add(.init("without a sensor: " + leftOut.joined(separator: ", "), .warning)) }
    if items.isEmpty { return text }
    let command = "capture --person \(value["person"].integer ?? 0) --missing --in-turn"
    text.add(.init("Capture one after the other with '\(command)'", .secondary))
    return text
  }
}

/// Items as lines.
private enum ItemLine {
  /// Returns the number, title and sensor of each item; plain text has words in place of marks.
  static func lines(_ items: [Value], isPlain: Bool) -> [[StyledText.Run]] {
    items.map { item in
      let parts = item["parts"].list ?? []
      let isAnnotated =
        !(item["notes"].text ?? "").isEmpty || parts.contains { $0["condition"].text != PartCondition.present.rawValue }
      let lost = lost(item)
      let (sign, state): (String, String) =
        item["capture"].isNull ? ("○", "empty") : lost == nil ? ("●", "captured") : ("◐", "partly captured")
      let mark = isPlain ? state + (isAnnotated ? ", annotated:" : ":") : sign + (isAnnotated ? "!" : " ")
      let sensor = [lost, item["sensor"].text, item["address"].text].compactMap { $0 }.filter { !$0.isEmpty }
      return [
        .init(TextWidth.padded("\(item["id"].integer ?? 0)", to: 6), .secondary),
        .init(TextWidth.padded("\(mark) \(item["title"].text ?? "")", to: 28)),
        .init("  " + sensor.joined(separator: "  "), .secondary),
      ]
    }
  }

  /// Returns the number of pictures missing from the newest capture, as text; nil if none is missing.
  static func lost(_ item: Value) -> String? {
    guard let lost = item["lost"].list?.count, lost > 0 else { return nil }
    return "\(lost) of \(lost + (item["pictures"].list?.count ?? 0)) pictures not received"
  }
}

/// A renderer of an item with its sensor, annotations and newest capture.
struct ItemRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    page.heading("\(value["id"].integer ?? 0)  " + (value["title"].text ?? ""))
    page.field("Person", value["person"].integer.map(String.init))
    page.field("Modality", value["modality"].text)
    let sensor = [value["sensor"].text, value["address"].text].compactMap { $0 }.filter { !$0.isEmpty }
    page.field("Sensor", sensor.joined(separator: " at "))
    for field in value["configuration"].record?.fields ?? [] { page.field("  " + field.name, field.value.text) }
    for part in value["parts"].list ?? [] where part["condition"].text != PartCondition.present.rawValue {
      page.field(part["part"].text ?? "", part["condition"].text)
    }
    page.field("Notes", value["notes"].text)
    if value["capture"].isNull { page.note("No capture yet.") }
    let reasons = (value["lost"].list ?? []).compactMap { $0["reason"].text }
    page.field("Lost", ItemLine.lost(value).map { "\($0): \(reasons.first ?? "")" })
    for picture in value["pictures"].list ?? [] { add(picture, &page) }
    return page.text
  }

  private func add(_ capture: Value, _ page: inout FieldPage) {
    page.field("Capture", capture["id"].integer.map(String.init))
    page.field("Captured as", capture["isRenamed"].bool == true ? capture["title"].text : nil)
    page.field("Received", capture["received"].date?.description)
    page.field("Size", capture["sizeInBytes"].integer.map { "\($0) bytes" })
    let claimed = capture["claimedType"].text ?? ""
    let sniffed = capture["sniffedType"].text
    page.field("Type", sniffed == nil || sniffed == claimed ? claimed : "\(sniffed ?? ""), declared as \(claimed)")
    page.field("SHA-256", capture["sha256"].text)
    page.field("Quality", capture["quality"].integer.map { "\($0) (\(capture["scorer"].text ?? ""))" })
  }
}

/// A renderer of an item's captures: one line each.
struct CapturesRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for capture in value.list ?? [] { text.add(CaptureLine.span(capture)) }
    if value.list?.isEmpty ?? true { text.add(.init("no captures", .secondary)) }
    return text
  }
}

/// A capture as a line.
private enum CaptureLine {
  static func span(_ capture: Value) -> StyledText.Run {
    let quality = capture["quality"].integer.map { ", quality \($0)" } ?? ""
    let type = capture["sniffedType"].text ?? capture["claimedType"].text ?? ""
    let received = capture["received"].date?.description ?? ""
    let name = capture["isRenamed"].bool == true ? ", captured as \(capture["title"].text ?? "")" : ""
    return .init(
      "  \(capture["id"].integer ?? 0): \(capture["sizeInBytes"].integer ?? 0) bytes, \(type)\(quality)\(name)  "
        + received)
  }
}

/// A renderer of users with their roles.
struct UsersRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for user in value.list ?? [] {
      text.add(
        .init(TextWidth.padded("\(user["id"].integer ?? 0)", to: 6), .secondary),
        .init(TextWidth.padded(user["name"].text ?? "", to: 24)), .init(user["role"].text ?? ""),
        .init(user["isSelf"].bool == true ? "  (you)" : "", .secondary))
    }
    return text
  }
}

/// A renderer of a person's missing fingers, the problems of captures, and their quality.
struct PersonCheckRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let open = value["open"].list?.compactMap(\.text) ?? []
    page.heading("Person \(value["person"].integer ?? 0)")
    page.paragraph(
      open.isEmpty ? "All fingers are captured or explained." : "Left to capture: " + open.joined(separator: ", "))
    page.gap()
    for finger in value["fingers"].list ?? [] { page.field(finger["finger"].text ?? "", Self.words(finger)) }
    let findings = value["findings"].list ?? []
    if !findings.isEmpty { page.gap() }
    for finding in findings { page.field("Check", Self.words(finding: finding)) }
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
    return score < minimum ? "\(words), below \(minimum)" : words
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
    page.heading("Exported person \(value["person"].integer ?? 0) to '\(value["path"].text ?? "")'")
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
    page.heading("Imported person \(value["person"].integer ?? 0)")
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

/// A renderer of the results of captures: of a run, or only of its items.
struct CaptureRunRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for item in value["items"].list ?? value.list ?? [] {
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
    page.field("Response time", value["latencyMilliseconds"].number.map { "\(Int($0.rounded())) ms" })
    var text = page.text
    let parameters = (value["parameters"].list ?? []).filter { !["modality", "submodality"].contains($0["name"].text) }
    if !parameters.isEmpty { text.add(.init("")) }
    let width = KeyColumn.width(parameters.map { 2 + TextWidth.columns($0["name"].text ?? "") })
    for parameter in parameters {
      let allowed = parameter["allowed"].list?.compactMap(\.text) ?? []
      let mark = parameter["isReadOnly"].bool == true ? "  " : "* "
      let rest = allowed.isEmpty ? "" : "  (\(allowed.joined(separator: ", ")))"
      text.add(
        .init(TextWidth.padded(mark + (parameter["name"].text ?? ""), to: width), .secondary),
        .init((parameter["value"].text ?? "") + rest))
    }
    if parameters.contains(where: { $0["isReadOnly"].bool == false }) { text.add(.init("* writable", .secondary)) }
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
    if value.list?.isEmpty ?? true { text.add(.init("no sensors found", .secondary)) }
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
    if value.list?.isEmpty ?? true { text.add(.init("no captures under way", .secondary)) }
    return text
  }
}
