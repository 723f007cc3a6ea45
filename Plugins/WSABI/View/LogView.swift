import PluginAPI

/// A log as a table, or a message if it is empty.
struct LogView: View {
  var title: String
  var table: TableState
  /// The message shown if there are no entries; may be long.
  var message: String

  func draw(into frame: inout TextFrame) {
    if table.table.rowCount > 0 { return frame.draw(TableView(title, table), in: frame.bounds) }
    for (line, text) in TextWidth.wrapped(message, to: max(1, frame.size.width - 4)).enumerated() {
      frame.put(text, x: 2, y: 1 + line, .secondary)
    }
  }

  var outline: Outline { TableView(title, table, emptyText: message).outline }
}

/// The logs as tables.
enum LogTables {
  /// Returns the audit log as a table: users, actions and records.
  static func audit(_ entries: [AuditEntry]) -> Table {
    Table(columns: [
      .init("number", title: "No.", .integers(entries.map(\.number))),
      .init("time", title: "Time", .texts(entries.map { PersonText.time($0.at) })),
      .init("user", title: "User", .texts(entries.map(\.user))),
      .init(
        "action", title: "Action", .texts(entries.map { CaptureText.label($0.event.action.rawValue).lowercased() })),
      .init("records", title: "Records", .texts(entries.map { records($0.event) })),
      .init("outcome", title: "Outcome", .texts(entries.map(\.event.outcome))),
    ])
  }

  /// Returns the interactions on screens, in the columns of ``Interaction``.
  static func interactions(_ lines: [[String]]) -> Table {
    Table(
      columns: Interaction.columns.enumerated().map { index, name in
        .init(
          name, title: name.prefix(1).uppercased() + name.dropFirst(),
          .texts(lines.map { line in line.indices.contains(index) ? line[index] : "" }))
      })
  }

  private static func records(_ event: AuditEvent) -> String {
    let numbers = [("person", event.person), ("item", event.item), ("capture", event.capture)]
    let parts =
      numbers.compactMap { name, number in number.map { "\(name) \($0)" } } + [event.address].compactMap { $0 }
    return parts.joined(separator: ", ")
  }
}

/// A renderer of the audit log: columns for fields that each entry has, and optional ones beside or below them.
struct LogRenderer: TextRenderer {
  let typeName: String

  /// The widths of number, time, user and action, including padding.
  private static let columns = (number: 6, time: 25, user: 12, action: 18)
  private static let indent = 6

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    let page = ModelRecord<AuditPage>(value)
    for entry in page[\.entries] { Self.add(entry, to: &text, request) }
    let count = page[\.count]
    switch page[\.verdict?.isWhole] {
    case true?: text.add(.init("The log is intact: \(count) entries."))
    case false?:
      let bad = page[\.verdict?.firstBad?.number] ?? 0
      let words = "Entry \(bad) of \(count) is \(page[\.verdict?.firstBad?.fault.rawValue] ?? "changed")."
      text.add(.init(words, .error))
    case nil: break
    }
    if let head = page[\.head?.text] { text.add(.init("The head of the log is \(head)")) }
    return text
  }

  private static func add(_ entry: ModelRecord<AuditEntry>, to text: inout StyledText, _ request: TextRequest) {
    let time = entry[\.at]?.description ?? ""
    let numbers = [
      ("person", entry[\.event.person]), ("item", entry[\.event.item]), ("capture", entry[\.event.capture]),
    ]
    let records = numbers.compactMap { name, number in number.map { "\(name) \($0)" } }
    let parts = records + [entry[\.event.address] ?? "", entry[\.event.outcome]].filter { !$0.isEmpty }
    let rest = parts.joined(separator: ", ")
    let columns = columns
    let head: [StyledText.Run] = [
      .init(TextWidth.padded("\(entry[\.number])", to: columns.number), .secondary),
      .init(TextWidth.padded(time, to: columns.time), .secondary),
      .init(TextWidth.padded(entry[\.user], to: columns.user - 1) + " "),
      .init(TextWidth.padded(entry[\.event.action.rawValue], to: columns.action)),
    ]
    let used = columns.number + columns.time + columns.user + columns.action
    // In plain mode, each entry is one line.
    if request.isPlain || used + TextWidth.columns(rest) <= request.width {
      text.lines.append(head + [.init(rest, .secondary)])
      return
    }
    text.lines.append(head)
    let lines = TextWidth.wrapped(rest, to: max(20, request.width - indent))
    for line in lines { text.add(.init(String(repeating: " ", count: indent) + line, .secondary)) }
  }
}
