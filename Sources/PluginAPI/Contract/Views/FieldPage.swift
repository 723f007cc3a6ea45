/// A page of labeled texts, for text renderers: labels have a column of their own, and long texts wrap beside them.
public struct FieldPage: Sendable {
  /// The text added so far.
  public private(set) var text = StyledText()
  private let width: Int
  private let isPlain: Bool
  private static let labelWidth = 20

  /// Creates an empty page for a request.
  public init(_ request: TextRequest) {
    width = max(20, request.width)
    isPlain = request.isPlain
  }

  /// Appends a heading.
  public mutating func heading(_ title: String) {
    for line in TextWidth.wrapped(title, to: width) { text.add(.init(line, .heading)) }
  }

  /// Appends a labeled text; nothing if there is none.
  public mutating func field(_ label: String, _ content: String?) {
    guard let content, !content.isEmpty else { return }
    if isPlain {
      text.add(.init("\(label): \(content)"))
      return
    }
    let lines = TextWidth.wrapped(content, to: max(10, width - Self.labelWidth))
    for (index, line) in lines.enumerated() {
      text.add(.init(TextWidth.padded(index == 0 ? label : "", to: Self.labelWidth), .secondary), .init(line))
    }
  }

  /// Appends a text without a label; an empty text adds an empty line.
  public mutating func paragraph(_ content: String) {
    if content.isEmpty { return gap() }
    // Text that fits keeps its spaces, such as those in table columns.
    let fits = isPlain || TextWidth.columns(content) <= width
    for line in fits ? [content] : TextWidth.wrapped(content, to: width) { text.add(.init(line)) }
  }

  /// Appends an empty line.
  public mutating func gap() { text.add(.init("")) }

  /// Appends a less prominent line.
  public mutating func note(_ line: String) { text.add(.init(line, .secondary)) }

  /// Appends a problem in a file, with its position as `FILE:LINE:COLUMN`.
  public mutating func diagnostic(_ value: Value, file: String?) {
    let severity = value["severity"].text ?? "note"
    let style: Style = severity == "error" ? .error : severity == "warning" ? .warning : .secondary
    let numbers = [value["line"].integer, value["column"].integer].compactMap { $0 }.map(String.init)
    let place = numbers.isEmpty ? "" : ([file ?? "line"] + numbers).joined(separator: ":") + ": "
    text.add(.init(severity + ": ", style), .init(place + (value["message"].text ?? "")))
  }

  /// Returns a number without superfluous decimals.
  public static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
