import PluginAPI

/// A log as a table, or the reason there is none.
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
      .init("action", title: "What", .texts(entries.map { words($0.event.action) })),
      .init("records", title: "Of", .texts(entries.map { records($0.event) })),
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

  /// Returns an action as words: `captureKept` is "capture kept".
  static func words(_ action: AuditAction) -> String {
    action.rawValue.reduce(into: "") { text, letter in
      if letter.isUppercase { text += " " }
      text += letter.lowercased()
    }
  }

  private static func records(_ event: AuditEvent) -> String {
    let numbers = [("person", event.person), ("item", event.item), ("capture", event.capture)]
    let parts =
      numbers.compactMap { name, number in number.map { "\(name) \($0)" } } + [event.address].compactMap { $0 }
    return parts.joined(separator: ", ")
  }
}
