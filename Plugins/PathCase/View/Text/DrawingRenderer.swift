import PluginAPI

/// Renders drawings of characters; in plain text, ASCII characters replace boxes, lines and arrows.
struct DrawingRenderer: TextRenderer {
  var typeName: String { PathCaseValueType.drawing }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    for line in (value.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      text.add(.init(request.isPlain ? Self.ascii(line) : String(line)))
    }
    return text
  }

  private static func ascii(_ line: Substring) -> String { String(line.map { characters[$0] ?? $0 }) }

  private static let characters: [Character: Character] = {
    var characters: [Character: Character] = [:]
    let classes: [(ascii: Character, drawn: String)] = [
      ("-", "─╌╴╶"), ("|", "│┆╵╷"), ("+", "╭╮╰╯┌┐└┘├┤┬┴┼"), ("^", "▲△"), ("v", "▼▽"), ("<", "◀"), (">", "▶"),
      ("X", "↕"),
      ("o", "○●"), ("#", "■"), ("@", "◆"), ("*", "▣"),
    ]
    for (ascii, drawn) in classes { for character in drawn { characters[character] = ascii } }
    return characters
  }()
}
