import PluginAPI

/// A renderer of the audit log: columns for fields that each entry has, and optional ones beside or below them.
struct LogRenderer: TextRenderer {
  let typeName: String

  /// The widths of number, time, user and action, each with the blanks after it.
  private static let columns = (number: 6, time: 25, user: 12, action: 18)
  private static let indent = 6

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for entry in value["entries"].list ?? [] { Self.add(entry, to: &text, request) }
    let count = value["count"].integer ?? 0
    switch value["isWhole"].bool {
    case true?: text.add(.init("The log is whole: \(count) entries."))
    case false?:
      let words = "Entry \(value["firstBad"].integer ?? 0) of \(count) is \(value["fault"].text ?? "changed")."
      text.add(.init(words, .error))
    case nil: break
    }
    if let head = value["head"].text { text.add(.init("The head of the log is \(head)")) }
    return text
  }

  private static func add(_ entry: Value, to text: inout StyledText, _ request: TextRequest) {
    let time = entry["at"].date?.description ?? ""
    let records = ["person", "item", "capture"].compactMap { name in entry[name].integer.map { "\(name) \($0)" } }
    let parts = records + [entry["address"].text, entry["outcome"].text].compactMap { $0 }.filter { !$0.isEmpty }
    let rest = parts.joined(separator: ", ")
    let columns = columns
    let head: [StyledText.Run] = [
      .init(TextWidth.padded("\(entry["number"].integer ?? 0)", to: columns.number), .secondary),
      .init(TextWidth.padded(time, to: columns.time), .secondary),
      .init(TextWidth.padded(entry["user"].text ?? "", to: columns.user - 1) + " "),
      .init(TextWidth.padded(entry["action"].text ?? "", to: columns.action)),
    ]
    let used = columns.number + columns.time + columns.user + columns.action
    // For linear reading an entry is a line.
    if request.isPlain || used + TextWidth.columns(rest) <= request.width {
      text.lines.append(head + [.init(rest, .secondary)])
      return
    }
    text.lines.append(head)
    let lines = TextWidth.wrapped(rest, to: max(20, request.width - indent))
    for line in lines { text.add(.init(String(repeating: " ", count: indent) + line, .secondary)) }
  }
}
