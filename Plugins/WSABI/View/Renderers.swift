import PluginAPI

/// A renderer of a list of people: one line each.
struct PeopleRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let people = ModelRecord<Person>.list(value)
    for person in people {
      let born = person[biography: .dateOfBirth].first ?? ""
      text.add(
        .init(TextWidth.padded("\(person[\.id])", to: 6), .secondary),
        .init(person[\.biography.name] ?? "(no name)"), .init(born.isEmpty ? "" : "  \(born)", .secondary))
    }
    if people.isEmpty { text.add(.init("no people", .secondary)) }
    return text
  }
}

/// A renderer of a person with details, and with items if the value has them.
struct PersonRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let person = ModelRecord<Person>(value)
    page.heading("\(person[\.id])  " + (person[\.biography.name] ?? "(no name)"))
    for field in BiographyField.allCases {
      page.field(CaptureText.label(field.key), person[biography: field].joined(separator: ", "))
    }
    page.field("Added", person[\.created]?.description)
    var text = page.text
    // A person shown with items may have none.
    if value[Person.WithItems.itemsName].list != nil {
      text.add(.init(""))
      text.lines += ItemLine.lines(ModelRecord<Person.WithItems>(value)[\.items], isPlain: request.isPlain)
    }
    return text
  }
}

/// A renderer of items: one line each, with a mark for captures and problems.
struct ItemsRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let items = ModelRecord<ItemRecord>.list(value)
    text.lines += ItemLine.lines(items, isPlain: request.isPlain)
    if items.isEmpty { text.add(.init("no items", .secondary)) }
    return text
  }
}

/// A renderer of the items that a template added to a person, and of the manner of their capture.
struct EnrolledRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let enrolled = ModelRecord<EnrolledItems>(value)
    let (items, leftOut) = (enrolled[\.added], enrolled[\.leftOut])
    text.lines += ItemLine.lines(items, isPlain: request.isPlain)
    if items.isEmpty {
      let words = leftOut.isEmpty ? "nothing to add: the person has all items of the template" : "nothing was added"
      text.add(.init(words, .secondary))
    }
    if !leftOut.isEmpty { text.add(.init("without a sensor: " + leftOut.joined(separator: ", "), .warning)) }
    if items.isEmpty { return text }
    let command = "capture --person \(enrolled[\.person]) --missing --in-turn"
    text.add(.init("Capture one after the other with '\(command)'", .secondary))
    return text
  }
}

/// Items as lines.
private enum ItemLine {
  /// Returns the number, title and sensor of each item; plain text has words in place of marks.
  static func lines(_ items: [ModelRecord<ItemRecord>], isPlain: Bool) -> [[StyledText.Run]] {
    items.map { item in
      let isAnnotated =
        !item[\.item.annotation.notes].isEmpty || item[\.parts].contains { $0[\.condition] != .present }
      let lost = lost(item)
      let (sign, state): (String, String) =
        item[\.capture] == nil ? ("○", "empty") : lost == nil ? ("●", "captured") : ("◐", "partly captured")
      let mark = isPlain ? state + (isAnnotated ? ", annotated:" : ":") : sign + (isAnnotated ? "!" : " ")
      let sensor = [lost ?? "", item[\.item.device.name], item[\.item.device.address]].filter { !$0.isEmpty }
      return [
        .init(TextWidth.padded("\(item[\.item.id])", to: 6), .secondary),
        .init(TextWidth.padded("\(mark) \(item[\.item.submodality.title])", to: 28)),
        .init("  " + sensor.joined(separator: "  "), .secondary),
      ]
    }
  }

  /// Returns the number of pictures missing from the newest capture, as text; nil if none is missing.
  static func lost(_ item: ModelRecord<ItemRecord>) -> String? {
    let lost = item[\.item.losses].count
    return lost > 0 ? "\(lost) of \(lost + item[\.pictures].count) pictures not received" : nil
  }
}

/// A renderer of an item with its sensor, annotations and newest capture.
struct ItemRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let item = ModelRecord<ItemRecord>(value)
    page.heading("\(item[\.item.id])  " + item[\.item.submodality.title])
    page.field("Person", "\(item[\.item.person])")
    page.field("Modality", item[\.item.modality.title])
    let sensor = [item[\.item.device.name], item[\.item.device.address]].filter { !$0.isEmpty }
    page.field("Sensor", sensor.joined(separator: " at "))
    for setting in item[\.item.device.configuration].items { page.field("  " + setting.key, setting.value.shownText) }
    for part in item[\.parts] {
      if let condition = part[\.condition], condition != .present { page.field(part[\.part.title], condition.rawValue) }
    }
    page.field("Notes", item[\.item.annotation.notes])
    if item[\.capture] == nil { page.note("No capture yet.") }
    let reason = item[\.item.losses].first?[\.reason] ?? ""
    page.field("Lost", ItemLine.lost(item).map { "\($0): \(reason)" })
    for picture in item[\.pictures] { add(picture, &page) }
    return page.text
  }

  private func add(_ capture: ModelRecord<CapturedRecord>, _ page: inout FieldPage) {
    page.field("Capture", "\(capture[\.record.id])")
    page.field("Captured as", capture[\.isRenamed] ? capture[\.title] : nil)
    page.field("Received", capture[\.record.received]?.description)
    page.field("Size", "\(capture[\.record.sizeInBytes]) bytes")
    let claimed = capture[\.record.claimedType]
    let sniffed = capture[\.record.sniffedType] ?? claimed
    page.field("Type", sniffed == claimed ? claimed : "\(sniffed), declared as \(claimed)")
    page.field("SHA-256", capture[\.sha256])
    page.field(
      "Quality", capture[\.record.quality?.score].map { "\($0) (\(capture[\.record.quality?.scorer] ?? ""))" })
  }
}

