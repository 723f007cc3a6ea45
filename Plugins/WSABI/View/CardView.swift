import PluginAPI

/// The capture card: picture and button on its front, annotations on its back.
struct CardView: View {
  var state: CardState

  func draw(into frame: inout TextFrame) {
    guard let item = state.item else {
      frame.put("loading …", x: 2, y: 0, .secondary)
      return
    }
    let title = "\(item.submodality.title) · \(state.personName)"
    frame.put(TextWidth.truncated(title, to: frame.size.width - 4), x: 2, y: 0, .heading)
    let body = frame.bounds.split(top: 1).rest
    if state.isBack {
      frame.draw(CardBackView(state: state), in: body)
    } else {
      frame.draw(CardFrontView(state: state), in: body)
    }
  }

  var outline: Outline {
    guard let item = state.item else { return Outline(title: "Capture", text: ["loading …"]) }
    let part = state.isBack ? CardBackView(state: state).outline : CardFrontView(state: state).outline
    return Outline(
      title: "\(item.submodality.title) · \(state.personName)", text: part.text, fields: part.fields, items: part.items)
  }
}

/// The front of the card: the picture, the facts, and the button.
struct CardFrontView: View {
  var state: CardState

  /// Returns the area of the picture in a card's body.
  static func picture(in rect: Rect) -> Rect {
    let above = Rect(x: rect.x, y: rect.y, width: rect.width, height: max(0, rect.height - 3))
    return above.width >= 72 ? above.split(left: above.width - 34).left : above
  }

  /// Returns the area of the button in a card's body.
  static func button(in rect: Rect) -> Rect {
    let y = rect.y + max(0, rect.height - 3)
    return Rect(x: rect.x, y: y, width: rect.width, height: min(1, rect.height))
  }

  func draw(into frame: inout TextFrame) {
    let area = Self.picture(in: frame.bounds)
    let inner = frame.box(area, title: pictureTitle)
    switch state.shown {
    case .words(let words): frame.put(centered: words, in: inner, width: inner.width - 2, .secondary)
    case .stored(let picture), .live(let picture):
      let size = picture.size.cells(in: inner.size, pixelsPerCell: frame.pixelsPerCell)
      frame.place(picture, in: inner.centered(size))
    }
    if area.width < frame.size.width {
      drawFacts(
        in: Rect(x: area.width + 2, y: 0, width: frame.size.width - area.width - 3, height: area.height), &frame)
    }
    let lines = drawButton(Self.button(in: frame.bounds), into: &frame)
    drawNotices(below: lines, into: &frame)
  }

  /// Draws two lines below the button, always including the newest notice.
  private func drawNotices(below buttonLines: Int, into frame: inout TextFrame) {
    let width = max(1, frame.size.width - 4)
    let room = max(0, 3 - buttonLines)
    let lines = notices.flatMap { Array(TextWidth.wrapped($0, to: width).prefix(2)) }.suffix(room)
    for (index, line) in lines.enumerated() where frame.size.height > 3 {
      frame.put(line, x: 2, y: frame.size.height - room + index, .warning)
    }
  }

  /// The notices below the button, the most important last, as there may not be room for all.
  private var notices: [String] {
    let loss = state.isCapturing || state.isFetching ? nil : state.item?.lossWords
    let other = state.item.flatMap(CaptureText.otherPart)
    // It is also reported as an event, at greater length, and is shown whenever the card is opened.
    let news = state.notices.filter { notice in other.map { !notice.hasPrefix($0) } ?? true }
    return ([loss ?? "", state.heldWords] + news + [other ?? ""]).filter { !$0.isEmpty }
  }

  private var pictureTitle: String {
    switch state.shown {
    case .words: ""
    case .stored: "Stored"
    case .live: "Live"
    }
  }

  /// Sensor and capture, as named values.
  private var fields: [Outline.Field] {
    guard let item = state.item else { return [] }
    let sensor = [
      Outline.Field("Sensor", item.device.name.isEmpty ? "unnamed" : item.device.name),
      Outline.Field("Address", item.device.address),
    ]
    let marks = zip(state.parts, state.conditions).filter { $1 != .present }.map { "\($0.title) \($1.rawValue)" }
    var annotations = marks.isEmpty ? [] : [Outline.Field("Parts", marks.joined(separator: ", "))]
    if !state.open.isEmpty { annotations.append(Outline.Field("Fingers to capture", openWords)) }
    guard let capture = item.capture else { return sensor + annotations }
    return sensor + CaptureText.names(capture, of: item) + CaptureText.answer(item) + CaptureText.fields(capture)
      + annotations
      + CaptureText.metadata(capture, of: item)
  }

