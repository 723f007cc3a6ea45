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
    if value.list?.isEmpty ?? true { text.add(.init("nobody", .secondary)) }
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
      page.field(Self.label(field.name), texts.joined(separator: ", "))
    }
    page.field("Added", value["created"].date?.description)
    var text = page.text
    if let items = value["items"].list {
      text.add(.init(""))
      for line in ItemLine.lines(items, isPlain: request.isPlain) { text.add(line.0, line.1, line.2) }
    }
    return text
  }

  /// Returns a key as a label: `firstName` is `First name`.
  private static func label(_ key: String) -> String {
    let words = key.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// A renderer of items: one line each, with a mark for captures and problems.
struct ItemsRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for line in ItemLine.lines(value.list ?? [], isPlain: request.isPlain) { text.add(line.0, line.1, line.2) }
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
    for line in ItemLine.lines(items, isPlain: request.isPlain) { text.add(line.0, line.1, line.2) }
    if items.isEmpty {
      let words = leftOut.isEmpty ? "nothing to add: the person has all items of the template" : "nothing was added"
      text.add(.init(words, .secondary))
    }
    if !leftOut.isEmpty { text.add(.init("without a sensor: " + leftOut.joined(separator: ", "), .warning)) }
    if items.isEmpty { return text }
    let command = "capture --person \(value["person"].integer ?? 0) --missing --in-turn"
    text.add(.init("'\(command)' captures one after the other", .secondary))
    return text
  }
}

/// Items as lines.
enum ItemLine {
  /// Returns the number, title and sensor of each item; plain text has words in place of marks.
  static func lines(_ items: [Value], isPlain: Bool) -> [(StyledText.Run, StyledText.Run, StyledText.Run)] {
    items.map { item in
      let parts = item["parts"].list ?? []
      let isAnnotated =
        !(item["notes"].text ?? "").isEmpty || parts.contains { $0["condition"].text != PartCondition.present.rawValue }
      let lost = lost(item)
      let (sign, state): (String, String) =
        item["capture"].isNull ? ("○", "empty") : lost == nil ? ("●", "captured") : ("◐", "partly captured")
      let mark = isPlain ? state + (isAnnotated ? ", annotated:" : ":") : sign + (isAnnotated ? "!" : " ")
      let sensor = [lost, item["sensor"].text, item["address"].text].compactMap { $0 }.filter { !$0.isEmpty }
      return (
        .init(TextWidth.padded("\(item["id"].integer ?? 0)", to: 6), .secondary),
        .init(TextWidth.padded("\(mark) \(item["title"].text ?? "")", to: 28)),
        .init("  " + sensor.joined(separator: "  "), .secondary)
      )
    }
  }

  /// Returns the number of pictures missing from the newest capture, as text; nil if none is missing.
  static func lost(_ item: Value) -> String? {
    guard let lost = item["lost"].list?.count, lost > 0 else { return nil }
    return "\(lost) of \(lost + (item["pictures"].list?.count ?? 0)) pictures never came"
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
    if value["capture"].isNull { page.note("Nothing is captured yet.") }
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
    page.field("Type", sniffed == nil || sniffed == claimed ? claimed : "\(sniffed ?? ""), said to be \(claimed)")
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
    if value.list?.isEmpty ?? true { text.add(.init("nothing is captured", .secondary)) }
    return text
  }
}

/// A capture as a line.
enum CaptureLine {
  static func span(_ capture: Value) -> StyledText.Run {
    let quality = capture["quality"].integer.map { ", quality \($0)" } ?? ""
    let type = capture["sniffedType"].text ?? capture["claimedType"].text ?? ""
    let received = capture["received"].date?.description ?? ""
    let name = capture["isRenamed"].bool == true ? ", made as \(capture["title"].text ?? "")" : ""
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