/// A renderer of an item's captures: one line each.
struct CapturesRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let captures = ModelRecord<CapturedRecord>.list(value)
    for capture in captures { text.add(CaptureLine.span(capture)) }
    if captures.isEmpty { text.add(.init("no captures", .secondary)) }
    return text
  }
}

/// A capture as a line.
private enum CaptureLine {
  static func span(_ capture: ModelRecord<CapturedRecord>) -> StyledText.Run {
    let quality = capture[\.record.quality?.score].map { ", quality \($0)" } ?? ""
    let type = capture[\.record.sniffedType] ?? capture[\.record.claimedType]
    let received = capture[\.record.received]?.description ?? ""
    let name = capture[\.isRenamed] ? ", captured as \(capture[\.title])" : ""
    return .init(
      "  \(capture[\.record.id]): \(capture[\.record.sizeInBytes]) bytes, \(type)\(quality)\(name)  " + received)
  }
}

/// A renderer of users with their roles.
struct UsersRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for user in ModelRecord<UserRecord>.list(value) {
      text.add(
        .init(TextWidth.padded("\(user[\.user.id])", to: 6), .secondary),
        .init(TextWidth.padded(user[\.user.name], to: 24)), .init(user[\.user.role]?.rawValue ?? ""),
        .init(user[\.isSelf] ? "  (you)" : "", .secondary))
    }
    return text
  }
}

/// A renderer of a person's missing fingers, the problems of captures, and their quality.
struct PersonCheckRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let check = ModelRecord<PersonCheck>(value)
    let open = check[\.open]
    page.heading("Person \(check[\.person])")
    page.paragraph(
      open.isEmpty ? "All fingers are captured or explained." : "Left to capture: " + open.joined(separator: ", "))
    page.gap()
    for finger in check[\.fingers] { page.field(finger[\.title], Self.words(finger)) }
    let findings = check[\.findings]
    if !findings.isEmpty { page.gap() }
    for finding in findings { page.field("Check", Self.words(finding: finding)) }
    let unseen = check[\.unseen]
    if !unseen.isEmpty { page.field("Not compared", Self.items(unseen)) }
    let qualities = check[\.qualities]
    if !qualities.isEmpty { page.gap() }
    for quality in qualities { page.field("Item \(quality[\.item.id])", Self.words(quality: quality)) }
    return page.text
  }

  /// Returns the state of a finger, and an item's condition of one that was captured.
  private static func words(_ finger: ModelRecord<PersonCheck.Finger>) -> String {
    let state = finger[\.state]?.rawValue ?? ""
    guard let condition = finger[\.condition], condition != .present, condition.rawValue != state else { return state }
    return "\(state), \(condition.rawValue)"
  }

  private static func words(finding: ModelRecord<OrderCheck.Finding>) -> String {
    let words = finding[\.kind] == .sameFingerTwice ? "show the same finger" : "show different fingers"
    return "\(finding[\.fingers].joined(separator: " and ")) of \(items(finding[\.items])) \(words)"
  }

  private static func words(quality: ModelRecord<PersonCheck.Quality>) -> String {
    let (score, minimum) = (quality[\.quality.score], quality[\.minimum])
    let words = "quality \(score) by \(quality[\.quality.scorer])"
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
    let summary = ModelRecord<ExportSummary>(value)
    page.heading("Exported person \(summary[\.person]) to '\(summary[\.path])'")
    page.field("Format", summary[\.format])
    page.field("Files", "\(summary[\.files])")
    page.field("Captures", "\(summary[\.captures])")
    page.field("Size", "\(summary[\.sizeInBytes]) bytes")
    page.add(leftOut: summary[\.leftOut])
    return page.text
  }
}

/// A renderer of an import's result.
struct ImportedRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let summary = ModelRecord<ImportSummary>(value)
    page.heading("Imported person \(summary[\.person])")
    page.field("Items", "\(summary[\.items])")
    page.field("Captures", "\(summary[\.captures])")
    page.field("Size", "\(summary[\.sizeInBytes]) bytes")
    page.add(leftOut: summary[\.leftOut])
    return page.text
  }
}

extension FieldPage {
  /// Adds the parts that could not be included.
  fileprivate mutating func add(leftOut: [ModelRecord<Omission>]) {
    for entry in leftOut { field("Left out", "\(entry[\.what]): \(entry[\.reason])") }
  }
}

