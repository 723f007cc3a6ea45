import PluginAPI

/// The last row of the frame: messages at the left, important keys at the right; or a text over the rows above too.
@MainActor struct StatusLine {
  private let screens: ScreenStack
  private let setup: Navigator.Setup
  private let notices: NoticeLine
  private let input: ScreenInput

  /// A hint on the screen; a click on it acts as its key.
  struct ShownHint {
    let rect: Rect
    let key: Key
  }

  init(screens: ScreenStack, setup: Navigator.Setup, notices: NoticeLine, input: ScreenInput) {
    self.screens = screens
    self.setup = setup
    self.notices = notices
    self.input = input
  }

  private var notice: Diagnostic? { notices.notice }

  /// Draws the keys that may follow, a notice of several rows, or the row.
  ///
  /// - Returns: The hints for clicks.
  func draw(into frame: inout TextFrame) -> [ShownHint] {
    guard !drawFollowingKeys(into: &frame), !drawLongNotice(into: &frame) else { return [] }
    var shown: [ShownHint] = []
    let y = frame.size.height - 1
    let runs = statusRuns(in: frame.size)
    let runsWidth = runs.reduce(0) { $0 + TextWidth.columns($1.text) }
    let leastWidth = notice == nil ? min(runsWidth, frame.size.width / 2) : runsWidth
    let slowCall = notices.slowCall
    let callWidth = slowCall.map { TextWidth.columns($0) + 2 } ?? 0
    let hints = fittingHints(frame.size.width - 4 - leastWidth, own: frame.size.width - 4 - runsWidth - callWidth)
    var x = frame.size.width - 1 - hints.reduce(-3) { $0 + Self.width($1.hint) + 3 }
    let end = hints.isEmpty ? frame.size.width - 1 : x - 2
    let left = frame.put(Self.cut(runs, to: end - 1), x: 1, y: y)
    if let slowCall, left + callWidth < end { frame.put(slowCall, x: left + 2, y: y, .secondary) }
    for (hint, key) in hints {
      let start = x
      x = frame.put(hint.key, x: x, y: y, .accent)
      x = frame.put(" " + hint.text, x: x, y: y, .secondary)
      if let key { shown.append(ShownHint(rect: Rect(x: start, y: y, width: x - start, height: 1), key: key)) }
      x += 3
    }
    return shown
  }

  /// Draws the keys that may follow the beginning of a sequence, in columns, over the rows above too.
  ///
  /// - Returns: True if there are any.
  private func drawFollowingKeys(into frame: inout TextFrame) -> Bool {
    let hints = input.followingKeys
    guard !hints.isEmpty else { return false }
    let typed = KeyHelp.labels(input.pendingKeys)
    let first = TextWidth.columns(typed) + 2
    let keyWidth = hints.reduce(0) { max($0, TextWidth.columns($1.key)) }
    let textWidth = hints.reduce(0) { max($0, TextWidth.columns($1.text)) }
    let width = max(1, frame.size.width - 2 - first)
    let count = max(1, (width + 3) / (keyWidth + 1 + textWidth + 3))
    let rows = min((hints.count + count - 1) / count, max(1, frame.size.height / 2))
    let top = frame.size.height - rows
    frame.clear(Rect(x: 0, y: top, width: frame.size.width, height: rows))
    frame.put(typed, x: 1, y: top, .heading)
    for (index, hint) in hints.prefix(rows * count).enumerated() {
      let x = 1 + first + index % count * (keyWidth + 1 + textWidth + 3)
      let end = frame.put(TextWidth.padded(hint.key, to: keyWidth), x: x, y: top + index / count, .accent)
      frame.put(
        TextWidth.truncated(hint.text, to: max(0, frame.size.width - end - 1)), x: end + 1, y: top + index / count)
    }
    return true
  }

  /// Draws a notice that does not fit into one row.
  ///
  /// - Returns: True if there was one.
  private func drawLongNotice(into frame: inout TextFrame) -> Bool {
    guard let notice else { return false }
    let lines = noticeLines(notice, in: frame.size)
    guard lines.count > 1 else { return false }
    let (width, top) = (frame.size.width, frame.size.height - lines.count)
    frame.clear(Rect(x: 0, y: top, width: width, height: lines.count))
    let mark = NoticeText.mark(notice.severity)
    frame.put([mark].compactMap { $0 }, x: 1, y: top)
    let x = 1 + (mark.map { TextWidth.columns($0.text) } ?? 0)
    for (row, line) in lines.enumerated() { frame.put(line, x: x, y: top + row, mark?.style ?? .plain) }
    return true
  }

  /// Returns the lines of a notice, at most a third of the screen unless the advice needs more.
  private func noticeLines(_ notice: Diagnostic, in size: Size) -> [String] {
    let mark = NoticeText.mark(notice.severity).map { TextWidth.columns($0.text) } ?? 0
    return NoticeText.lines(
      notice, width: size.width - 2 - mark, limit: max(1, size.height / 3), height: size.height)
  }

  private static func width(_ hint: KeyHint) -> Int { TextWidth.columns(hint.key) + 1 + TextWidth.columns(hint.text) }

