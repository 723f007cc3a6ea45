import PluginText

/// A converter of HTML to text that keeps the layout: paragraphs, list items, and tables with aligned columns.
///
/// Nested tables are written into the cell that contains them. Any depth is possible, because nothing here is
/// recursive.
struct HTMLText {
  private static let breaking: Set<String> = [
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "dt", "dd", "blockquote", "pre", "section",
    "article", "header", "footer", "figure", "hr", "form", "address", "body", "html", "caption",
  ]
  private static let hidden: Set<String> = ["script", "style", "title", "template"]
  /// The tags that identify HTML if they are closed.
  private static let telling: Set<String> = breaking.union([
    "table", "tr", "td", "th", "li", "b", "i", "u", "em", "strong", "span", "a", "font", "sub", "sup", "code",
  ])

  private var lines: [String] = []
  private var line = ""
  private var table = TableLayout()
  private var row: [String]?
  private var cell: String?
  private var tableDepth = 0
  private var preDepth = 0
  /// The tag whose content is being skipped.
  private var hiding: String?

  /// Returns true if a text is meant as HTML: it contains `<html>`, breaks lines with tags, or closes a known tag.
  static func isHTML(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "<")), text.utf8.contains(UInt8(ascii: ">")) else { return false }
    for token in HTMLTokens(text) {
      guard case .tag(let name, let isClosing) = token else { continue }
      if name == "html" || name == "br" || (isClosing && telling.contains(name)) { return true }
    }
    return false
  }

  /// Returns the text of a value that may be HTML; unchanged if it is not.
  static func plain(_ text: String) -> String { isHTML(text) ? self.text(text) : text }

  /// Returns the text of a page, line by line, sanitized by ``SanitizedText``.
  static func text(_ html: String) -> String {
    var reader = HTMLText()
    for token in HTMLTokens(html) { reader.take(token) }
    reader.endTable()
    reader.breakLine()
    while reader.lines.last?.isEmpty == true { reader.lines.removeLast() }
    return reader.lines.joined(separator: "\n")
  }

  private mutating func take(_ token: HTMLTokens.Token) {
    switch token {
    case .text(let text): if hiding == nil { add(text) }
    case .tag(let name, let isClosing):
      if let hiding {
        if isClosing, name == hiding { self.hiding = nil }
      } else if Self.hidden.contains(name) {
        hiding = isClosing ? nil : name
      } else {
        takeTag(name, isClosing)
      }
    }
  }

  private mutating func takeTag(_ name: String, _ isClosing: Bool) {
    switch name {
    case "table": isClosing ? closeTable() : openTable()
    case "tr" where tableDepth == 1: endRow(opening: !isClosing)
    case "td" where tableDepth == 1, "th" where tableDepth == 1: endCell(opening: !isClosing)
    case "td" where tableDepth > 1, "th" where tableDepth > 1, "tr" where tableDepth > 1: add(" ")
    case "br": breakLine(isForced: true)
    case "li":
      breakLine()
      if !isClosing { append("• ") }
    case "hr":
      breakLine()
      append("───")
      breakLine()
    case _ where Self.breaking.contains(name):
      if name == "pre" { preDepth = max(0, preDepth + (isClosing ? -1 : 1)) }
      breakLine()
    default: break
    }
  }

  // MARK: Text

  private mutating func add(_ text: String) {
    let decoded = SanitizedText.block(Self.decoded(text))
    if preDepth > 0, cell == nil, tableDepth == 0 {
      let parts = decoded.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { breakLine(isForced: true) }
        line += part
      }
      return
    }
    // White space between cells is not text.
    if tableDepth > 0, cell == nil, decoded.allSatisfy(\.isWhitespace) { return }
    append(decoded)
  }

  /// Appends text, with consecutive blanks as one.
  private mutating func append(_ text: String) {
    guard var target = cell else { return Self.append(text, to: &line) }
    // This is the only reference to the text while it grows, or each piece would copy all before it.
    cell = nil
    Self.append(text, to: &target)
    cell = target
  }

  private static func append(_ text: String, to target: inout String) {
    var wasBlank = target.utf8.last.map { $0 == UInt8(ascii: " ") } ?? true
    for scalar in text.unicodeScalars {
      let isBlank = scalar == " " || scalar == "\n" || scalar == "\t"
      if !isBlank {
        target.unicodeScalars.append(scalar == "\u{A0}" ? " " : scalar)
      } else if !wasBlank {
        target.unicodeScalars.append(" ")
      }
      wasBlank = isBlank
    }
  }

  /// Ends the line; an empty line only if `isForced` is true.
  private mutating func breakLine(isForced: Bool = false) {
    if cell != nil || tableDepth > 0 {
      append(" ")
      return
    }
    let ended = preDepth > 0 ? line : line.trimmedAtEnd()
    line = ""
    if ended.isEmpty, !isForced || lines.last?.isEmpty ?? true { return }
    lines.append(ended)
  }

  /// Returns the text with its character references decoded.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if let (scalar, end) = reference(at: place, in: bytes) {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        place = end
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the character of the reference at an index, and its end; nil if there is no reference.
  private static func reference(at place: Int, in bytes: [UInt8]) -> (Unicode.Scalar, Int)? {
    guard bytes[place] == UInt8(ascii: "&") else { return nil }
    let name = bytes[(place + 1)...].prefix(HTMLEntity.longest)
    guard let end = name.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    return HTMLEntity.scalar(String(decoding: name[..<end], as: UTF8.self)).map { ($0, end + 1) }
  }

  // MARK: Tables

  private mutating func openTable() {
    if tableDepth == 0 { breakLine() } else { append(" ") }
    tableDepth += 1
  }

  private mutating func closeTable() {
    if tableDepth > 1 {
      tableDepth -= 1
      append(" ")
    } else {
      endTable()
    }
  }

  private mutating func endTable() {
    endRow(opening: false)
    tableDepth = 0
    if !table.isEmpty { lines += table.lines }
    table = TableLayout()
  }

  private mutating func endRow(opening: Bool) {
    endCell(opening: false)
    if let row, !row.isEmpty { table.add(row) }
    row = opening ? [] : nil
  }

  private mutating func endCell(opening: Bool) {
    if let cell {
      if row == nil { row = [] }
      row?.append(cell.trimmedAtEnd())
    }
    cell = opening ? "" : nil
  }
}