/// The text of a time.
private enum Milliseconds {
  /// Returns a time in whole milliseconds; empty if it is unknown or too large for an integer.
  static func text(_ time: Double?) -> String {
    time.flatMap { Int(exactly: $0.rounded()) }.map { "\($0) ms" } ?? ""
  }
}

/// A renderer of the results of captures: of a run, or only of its items.
struct CaptureRunRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let run = ModelRecord<CapturedRun>(value)
    // The items of a resumption come without a run.
    for item in value.record == nil ? ModelRecord<CapturedItem>.list(value) : run[\.items] {
      let outcome = item[\.outcome]
      let time = Milliseconds.text(item[\.milliseconds])
      text.add(
        .init(TextWidth.padded("\(item[\.item.id])", to: 6), .secondary),
        .init(TextWidth.padded(item[\.item.submodality.title], to: 26)),
        .init(outcome?.rawValue ?? "", outcome == .stored ? .plain : .error), .init("  \(time)", .secondary))
      for capture in item[\.captures] { text.add(CaptureLine.span(capture)) }
      let message = item[\.message]
      if !message.isEmpty { text.add(.init("  " + message, .warning)) }
    }
    if request.detail == .full {
      for step in run[\.steps] where step[\.isAnswer] { text.add(Self.span(step)) }
    }
    return text
  }

  private static func span(_ step: ModelRecord<CaptureStep>) -> StyledText.Run {
    let time = Milliseconds.text(step[\.milliseconds] ?? 0)
    let (address, operation) = (step[\.address.text], step[\.operation.rawValue])
    return .init("  \(time)  \(address)  \(operation): \(step[\.status?.word] ?? "")", .secondary)
  }
}

/// A renderer of a sensor's information.
struct SensorCheckRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let check = ModelRecord<CheckedSensor>(value)
    page.heading(check[\.message])
    page.field("Address", check[\.address])
    page.field("Problem", check[\.problem])
    page.field("Modality", check[\.modality])
    page.field("Submodality", check[\.submodality])
    page.field("Namespace", check[\.namespace])
    page.field("Response time", Milliseconds.text(check[\.latency]))
    var text = page.text
    // The names of keys are the sensor's.
    let parameters = check[\.parameters].filter { !["modality", "submodality"].contains($0[\.key]) }
    if !parameters.isEmpty { text.add(.init("")) }
    let width = KeyColumn.width(parameters.map { 2 + TextWidth.columns($0[\.key]) })
    for parameter in parameters {
      let allowed = parameter[\.allowed]
      let mark = parameter[\.isReadOnly] ? "  " : "* "
      let rest = allowed.isEmpty ? "" : "  (\(allowed.joined(separator: ", ")))"
      text.add(
        .init(TextWidth.padded(mark + parameter[\.key], to: width), .secondary),
        .init(parameter[\.content.shownText] + rest))
    }
    if parameters.contains(where: { !$0[\.isReadOnly] }) { text.add(.init("* writable", .secondary)) }
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
    let sensors = ModelRecord<DiscoveredSensor>.list(value)
    for sensor in sensors {
      text.add(
        .init(TextWidth.padded(sensor[\.name], to: 28)),
        .init(TextWidth.padded(sensor[\.modality] ?? "", to: 10)), .init("  " + sensor[\.address]),
        .init("  (\(sensor[\.interface]))", .secondary))
    }
    if sensors.isEmpty { text.add(.init("no sensors found", .secondary)) }
    return text
  }
}

/// A renderer of a sensor's response to one operation.
struct SensorAnswerRenderer: TextRenderer {
  let typeName: String

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var page = FieldPage(request)
    let response = ModelRecord<SensorResponse>(value)
    page.heading("\(response[\.operation.rawValue]): \(response[\.answer.status.word])")
    page.field("Session", response[\.session?.text])
    for id in ModelRecord<SensorResponse.WithCaptures>(value)[\.captureIDs] { page.field("Captured", id) }
    page.field("Message", response[\.message])
    let metadata = response[\.metadata].items
    if request.isPlain {
      for item in metadata { page.field(item.key, item.value.shownText) }
      return page.text
    }
    var text = page.text
    let width = KeyColumn.width(metadata.map { TextWidth.columns($0.key) })
    for item in metadata {
      let lines = TextWidth.wrapped(item.value.shownText, to: max(20, request.width - width))
      for (index, line) in lines.enumerated() {
        text.add(.init(TextWidth.padded(index == 0 ? item.key : "", to: width), .secondary), .init(line))
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
    let operations = ModelRecord<ListedOperation>.list(value)
    for operation in operations {
      let item = operation[\.item].map { "item \($0)" } ?? ""
      text.add(
        .init(TextWidth.padded(operation[\.number?.value].map(String.init) ?? "–", to: 6), .secondary),
        .init(TextWidth.padded(item, to: 12)), .init(operation[\.stage]),
        .init("  " + operation[\.address.text], .secondary))
    }
    if operations.isEmpty { text.add(.init("no captures under way", .secondary)) }
    return text
  }
}
