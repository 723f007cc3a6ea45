import PluginAPI

/// The view of the molecule's picture with a button for the library in its corner, or of a message if there is no
/// picture.
struct ViewerView: View {
  /// The picture; nil if there is none.
  var picture: Picture?
  /// The texts over the picture, positioned by cells.
  var labels: [LabelLayout.Placed] = []
  /// The legend of the colors, shown in the last line; nil for none.
  var legend: ColorLegend?
  /// The message shown if there is no picture.
  var message: String
  /// Code and title, for linear reading.
  var title: String
  /// The fields for linear reading.
  var fields: [Outline.Field]

  /// Returns the corner that leads to the library: large, since a small target is easily missed.
  static func infoCorner(of size: Size) -> Rect {
    let (width, height) = (min(10, size.width / 3), min(3, size.height / 3))
    return Rect(x: size.width - width, y: size.height - height, width: width, height: height)
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    if let picture {
      frame.place(picture, in: frame.bounds)
      for label in labels { frame.put(label.text, x: label.x, y: label.y, .heading) }
      legend.map { drawLegend($0, into: &frame) }
    } else if !message.isEmpty {
      let lines = TextWidth.wrapped(message, to: max(1, size.width - 2))
      for (index, line) in lines.enumerated() {
        let x = max(0, (size.width - TextWidth.columns(line)) / 2)
        frame.put(line, x: x, y: max(0, (size.height - lines.count) / 2) + index, .secondary)
      }
    }
    drawInfo(into: &frame)
  }

  /// Draws the legend in the room beside the button for the library.
  private func drawLegend(_ legend: ColorLegend, into frame: inout TextFrame) {
    let y = frame.size.height - 1
    let end = frame.size.width - Self.infoCorner(of: frame.size).width - 1
    guard y > 2 else { return }
    var x = 0
    func put(_ text: String, _ style: Style) -> Bool {
      guard x + TextWidth.columns(text) <= end else { return false }
      x = frame.put(text, x: x, y: y, style)
      return true
    }
    if let ramp = legend.ramp {
      guard x + TextWidth.columns(legend.low + legend.high) + 14 <= end else { return }
      _ = put(legend.low + " ", .plain)
      for step in 0..<12 { _ = put("█", Style(foreground: ramp.color(at: Float(step) / 11).terminal)) }
      _ = put(" " + legend.high, .plain)
      return
    }
    for (index, entry) in legend.entries.enumerated() {
      let rest = legend.entries.count - index
      let width = TextWidth.columns(entry.title) + 3
      guard x + width + (rest > 1 ? 4 : 0) <= end else {
        _ = put("+\(rest)", .secondary)
        return
      }
      _ = put("█ ", Style(foreground: entry.color.terminal))
      _ = put(entry.title + " ", .plain)
    }
  }

  private func drawInfo(into frame: inout TextFrame) {
    let corner = Self.infoCorner(of: frame.size)
    let text = corner.width >= 10 ? " i Library" : " i "
    guard corner.width >= 3, corner.height >= 1 else { return }
    frame.put(
      text, x: frame.size.width - text.count, y: frame.size.height - 1, Style.accent.adding(.reverse))
  }

  var outline: Outline {
    Outline(
      title: title, text: picture == nil && !message.isEmpty ? [message] : [], fields: fields,
      items: [
        Outline.Item(
          id: "library", text: "Library of molecules", action: ActionInvocation(ViewerAction.library.rawValue))
      ])
  }
}

extension RGBColor {
  /// The color in the terminal's form.
  fileprivate var terminal: Color { .rgb(red, green, blue) }
}

/// A view of a chain's sequence with its secondary structure: numbers above the letters, helices and strands below.
struct SequenceStripView: View {
  /// The message shown if there is no sequence.
  var message = ""
  var row: SequenceRow?
  /// The index of the cursor.
  var column = 0
  /// The number of the chain and the number of chains, counted from 1.
  var position = (chain: 1, of: 1)
  var isActive = false
  /// The name of the cursor's residue.
  var residue = ""

  /// The number of rows it occupies.
  static let height = 4
  private static let margin = 1

  /// Returns the visible indices at a width, with the cursor as near to the center as the ends allow.
  func visible(width: Int) -> Range<Int> {
    let count = row?.places.count ?? 0
    let room = min(count, max(0, width - 2 * Self.margin))
    let first = max(0, min(column - room / 2, count - room))
    return first..<first + room
  }