  /// The fingers still to be captured, four by name.
  private var openWords: String {
    let named = state.open.prefix(4).joined(separator: ", ")
    return state.open.count > 4 ? "\(named) and \(state.open.count - 4) more" : named
  }

  private func drawFacts(in rect: Rect, _ frame: inout TextFrame) {
    for (y, runs) in FactLines.lines(of: fields, in: rect.size).enumerated() {
      frame.put(runs, x: rect.x, y: rect.y + y)
    }
  }

  /// - Returns: The number of its lines: a problem has up to three.
  private func drawButton(_ rect: Rect, into frame: inout TextFrame) -> Int {
    guard !rect.isEmpty else { return 0 }
    let width = max(1, rect.width - 2)
    var lines = [TextWidth.truncated(buttonLine, to: width)]
    if case .warning = state.button, frame.size.height > 3 {
      lines = TextWidth.wrapped(buttonLine, to: width)
      if lines.count > 3 {
        lines[2] = TextWidth.truncated(lines[2...].joined(separator: " "), to: width)
        lines.removeSubrange(3...)
      }
    }
    for (index, line) in lines.enumerated() {
      frame.put(line, x: max(0, (rect.width - TextWidth.columns(line)) / 2), y: rect.y + index, buttonStyle)
    }
    return lines.count
  }

  /// The button with its sign, such as `[ ● Tap to capture ]`.
  private var buttonLine: String {
    let text = state.buttonText
    switch state.button {
    case .inactive:
      guard let capture = state.item?.capture else { return "" }
      let captured = capture.quality.map { "captured · quality \($0.score) of 100" } ?? "captured"
      return state.offeredNext.map { "[ ▶ Next: \($0.submodality.title) ] \(captured)" } ?? captured
    case .capture: return "[ \(state.phase % 2 == 0 ? "●" : "○") \(text) ]"
    case .stop: return "[ ■ \(text) ]"
    case .warning: return "[ ▲ \(text) ]"
    case .waiting, .waitingToRestart:
      let spinner = ["◐", "◓", "◑", "◒"][state.phase % 4]
      return text.isEmpty ? "[ \(spinner) ]" : "[ \(spinner) \(text) ]"
    }
  }

  private var buttonStyle: Style {
    switch state.button {
    case .inactive: state.offeredNext == nil ? .secondary : .accent
    case .capture: Style.accent.adding(.bold)
    case .stop: .error
    case .warning: .warning
    case .waiting, .waitingToRestart: .accent
    }
  }

  var outline: Outline {
    var texts: [String] = []
    if case .words(let words) = state.shown, !words.isEmpty { texts.append(words) }
    texts += notices
    let text = state.buttonText.isEmpty && state.button.isEnabled ? "waiting" : state.buttonText
    let next = state.offeredNext.map { "Next: \($0.submodality.title)" }
    let button =
      (state.button.isEnabled ? text : next).map {
        [Outline.Item(id: "press", text: $0, action: ActionInvocation(CardAction.press))]
      } ?? []
    return Outline(title: "Capture", text: texts, fields: fields, items: button)
  }
}

/// Named values beside the picture of a card; omitted or truncated ones are marked.
enum FactLines {
  /// Returns the lines for a size: each name above its value if there is room, otherwise beside it.
  static func lines(of fields: [Outline.Field], in size: Size) -> [[StyledText.Run]] {
    guard size.width > 0, size.height > 0 else { return [] }
    let roomy = fields.map { lines(of: $0, beside: nil, width: size.width) }
    if roomy.reduce(0, { $0 + $1.count }) <= size.height { return Array(roomy.joined()) }
    let labelWidth = fields.map { TextWidth.columns($0.label) }.filter { $0 <= size.width / 2 }.max() ?? 0
    let close = fields.map { lines(of: $0, beside: labelWidth, width: size.width) }
    if close.reduce(0, { $0 + $1.count }) <= size.height { return Array(close.joined()) }
    return cut(close, size)
  }

  /// Returns the first fields, and the number of omitted ones.
  private static func cut(_ fields: [[[StyledText.Run]]], _ size: Size) -> [[StyledText.Run]] {
    var shown: [[StyledText.Run]] = []
    var count = 0
    while count < fields.count, shown.count + fields[count].count < size.height {
      shown += fields[count]
      count += 1
    }
    let words = TextWidth.truncated("… and \(fields.count - count) more", to: size.width)
    return shown + [[.init(words, .secondary)]]
  }

