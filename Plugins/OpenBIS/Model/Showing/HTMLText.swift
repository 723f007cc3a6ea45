import PluginAPI
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
    var offset = 0
    while offset < bytes.count {
      if let (scalar, end) = reference(at: offset, in: bytes) {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        offset = end
      } else {
        result.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the character of the reference at an index, and its end; nil if there is no reference.
  private static func reference(at offset: Int, in bytes: [UInt8]) -> (Unicode.Scalar, Int)? {
    guard bytes[offset] == UInt8(ascii: "&") else { return nil }
    let name = bytes[(offset + 1)...].prefix(HTMLEntity.longest)
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

/// A tokenizer that splits HTML into texts and tags; any input is accepted.
struct HTMLTokens: Sequence, IteratorProtocol {
  /// A piece of a page.
  enum Token: Equatable {
    /// Text with undecoded references.
    case text(String)
    /// A tag, its name in lower case.
    case tag(String, isClosing: Bool)
  }

  /// The length of the longest tag name; longer ones are text.
  private static let longestName = 16

  private let bytes: [UInt8]
  private var offset = 0

  init(_ html: String) {
    bytes = Array(html.utf8)
  }

  mutating func next() -> Token? {
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "<") {
        if skipComment() { continue }
        if let tag = tag() { return tag }
      }
      return text()
    }
    return nil
  }

  /// Reads text up to the next `<`, at least one byte.
  private mutating func text() -> Token {
    let start = offset
    offset += 1
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
    return .text(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  /// Skips a comment or a declaration; returns true if there was one.
  private mutating func skipComment() -> Bool {
    guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "!") || bytes[offset + 1] == UInt8(ascii: "?")
    else {
      return false
    }
    let isComment = bytes[offset...].starts(with: Array("<!--".utf8))
    var end = offset + (isComment ? 4 : 2)
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: ">"), !isComment || bytes[..<end].suffix(2).elementsEqual(Array("--".utf8)) {
        break
      }
      end += 1
    }
    offset = Swift.min(bytes.count, end + 1)
    return true
  }

  /// Reads the tag at the current index; returns nil if there is none.
  private mutating func tag() -> Token? {
    var end = offset + 1
    let isClosing = end < bytes.count && bytes[end] == UInt8(ascii: "/")
    if isClosing { end += 1 }
    let start = end
    while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
    guard end > start, end - start <= Self.longestName, !(0x30...0x39).contains(bytes[start]) else { return nil }
    let name = String(decoding: bytes[start..<end].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard let close = endOfTag(from: end) else { return nil }
    offset = close + 1
    return .tag(name, isClosing: isClosing)
  }

  /// Returns the index of a tag's `>` outside of quotes; nil if there is none before the next `<`.
  private func endOfTag(from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index
      } else if byte == UInt8(ascii: "<") {
        return nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return nil
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}

/// A decoder of HTML character references.
///
/// - Source: HTML Living Standard, section 13.5 (named) and 13.2.5.80 (numeric), 2026-11-21; only the names that occur
///   in lab texts.
private enum HTMLEntity {
  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "deg": "°", "plusmn": "±", "sup1": "¹", "sup2": "²", "sup3": "³", "micro": "µ", "middot": "·", "frac12": "½",
    "frac14": "¼", "frac34": "¾", "times": "×", "divide": "÷", "szlig": "ß", "auml": "ä", "ouml": "ö", "uuml": "ü",
    "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "Omega": "Ω", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    "laquo": "«", "raquo": "»", "bull": "•", "hellip": "…", "prime": "′", "Prime": "″", "euro": "€", "trade": "™",
    "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "le": "≤", "ge": "≥", "ne": "≠", "asymp": "≈",
    "infin": "∞", "sum": "∑", "radic": "√", "minus": "−", "shy": "\u{AD}", "ensp": " ", "emsp": " ", "thinsp": " ",
  ]

  /// The length of the longest reference, without `&` and `;`.
  static let longest = 32

  /// Returns the character of a reference such as `amp`, `#8211` and `#x2013`; nil if it is unknown.
  static func scalar(_ name: some StringProtocol) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return named[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let text = isHexadecimal ? digits.dropFirst() : digits
    // A sign is not a digit, even if number parsers accept it.
    guard let first = text.unicodeScalars.first, first.properties.isASCIIHexDigit else { return nil }
    guard let value = UInt32(text, radix: isHexadecimal ? 16 : 10) else { return "\u{FFFD}" }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

/// A layout of a table's rows as text with aligned columns; long cells take several lines.
struct TableLayout {
  /// The largest width of a column, in terminal columns.
  static let widest = 40
  /// The largest number of columns; further cells of a row are joined to the last one.
  static let mostColumns = 64

  private var rows: [[String]] = []

  /// A Boolean value indicating whether the table has no rows.
  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row of cells.
  mutating func add(_ cells: [String]) {
    guard cells.count > Self.mostColumns else {
      rows.append(cells)
      return
    }
    let last = cells[(Self.mostColumns - 1)...].joined(separator: " ")
    rows.append(cells.prefix(Self.mostColumns - 1) + [last])
  }

  /// The lines of the table.
  var lines: [String] {
    let widths = self.widths
    return rows.flatMap { Self.lines(of: $0, widths) }
  }

  private var widths: [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        let width = min(Self.widest, TextWidth.columns(cell))
        if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
      }
    }
    return widths
  }

  private static func lines(of row: [String], _ widths: [Int]) -> [String] {
    let cells = zip(row, widths).map { $0.isEmpty ? [] : TextWidth.wrapped($0, to: max(1, $1)) }
    let height = max(1, cells.reduce(0) { max($0, $1.count) })
    return (0..<height).map { line in
      var text = ""
      // Padding is written before a part, not after it: most lines of a long cell have nothing in the other columns.
      var blanks = 0
      for (cell, width) in zip(cells, widths) {
        if line < cell.count, !cell[line].isEmpty {
          text += String(repeating: " ", count: blanks) + cell[line]
          blanks = max(0, width - TextWidth.columns(cell[line]))
        } else {
          blanks += width
        }
        blanks += 2
      }
      return text.trimmedAtEnd()
    }
  }
}
