import PluginAPI
import PluginText

/// The text that labels a node.
enum NodeLabel {
  /// The maximum number of lines in a label.
  private static let mostLines = 3

  /// Returns the lines inside a node's box, or those that replace it; never empty.
  static func lines(_ text: String, _ node: GraphNode, _ options: TextDrawing.Options) -> [String] {
    switch options.zoom {
    case .overview: return [dot(node.kind, isASCII: options.isASCII)]
    case .names:
      var lines = broken(text, limit: min(options.labelLimit, 18), most: min(options.labelLimit, 24), options)
      if node.kind != .process || node.isPoint { return lines }
      lines[0] = "[" + lines[0]
      lines[lines.count - 1] += "]"
      return lines
    case .full: return broken(text, limit: min(options.labelLimit, 20), most: options.labelLimit, options)
    }
  }

  /// Returns the text of a molecule beside its process, in one line.
  private static func stub(_ text: String, _ kind: GraphNode.Kind, _ options: TextDrawing.Options) -> String {
    if options.zoom == .overview { return dot(kind, isASCII: options.isASCII) }
    return cut(text, to: max(1, min(options.labelLimit, 16)), isASCII: options.isASCII)
  }

  /// Returns a text broken at spaces and after hyphens into lines of about equal length.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of columns in a line; a single word may exceed it.
  ///   - most: The maximum number of columns in a word.
  private static func broken(_ text: String, limit: Int, most: Int, _ options: TextDrawing.Options) -> [String] {
    let words = words(text)
    let lines = fill(words, limit: max(1, limit))
    if lines.count > mostLines {
      return fill(words, limit: max(1, limit), most: mostLines).map {
        cut($0, to: max(1, most), isASCII: options.isASCII)
      }
    }
    var best = lines
    var room = (lines.map { TextWidth.columns($0) }.max() ?? 1) - 1
    while room > 0 {
      let next = fill(words, limit: room)
      if next.count > lines.count || next.contains(where: { TextWidth.columns($0) > room }) { break }
      best = next
      room -= 1
    }
    return best.map { cut($0, to: max(1, most), isASCII: options.isASCII) }
  }

  /// Returns the words with their trailing space, split after hyphens.
  private static func words(_ text: String) -> [String] {
    var (result, word): ([String], String) = ([], "")
    for character in text {
      word.append(character)
      if character == " " || (character == "-" || character == "–") && word.count(where: \.isLetter) > 2 {
        result.append(word)
        word = ""
      }
    }
    if !word.isEmpty { result.append(word) }
    return result
  }

  /// Returns words in lines of a limited width; the last of `most` lines takes all remaining words.
  private static func fill(_ words: [String], limit: Int, most: Int = .max) -> [String] {
    var (lines, line): ([String], String) = ([], "")
    for word in words {
      let isFull = TextWidth.columns((line + word).trimmedAtEnd()) > limit
      if isFull, !line.isEmpty, lines.count < most - 1 {
        lines.append(line.trimmedAtEnd())
        line = ""
      }
      line += word
    }
    let last = line.trimmedAtEnd()
    return last.isEmpty && !lines.isEmpty ? lines : lines + [last]
  }

  private static func dot(_ kind: GraphNode.Kind, isASCII: Bool) -> String {
    switch kind {
    case .pool: isASCII ? "o" : "●"
    case .process: isASCII ? "#" : "■"
    case .macromolecule: isASCII ? "@" : "◆"
    case .pathway: isASCII ? "*" : "▣"
    case .other: isASCII ? "." : "·"
    }
  }

  /// Returns the labels of places, in lines; different names get different labels.
  ///
  /// The label of a molecule beside a transport names its compartment too.
  static func lines(
    _ layout: GraphLayout, _ graph: ReactionGraph, _ options: TextDrawing.Options
  ) -> [[String]] {
    let nodes = layout.places.map { graph.nodes[$0.node] }
    let mark = options.isASCII ? ".." : "…"
    func roomText(_ name: String) -> String { cut(name, to: max(1, options.labelLimit), isASCII: options.isASCII) }
    let roomNames = ShownNames.distinct(
      graph.compartments.map { SanitizedText.line($0.name) },
      ids: graph.compartments.map { SanitizedText.line($0.id.text) }, mark: mark
    ) { roomText($1) }
    let transports = graph.transports
    let rooms = layout.places.map { place -> String in
      guard options.zoom != .overview, let host = place.beside, transports.contains(layout.places[host].node),
        let room = graph.nodes[place.node].compartment, roomNames.indices.contains(room)
      else { return "" }
      return " [\(roomText(roomNames[room]))]"
    }
    func lines(_ index: Int, _ text: String) -> [String] {
      layout.places[index].beside == nil
        ? Self.lines(text, nodes[index], options) : [stub(text, nodes[index].kind, options) + rooms[index]]
    }
    var names = nodes.map { text($0, options) }
    if options.zoom != .overview {
      names = ShownNames.distinct(
        names, ids: nodes.map { SanitizedText.line($0.id.text) }, mark: mark, seen: lines)
    }
    return names.indices.map { lines($0, names[$0]) }
  }

  /// Returns the name of a node; else a mark of its kind for points and unnamed nodes of maps; else its identifier.
  private static func text(_ node: GraphNode, _ options: TextDrawing.Options) -> String {
    if node.isPoint || node.isUnnamed { return dot(node.kind, isASCII: options.isASCII) }
    let name = ShownNames.short(node) ?? node.shownName
    for text in [name, node.id.text].map({ SanitizedText.line($0) })
    where TextWidth.columns(text.trimmedAtEnd()) > 0 { return text }
    return "?"
  }

  /// Returns a text truncated to a number of columns, with a mark if something was cut.
  static func cut(_ text: String, to limit: Int, isASCII: Bool) -> String {
    if !isASCII || TextWidth.columns(text) <= limit { return TextWidth.truncated(text, to: limit) }
    return limit > 2 ? TextWidth.prefix(text, columns: limit - 2) + ".." : String(repeating: ".", count: max(0, limit))
  }
}
