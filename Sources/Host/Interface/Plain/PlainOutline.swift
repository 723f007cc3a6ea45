import PluginAPI

/// A screen's outline as lines to read.
@MainActor enum PlainOutline {
  /// Returns the items that can be chosen, in order.
  static func choices(_ screen: Screen) -> [Outline.Item] {
    screen.controller.view.outline.items.filter { $0.action != nil }
  }

  /// Returns path, paragraphs, fields, items and status; items that can be chosen are numbered, others begin with a
  /// dash.
  static func lines(_ screen: Screen, path: [String], items limit: Int, filter: String) -> [String] {
    let outline = screen.controller.view.outline
    var way = path
    if way.last != screen.controller.title { way.append(screen.controller.title) }
    var lines = ["", way.joined(separator: " > ")]
    if !outline.title.isEmpty, outline.title != screen.controller.title { lines.append(outline.title) }
    lines += outline.text.filter { !$0.isEmpty }
    lines += outline.fields.map { "\($0.label): \($0.value)" }
    let items = rows(outline.items, filter: filter)
    if !filter.isEmpty {
      lines.append("\(items.count) of \(outline.items.count) items have '\(filter)'; / shows all")
    }
    lines += items.prefix(limit)
    if items.count > limit { lines.append("\(items.count - limit) more; press Enter to show them") }
    let status = screen.controller.status.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    if !status.isEmpty { lines.append("status: " + status) }
    let selected = screen.hostController == nil ? selection(on: screen) : ""
    if !selected.isEmpty { lines.append("selected: " + selected) }
    return lines
  }

  /// Returns a line without drawings: trees keep their indentation, and the sign of an error becomes a word.
  static func inWords(_ line: some StringProtocol) -> String {
    let sign = "✗ "
    let text = line.hasPrefix(sign) ? "error: " + line.dropFirst(sign.count) : String(line)
    guard text.unicodeScalars.contains(where: isDrawing) else { return text }
    return text.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "→": text += "->"
      case "←": text += "<-"
      case "↔": text += "<->"
      case "↑": text += "up"
      case "↓": text += "down"
      default: if isDrawing(scalar) { text += " " } else { text.unicodeScalars.append(scalar) }
      }
    }
  }

  /// Returns true for arrows, lines, blocks and dots that draw pictures.
  private static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2190...0x21FF, 0x2500...0x259F, 0x2800...0x28FF: true
    default: false
    }
  }

  /// Returns the text that a screen shows as selected by reversed cells: a row, a day, a field.
  ///
  /// Actions apply to it.
  private static func selection(on screen: Screen) -> String {
    var frame = TextFrame(size: screen.rect.size)
    frame.draw(screen.controller.view, in: frame.bounds)
    var words: [Substring] = []
    for y in 0..<frame.size.height {
      let text = (0..<frame.size.width).reduce(into: "") { text, x in
        let cell = frame[x, y]
        text += cell.style.attributes.contains(.reverse) ? cell.text : " "
      }
      words += inWords(text).split(separator: " ")
    }
    // Marks, such as that of a row with details, have no meaning in text.
    return words.filter { $0.contains { $0.isLetter || $0.isNumber } }.joined(separator: " ")
  }

  /// Returns the lines of the items that have a text, with the numbers they have among all items.
  private static func rows(_ items: [Outline.Item], filter: String) -> [String] {
    var number = 0
    return items.compactMap { item in
      if item.action != nil { number += 1 }
      guard filter.isEmpty || BytePattern(filter).firstRange(in: item.text.lowercased()) != nil else { return nil }
      return item.action == nil ? "- " + item.text : "\(number). \(item.text)"
    }
  }
}
