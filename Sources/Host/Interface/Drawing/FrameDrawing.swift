import PluginAPI

/// Draws the whole frame: title, screens, popovers, progress, status line.
@MainActor struct FrameDrawing {
  private let screens: ScreenStack
  private let progress: ProgressOverlay
  private let status: StatusLine
  private let plugins: PluginHost

  init(screens: ScreenStack, progress: ProgressOverlay, status: StatusLine, plugins: PluginHost) {
    self.screens = screens
    self.progress = progress
    self.status = status
    self.plugins = plugins
  }

  /// Draws the frame of a display's geometry.
  ///
  /// - Returns: The frame, and the hints of its status line.
  func draw(_ geometry: ScreenGeometry) -> (frame: TextFrame, hints: [StatusLine.ShownHint]) {
    var frame = TextFrame(size: geometry.size, pixelsPerCell: geometry.pixelsPerCell)
    let bars = ScreenStack.Bars(height: frame.size.height)
    let visible = screens.all.filter(\.isVisible)
    for screen in visible where screen.placement != .popover { frame.draw(screen.controller.view, in: screen.rect) }
    if bars.title > 0 { drawTitle(into: &frame) }
    if bars.rule > 0 { drawRule(into: &frame) }
    drawDivider(into: &frame, from: bars.title + bars.rule, to: frame.size.height - bars.status)
    let progress = shownProgress
    if let progress, progress.0.placement != .popover { drawProgress(progress.1, over: progress.0, into: &frame) }
    for screen in visible where screen.placement == .popover { drawPopover(screen, into: &frame) }
    if let progress, progress.0.placement == .popover { drawProgress(progress.1, over: progress.0, into: &frame) }
    let hints = bars.status > 0 ? status.draw(into: &frame) : []
    return (frame, hints)
  }

  /// Returns the web addresses that a frame shows completely.
  func links(in frame: TextFrame) -> [FrameLink] {
    let visible = screens.all.filter(\.isVisible)
    let ordered = visible.filter { $0.placement != .popover } + visible.filter { $0.placement == .popover }
    return ScreenLinks.find(
      in: frame,
      ordered.map { screen in
        ScreenLinks.Area(rect: screen.rect, addresses: screen.addresses) { screen.controller.view.outline }
      })
  }

  // MARK: Edges

  private func drawTitle(into frame: inout TextFrame) {
    let crumbs = Self.fitting(screens.breadcrumbs(plugins), width: frame.size.width - 2)
    var x = 1
    for (index, crumb) in crumbs.enumerated() {
      let isLast = index == crumbs.count - 1
      if index > 0 { x = frame.put(" › ", x: x, y: 0, .secondary) }
      x = frame.put(
        TextWidth.truncated(crumb, to: frame.size.width - x - 1), x: x, y: 0, isLast ? .heading : .secondary)
    }
    let running = screens.all.reduce(0) { $0 + $1.running.count }
    let note = running > 1 ? "\(running) running" : ""
    if x + note.count + 2 < frame.size.width {
      frame.put(note, x: frame.size.width - note.count - 1, y: 0, .secondary)
    }
  }

  /// Returns breadcrumbs that fit into a width: the longest titles are cut first, then the beginning is omitted.
  private static func fitting(_ way: [String], width: Int) -> [String] {
    var crumbs = way
    var excess: Int { crumbs.reduce(-3) { $0 + TextWidth.columns($1) + 3 } - width }
    for _ in way where excess > 0 {
      guard let index = crumbs.indices.max(by: { TextWidth.columns(crumbs[$0]) < TextWidth.columns(crumbs[$1]) })
      else { break }
      crumbs[index] = TextWidth.truncated(crumbs[index], to: max(10, TextWidth.columns(crumbs[index]) - excess))
    }
    while excess > 0, crumbs.count > 1 { crumbs.removeFirst() }
    return crumbs
  }

  private func drawRule(into frame: inout TextFrame) {
    frame.put(String(repeating: "─", count: frame.size.width), x: 0, y: 1, .secondary)
    guard let split = screens.split else { return }
    frame.put("┬", x: split.detail.rect.x - 1, y: 1, .secondary)
    for screen in [split.list, split.detail] {
      let isFocused = screens.focused === screen
      let title = TextWidth.truncated(screen.controller.title, to: screen.rect.width - 8)
      let text = isFocused ? " ▸ \(title) " : " \(title) "
      frame.put(text, x: screen.rect.x + 1, y: 1, isFocused ? .heading : .secondary)
    }
  }

  private func drawDivider(into frame: inout TextFrame, from top: Int, to bottom: Int) {
    guard let split = screens.split, top < bottom else { return }
    for y in top..<bottom { frame.put("│", x: split.detail.rect.x - 1, y: y, .secondary) }
  }

  private func drawPopover(_ screen: Screen, into frame: inout TextFrame) {
    let outer = screen.rect.inset(by: -1)
    guard screen.rect.width < frame.size.width else {
      frame.clear(screen.rect)
      frame.draw(screen.controller.view, in: screen.rect)
      return
    }
    frame.clear(Rect(x: outer.x - 1, y: outer.y, width: outer.width + 2, height: outer.height))
    frame.box(outer, title: screen.hostController?.heading(width: screen.rect.width) ?? screen.controller.title)
    drawHints(screen.hostController?.hints ?? [KeyHint("esc", "close")], on: outer, into: &frame)
    frame.draw(screen.controller.view, in: screen.rect)
  }

  /// Writes hints into the lower edge of a box, as many as fit.
  private func drawHints(_ hints: [KeyHint], on rect: Rect, into frame: inout TextFrame) {
    var shown = hints
    func width() -> Int { shown.reduce(0) { $0 + TextWidth.columns($1.key) + TextWidth.columns($1.text) + 3 } }
    while !shown.isEmpty, width() > rect.width - 4 { shown.removeFirst() }
    guard !shown.isEmpty else { return }
    let y = rect.y + rect.height - 1
    var x = frame.put(" ", x: rect.x + rect.width - 2 - width(), y: y)
    for hint in shown {
      x = frame.put(hint.key, x: x, y: y, .accent)
      x = frame.put(" " + hint.text + (hint == shown.last ? " " : "  "), x: x, y: y, .secondary)
    }
  }

  // MARK: Progress

  /// The progress to show, and over which screen.
  private var shownProgress: (Screen, ProgressView)? {
    let candidates = ([screens.focused].compactMap { $0 } + screens.all.reversed()).filter(\.isVisible)
    for screen in candidates {
      if let view = progress.view(of: screen) { return (screen, view) }
    }
    return nil
  }

  private func drawProgress(_ view: ProgressView, over screen: Screen, into frame: inout TextFrame) {
    let size = Size(width: min(44, screen.rect.width - 4), height: view.hint.isEmpty ? 2 : 3)
    guard size.width >= 10, screen.rect.height >= size.height + 2 else { return }
    let rect = screen.rect.centered(size)
    let outer = rect.inset(by: -1)
    frame.clear(Rect(x: outer.x - 1, y: outer.y, width: outer.width + 2, height: outer.height))
    frame.box(Rect(x: outer.x - 1, y: outer.y, width: outer.width + 2, height: outer.height))
    frame.draw(view, in: rect)
  }
}
