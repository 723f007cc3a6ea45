import PluginAPI

/// The command palette: everything that can be done from here, by name.
@MainActor final class PaletteController: HostController {
  private let entries: [PaletteEntry]
  private var line: InputLine
  private var hits: [PaletteRanking.Hit]
  private var cursor = RowCursor()
  private var size = Size(width: 0, height: 0)

  init(_ entries: [PaletteEntry], pattern: String = "") {
    self.entries = entries
    line = InputLine(pattern)
    hits = PaletteRanking.hits(pattern, in: entries)
  }

  var title: String { "Commands" }
  var wantsText: Bool { true }
  var hints: [KeyHint] { [KeyHint("enter", "run"), KeyHint("esc", "close")] }
  var view: any View { PaletteView(entries: entries, hits: hits, cursor: cursor, line: line) }

  func popoverSize(in size: Size) -> Size {
    Size(width: max(76, min(120, size.width * 2 / 3)), height: min(entries.count, max(14, size.height / 2)) + 2)
  }

  private var rows: Int { max(1, size.height - 2) }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(Key(.enter)): return hits.isEmpty ? [] : [.pop(.integer(hits[cursor.selected].index))]
    case .key(Key(.escape)): return [.pop(.null)]
    case .key(let key) where [.up, .down, .pageUp, .pageDown].contains(key.code):
      return cursor.handle(key, count: hits.count, height: rows) ? [] : nil
    case .key(Key(.tab)): return move(1)
    case .key(Key(.tab, .shift)): return move(-1)
    case .key, .paste: return type(event)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  func choose(item id: String) -> [Effect] { Int(id).map { [.pop(.integer($0))] } ?? [] }

  private func move(_ step: Int) -> [Effect] {
    cursor.selected += step
    cursor.reveal(count: hits.count, height: rows)
    return []
  }

  private func type(_ event: Event) -> [Effect]? {
    let before = line.text
    guard line.handle(event) else { return nil }
    if line.text != before {
      hits = PaletteRanking.hits(line.text, in: entries)
      cursor = RowCursor()
    }
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows):
      cursor.scroll(by: 3 * rows, count: hits.count, height: self.rows)
      return []
    case .press where mouse.button == .left:
      let index = cursor.visibleTop(count: hits.count, height: rows) + mouse.position.y - 2
      return mouse.position.y >= 2 && hits.indices.contains(index) ? [.pop(.integer(hits[index].index))] : []
    default: return nil
    }
  }
}

/// Draws the palette: the input line, a rule, and the matches.
private struct PaletteView: View {
  var entries: [PaletteEntry]
  var hits: [PaletteRanking.Hit]
  var cursor: RowCursor
  var line: InputLine

  /// The minimum number of columns for details beside the titles; below it the titles take all the space.
  private static let widthForDetails = 56

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    frame.put(":", x: 0, y: 0, .accent)
    line.draw(into: &frame, x: 2, y: 0, width: width - 3)
    if line.text.isEmpty { frame.put("Type to search", x: 2, y: 0, .secondary) }
    frame.put(String(repeating: "─", count: width), x: 0, y: 1, .secondary)
    if hits.isEmpty { frame.put("No matches for '\(line.text)'", x: 2, y: 2, .secondary) }
    let body = Rect(x: 0, y: 2, width: width, height: max(0, frame.size.height - 2))
    frame.inside(body, drawRows)
  }

  private func drawRows(_ frame: inout TextFrame) {
    let height = frame.size.height
    let top = cursor.visibleTop(count: hits.count, height: height)
    let isLong = hits.count > height
    let width = frame.size.width - (isLong ? 1 : 0)
    let widest = hits.reduce(0) { max($0, TextWidth.columns(entries[$1.index].title)) }
    let hasDetails = width >= Self.widthForDetails
    for row in 0..<max(0, min(height, hits.count - top)) {
      let entry = entries[hits[top + row].index]
      let rect = Rect(x: 0, y: row, width: width, height: 1)
      let isSelected = top + row == cursor.selected
      if isSelected { frame.clear(rect, .selection) }
      let (main, quiet) = isSelected ? (Style.selection, Style.selection) : (.plain, .secondary)
      frame.put(isSelected ? "▌" : " ", x: 0, y: row, .accent)
      let keys = TextWidth.columns(entry.keys)
      let titles = hasDetails ? min(width / 2, widest) : width - 3 - (keys > 0 ? keys + 2 : 0)
      frame.put(entry.title, matching: hits[top + row].positions, x: 2, y: row, width: titles, main)
      if hasDetails {
        let x = 2 + titles + 2
        frame.put(TextWidth.truncated(entry.detail, to: width - x - keys - 3), x: x, y: row, quiet)
      }
      if keys > 0, width - keys - 1 > 2 + titles {
        frame.put(entry.keys, x: width - keys - 1, y: row, isSelected ? main : .accent)
      }
    }
    if isLong { frame.scrollBar(x: width, rows: 0..<height, top: top, count: hits.count) }
  }

  var outline: Outline {
    Outline(
      title: "Commands",
      items: hits.map { hit in
        let entry = entries[hit.index]
        let text = [entry.title, entry.detail, entry.keys].filter { !$0.isEmpty }.joined(separator: "  ")
        return Outline.Item(id: "\(hit.index)", text: text, action: ActionInvocation("choose"))
      })
  }
}