  /// - Parameter labelWidth: The columns of names beside their values; nil if all are above them.
  private static func lines(
    of field: Outline.Field, beside labelWidth: Int?, width: Int
  ) -> [[StyledText.Run]] {
    let value = field.value.split(whereSeparator: \.isNewline).joined(separator: " ")
    if let labelWidth, TextWidth.columns(field.label) <= labelWidth,
      labelWidth + 2 + TextWidth.columns(value) <= width
    {
      return [[.init(TextWidth.padded(field.label, to: labelWidth + 2), .secondary), .init(value)]]
    }
    var lines = TextWidth.wrapped(value, to: width)
    if lines.count > 2 { lines = [lines[0], TextWidth.truncated(lines[1...].joined(separator: " "), to: width)] }
    return [[.init(TextWidth.truncated(field.label, to: width), .secondary)]] + lines.map { [.init($0)] }
  }
}

/// The back of the card: the condition of each part of the body, and notes.
private struct CardBackView: View {
  var state: CardState

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    let labelWidth = max(10, state.parts.reduce(0) { max($0, TextWidth.columns($1.title)) })
    for (index, part) in state.parts.enumerated() {
      let condition = state.conditions[index]
      frame.put(TextWidth.truncated(part.title, to: labelWidth), x: 2, y: 1 + index)
      let words = TextWidth.truncated(condition.shownText, to: max(1, width - labelWidth - 5))
      frame.put(words, x: 4 + labelWidth, y: 1 + index, condition == .present ? .secondary : .warning)
    }
    let notes = state.item?.annotation.notes ?? ""
    let y = 2 + state.parts.count
    frame.put("Notes", x: 2, y: y)
    let shown = notes.isEmpty ? ["none"] : Self.lines(notes, max(1, width - labelWidth - 6), frame.size.height - y)
    for (index, line) in shown.enumerated() {
      frame.put(line, x: 4 + labelWidth, y: y + index, notes.isEmpty ? .secondary : .plain)
    }
    let selected = state.selectedLine < state.parts.count ? 1 + state.selectedLine : y
    frame.put("▌", x: 0, y: selected, .accent)
  }

  /// Returns the lines of notes that fit, the last one marked if there are more.
  private static func lines(_ notes: String, _ width: Int, _ height: Int) -> [String] {
    let lines = TextWidth.wrapped(notes, to: width)
    guard lines.count > height, height > 0 else { return lines }
    return lines.prefix(height - 1) + [TextWidth.truncated(lines[height - 1] + " …", to: width)]
  }

  var outline: Outline {
    let parts = zip(state.parts, state.conditions).enumerated().map { index, pair in
      Outline.Item(
        id: "part-\(index)", text: "\(pair.0.title): \(pair.1.shownText)",
        action: ActionInvocation(CardAction.chooseLine).with(WSABIArgument.part, index))
    }
    let notes = state.item?.annotation.notes ?? ""
    return Outline(
      title: "Annotations",
      items: parts + [
        Outline.Item(
          id: "notes", text: notes.isEmpty ? "Notes: none" : "Notes: \(notes)",
          action: ActionInvocation(CardAction.chooseLine).with(WSABIArgument.part, state.parts.count))
      ])
  }
}

extension TextFrame {
  /// Draws a text in the middle of an area, wrapped to a width, with as many lines as there is room for.
  mutating func put(centered text: String, in rect: Rect, width: Int, _ style: Style) {
    let lines = TextWidth.wrapped(text, to: width).prefix(rect.height)
    let top = rect.y + (rect.height - lines.count) / 2
    for (index, line) in lines.enumerated() {
      put(line, x: rect.x + (rect.width - TextWidth.columns(line)) / 2, y: top + index, style)
    }
  }
}

extension PartCondition {
  /// The text shown to people.
  var shownText: String {
    switch self {
    case .present: "present"
    case .amputated: "amputated"
    case .unprintable: "cannot be captured"
    case .bandaged: "bandaged"
    }
  }
}

/// One capture over the whole screen.
struct LightboxView: View {
  var picture: Picture?
  var title: String
  /// The reason there is no picture.
  var note: String
  var fields: [Outline.Field] = []
  /// The picture's position in the sequence, and the visible part.
  var position = ""

  func draw(into frame: inout TextFrame) {
    guard let picture else {
      frame.put(TextWidth.truncated(note, to: frame.size.width - 2), x: 2, y: frame.size.height / 2, .secondary)
      var y = frame.size.height / 2 + 2
      for field in fields where y < frame.size.height {
        frame.put(TextWidth.truncated("\(field.label): \(field.value)", to: frame.size.width - 4), x: 4, y: y)
        y += 1
      }
      return
    }
    let size = picture.size.cells(in: frame.size, pixelsPerCell: frame.pixelsPerCell)
    frame.place(picture, in: frame.bounds.centered(size))
  }

  var outline: Outline { Outline(title: title, text: [position, note].filter { !$0.isEmpty }, fields: fields) }
}