  /// Returns the beginning of consecutive texts, with an ellipsis if anything is left out.
  static func cut(_ runs: [StyledText.Run], to width: Int) -> [StyledText.Run] {
    guard runs.reduce(0, { $0 + TextWidth.columns($1.text) }) > width else { return runs }
    var shown: [StyledText.Run] = []
    var room = width - 1
    for run in runs where room >= 0 {
      let text = TextWidth.prefix(run.text, columns: room)
      let isCut = text.count < run.text.count
      shown.append(.init(isCut ? text + "…" : text, run.style))
      room = isCut ? -1 : room - TextWidth.columns(text)
    }
    return shown
  }

  /// Returns the contents of the status line: a notice for a while, otherwise the screen's own texts.
  private func statusRuns(in size: Size) -> [StyledText.Run] {
    if let notice {
      let mark = NoticeText.mark(notice.severity)
      let line = noticeLines(notice, in: size).joined()
      return [mark, .init(line, mark?.style ?? .plain)].compactMap { $0 }
    }
    let focused = screens.focused
    let shown = focused?.placement == .popover ? screens.frontContent : focused
    let texts = shown?.controller.status.filter { !$0.text.isEmpty } ?? []
    return Array(texts.map { [$0] }.joined(separator: [.init(" · ", .secondary)]))
  }

  /// Returns the hints in the order shown, as many as fit; the first ones are dropped first.
  ///
  /// - Parameters:
  ///   - room: The columns for the host's hints.
  ///   - own: The columns for all hints, including the screen's own, which must not cut any message.
  private func fittingHints(_ room: Int, own: Int) -> [(hint: KeyHint, key: Key?)] {
    var hints = hostHints
    var used = hints.reduce(-3) { $0 + Self.width($1.hint) + 3 }
    while used > room, !hints.isEmpty { used -= Self.width(hints.removeFirst().hint) + 3 }
    let shown = screenHints.filter { hint in
      let width = Self.width(hint.hint) + 3
      guard used + width <= own else { return false }
      used += width
      return true
    }
    return shown + hints
  }

  private var screenHints: [(hint: KeyHint, key: Key?)] {
    guard let screen = screens.focused, screen.placement != .popover else { return [] }
    if let host = screen.hostController { return host.hints.filter { $0.key != "esc" }.map { ($0, Key($0.key)) } }
    // A key that types is not an action while the screen accepts text.
    let isText = screen.controller.wantsText
    let usable = screen.keys.hints.filter { !isText || $0.key.map { $0.typedCharacter == nil } ?? false }
    return usable.prefix(5).map { ($0.hint, $0.key) }
  }

  private var hostHints: [(hint: KeyHint, key: Key?)] {
    guard let screen = screens.focused, screen.placement != .popover else { return [] }
    func hint(_ key: HostKey, _ text: String, preferring wanted: Key? = nil) -> (hint: KeyHint, key: Key?)? {
      let keys = key.keys(setup.keys)
      guard let shown = keys.first(where: { $0 == wanted }) ?? keys.first else { return nil }
      return (KeyHint(shown.label, text), shown)
    }
    let isText = screen.controller.wantsText
    let leaving =
      screens.count > 1
      ? hint(.back, "back", preferring: Key(.escape)) : isText ? nil : hint(.quit, "quit")
    let focus = screens.split == nil ? nil : hint(.focus, "other side")
    let palette = hint(.palette, "commands", preferring: isText ? nil : Key(.character(":")))
    return [focus, leaving, palette, isText ? hint(.help, "help", preferring: Key(.function(1))) : hint(.help, "help")]
      .compactMap { $0 }
  }
}

/// The lines of a notice in the status line.
enum NoticeText {
  /// Returns the mark before the first line, by the severity.
  static func mark(_ severity: Diagnostic.Severity) -> StyledText.Run? {
    switch severity {
    case .error: .init("✗ ", .error)
    case .warning: .init("! ", .warning)
    default: nil
    }
  }

  /// Lays out message and advice in one line, or, where they do not fit, in lines of their own.
  ///
  /// If there are too few lines, the message is cut: the advice states the remedy.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - width: The columns of a line.
  ///   - limit: The number of lines, at least 1; more only if the advice and one line of the message need them.
  ///   - height: The largest number of lines.
  static func lines(_ notice: Diagnostic, width: Int, limit: Int, height: Int) -> [String] {
    let whole = [notice.message, notice.advice].compactMap { $0 }.joined(separator: "; ")
    if TextWidth.columns(whole) <= width { return [whole] }
    let advice = notice.advice.map { TextWidth.wrapped($0, to: width) } ?? []
    let message = cut(TextWidth.wrapped(notice.message, to: width), to: max(1, limit - advice.count), width: width)
    return message + cut(advice, to: height - message.count, width: width)
  }

  private static func cut(_ lines: [String], to count: Int, width: Int) -> [String] {
    guard lines.count > count, count > 0 else { return Array(lines.prefix(count)) }
    return lines.prefix(count - 1) + [TextWidth.truncated(lines[(count - 1)...].joined(separator: " "), to: width)]
  }
}
