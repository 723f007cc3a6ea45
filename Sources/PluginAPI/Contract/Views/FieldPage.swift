/// A page of labelled texts, labels in a column of their own, long texts wrapped beside them; for text renderers.
public struct FieldPage: Sendable {
  /// What was added so far.
  public private(set) var text = StyledText()
  private let width: Int
  private let isPlain: Bool
  private static let labelWidth = 20

  /// Creates an empty page for a request.
  public init(_ request: TextRequest) {
    width = max(20, request.width)
    isPlain = request.isPlain
  }

  /// Adds a heading.
  public mutating func heading(_ title: String) {
    for line in TextWidth.wrapped(title, to: width) { text.add(.init(line, .heading)) }
  }

  /// Adds a labelled text; nothing if there is none.
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

  /// Adds a text without a label; an empty one is an empty line.
  public mutating func paragraph(_ content: String) {
    if content.isEmpty { return gap() }
    // What fits keeps its blanks, as columns of tables have them.
    let fits = isPlain || TextWidth.columns(content) <= width
    for line in fits ? [content] : TextWidth.wrapped(content, to: width) { text.add(.init(line)) }
  }

  /// Adds an empty line.
  public mutating func gap() { text.add(.init("")) }

  /// Adds a quieter line.
  public mutating func note(_ line: String) { text.add(.init(line, .secondary)) }

  /// Adds what was wrong in a file, with its place as `FILE:LINE:COLUMN`.
  public mutating func diagnostic(_ value: Value, file: String?) {
    let severity = value["severity"].text ?? "note"
    let style: Style = severity == "error" ? .error : severity == "warning" ? .warning : .secondary
    let numbers = [value["line"].integer, value["column"].integer].compactMap { $0 }.map(String.init)
    let place = numbers.isEmpty ? "" : ([file ?? "line"] + numbers).joined(separator: ":") + ": "
    text.add(.init(severity + ": ", style), .init(place + (value["message"].text ?? "")))
  }

  /// A number without needless decimals.
  public static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