/// Something the command palette offers.
struct PaletteEntry: Sendable {
  /// The action performed when the entry is chosen.
  enum Target: Sendable {
    case action(ActionInvocation)
    case command(plugin: String, CommandDescription)
    case screen(ScreenRequest)
    case host(HostKey)
  }

  var title: String
  var detail: String
  var keys = ""
  /// Other words to find it by.
  var synonyms: [String] = []
  /// True for a command of another plugin than the one whose screen is in front.
  var isForeign = false
  var target: Target

  init(_ title: String, detail: String, keys: String = "", synonyms: [String] = [], _ target: Target) {
    self.title = title
    self.detail = detail
    self.keys = keys
    self.synonyms = synonyms
    self.target = target
  }

  /// True for a command that deletes data: it is found by words, never by scattered letters.
  fileprivate var isDestructive: Bool {
    if case .command(_, let declaration) = target { declaration.effects.contains(.deletes) } else { false }
  }
}

/// Ranks the entries of the palette by a typed pattern.
enum PaletteRanking {
  /// A matching entry with the matched positions in its title.
  struct Hit: Sendable {
    var index: Int
    var positions: [Int]
  }

  /// The part of an entry that contains the typed words, the most significant first.
  private enum Field: Int {
    case synonym, title, synonyms, detail, scattered
  }

  /// Ranks entries: those with the typed words in title or synonyms, then those that have them in the detail, then those
  /// whose title has the letters in order.
  ///
  /// Among the first, kinds of matches decide (see `FuzzyMatch.Kind`), then commands of other plugins come last. An entry
  /// that declares the typed text as a synonym comes before entries that happen to have it in their title.
  /// - Complexity: O(*n*) over all bytes for entries that lack a letter, more for those that match.
  static func hits(_ pattern: String, in entries: [PaletteEntry]) -> [Hit] {
    if pattern.allSatisfy({ $0 == " " }) { return entries.indices.map { Hit(index: $0, positions: []) } }
    let found = entries.indices.compactMap { index in
      match(pattern, entries[index]).map { (index: index, field: $0.field, match: $0.match) }
    }
    // Sorting is stable: equals stay in the order of the entries.
    let ranked = found.sorted { left, right in
      rank(left.field, left.match, entries[left.index]) < rank(right.field, right.match, entries[right.index])
    }
    return ranked.map { hit in
      let length = entries[hit.index].title.count
      return Hit(index: hit.index, positions: hit.match.positions.filter { $0 < length })
    }
  }

  private static func match(_ pattern: String, _ entry: PaletteEntry) -> (field: Field, match: FuzzyMatch)? {
    let named = ([entry.title] + entry.synonyms).joined(separator: " ")
    if entry.synonyms.contains(pattern.lowercased()), let match = FuzzyMatch(pattern, in: named) {
      return (.synonym, match)
    }
    let title = FuzzyMatch(pattern, in: entry.title)
    if let title, title.kind > .scattered { return (.title, title) }
    if let match = FuzzyMatch(pattern, in: named), match.kind > .initials { return (.synonyms, match) }
    if let match = FuzzyMatch(pattern, in: named + " " + entry.detail), match.kind > .initials {
      return (.detail, match)
    }
    return entry.isDestructive ? nil : title.map { (.scattered, $0) }
  }

  /// Returns the rank as a tuple, in whose order the best is first.
  private static func rank(_ field: Field, _ match: FuzzyMatch, _ entry: PaletteEntry) -> (Int, Int, Int, Int, Int) {
    let group = max(field.rawValue, Field.synonyms.rawValue)
    return (group, -match.kind.rawValue, entry.isForeign ? 1 : 0, field.rawValue, -match.score)
  }
}