  /// Returns the index at a cell of the strip; nil outside the letters.
  func column(x: Int, y: Int, width: Int) -> Int? {
    let seen = visible(width: width)
    let column = seen.lowerBound + x - Self.margin
    return (1...3).contains(y) && x >= Self.margin && seen.contains(column) ? column : nil
  }

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    guard let row else {
      frame.put(String(repeating: "─", count: width), x: 0, y: 0, .secondary)
      frame.put(TextWidth.truncated(message, to: max(0, width - 2)), x: 1, y: 1, .secondary)
      return
    }
    drawHead(row, into: &frame)
    let seen = visible(width: width)
    for (offset, column) in seen.enumerated() {
      let place = row.places[column]
      let x = Self.margin + offset
      let isCursor = column == self.column
      let style = Self.style(place.kind)
      frame.put(
        String(place.letter), x: x, y: 2, isCursor ? style.adding(isActive ? [.reverse, .bold] : .underline) : style)
      frame.put(Self.glyph(column, row.places), x: x, y: 3, style)
    }
    drawNumbers(row, seen, into: &frame)
    if seen.lowerBound > 0 { frame.put("‹", x: 0, y: 2, .accent) }
    if seen.upperBound < row.places.count { frame.put("›", x: width - 1, y: 2, .accent) }
  }

  private func drawHead(_ row: SequenceRow, into frame: inout TextFrame) {
    let width = frame.size.width
    frame.put(String(repeating: "─", count: width), x: 0, y: 0, .secondary)
    let chain = "chain \(row.chain.isEmpty ? "without a name" : row.chain)"
    let of = position.of > 1 ? " (\(position.chain) of \(position.of))" : ""
    let kind = row.places.indices.contains(column) ? Self.name(row.places[column].kind) : ""
    let text = [chain + of, residue, kind].filter { !$0.isEmpty }.joined(separator: "  ")
    frame.put(
      " " + TextWidth.truncated(text, to: max(0, width - 6)) + " ", x: 2, y: 0, isActive ? .accent : .secondary)
  }

  /// Writes the number of every tenth residue above its letter.
  private func drawNumbers(_ row: SequenceRow, _ seen: Range<Int>, into frame: inout TextFrame) {
    var free = 0
    for column in seen where column % 10 == 9 || column == 0 || column == self.column {
      let number = row.places[column].number
      let x = Self.margin + column - seen.lowerBound
      guard x >= free, x + number.count <= frame.size.width else { continue }
      free = frame.put(number, x: x, y: 1, column == self.column ? .accent : .secondary) + 1
    }
  }

  private static func style(_ kind: SecondaryStructureKind?) -> Style {
    guard let kind else { return .plain }
    if kind.isHelix { return Style(foreground: .palette(5)) }
    if kind.isSheet || kind == .bridge { return Style(foreground: .palette(3)) }
    return .plain
  }

  /// Returns the glyph of a residue: a helix as waves, a strand as a line with a head at its end, turns and bends as
  /// their letters.
  private static func glyph(_ column: Int, _ places: [SequenceRow.Place]) -> String {
    guard let kind = places[column].kind else { return " " }
    switch kind {
    case .alphaHelix: return "≈"
    case .helix310, .piHelix, .polyproline: return "~"
    case .strand:
      let isEnd = column + 1 == places.count || places[column + 1].kind != .strand
      return isEnd ? "▶" : "━"
    case .bridge: return "╺"
    case .turn, .bend: return "·"
    case .coil: return " "
    }
  }

  /// Returns the display name.
  private static func name(_ kind: SecondaryStructureKind?) -> String {
    switch kind {
    case .alphaHelix?: "α helix"
    case .helix310?: "3-10 helix"
    case .piHelix?: "π helix"
    case .polyproline?: "polyproline helix"
    case .strand?: "strand"
    case .bridge?: "bridge"
    case .turn?: "turn"
    case .bend?: "bend"
    case .coil?, nil: ""
    }
  }

  var outline: Outline {
    guard let row else { return Outline(title: "Sequence", text: [message]) }
    let letters = String(row.places.map(\.letter))
    let kinds = String(row.places.map { $0.kind?.letter ?? " " })
    return Outline(
      title: "Sequence of chain \(row.chain)", text: [letters, kinds],
      fields: residue.isEmpty ? [] : [.init("residue", residue)])
  }
}

struct StripBelow: View {
  var view: any View
  var strip: SequenceStripView

  func draw(into frame: inout TextFrame) {
    let (top, bottom) = frame.bounds.split(top: max(0, frame.size.height - SequenceStripView.height))
    frame.draw(view, in: top)
    frame.draw(strip, in: bottom)
  }

  var outline: Outline {
    var outline = view.outline
    let strip = self.strip.outline
    outline.text += [strip.title] + strip.text
    outline.fields += strip.fields
    return outline
  }
}

/// A view during the flip animation: narrower, about its center.
struct FlipView: View {
  var view: any View
  /// The progress of the flip, 0 from the side to 1 from the front.
  var share: Double

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    let width = max(min(1, size.width), Int((Double(size.width) * min(max(0, share), 1)).rounded()))
    frame.draw(view, in: Rect(x: (size.width - width) / 2, y: 0, width: width, height: size.height))
  }

  var outline: Outline { view.outline }
}
