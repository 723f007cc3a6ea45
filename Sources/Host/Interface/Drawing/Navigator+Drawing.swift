import PluginAPI

extension Navigator {
  /// Draws the frame and passes it to the display.
  ///
  /// - Returns: True if it differs from the one before.
  func drawFrame() -> Bool {
    guard exitStatus == nil else { return false }
    let frame = makeFrame()
    return display.showsLinks ? display.show(frame, links: links(in: frame)) : display.show(frame)
  }

  /// Returns the web addresses that a frame shows completely.
  func links(in frame: TextFrame) -> [FrameLink] {
    let visible = stack.filter(\.isVisible)
    let ordered = visible.filter { $0.placement != .popover } + visible.filter { $0.placement == .popover }
    return ScreenLinks.find(
      in: frame,
      ordered.map { screen in
        ScreenLinks.Area(rect: screen.rect, addresses: screen.addresses) { screen.controller.view.outline }
      })
  }

  /// Returns the whole frame: title, screens, popovers, progress, status line.
  func makeFrame() -> TextFrame {
    let geometry = display.geometry
    var frame = TextFrame(size: geometry.size, pixelsPerCell: geometry.pixelsPerCell)
    let bars = Bars(height: frame.size.height)
    for screen in stack where screen.isVisible && screen.placement != .popover {
      frame.draw(screen.controller.view, in: screen.rect)
    }
    if bars.title > 0 { drawTitle(into: &frame) }
    if bars.rule > 0 { drawRule(into: &frame) }
    drawDivider(into: &frame, from: bars.title + bars.rule, to: frame.size.height - bars.status)
    let progress = shownProgress
    if let progress, progress.0.placement != .popover { drawProgress(progress.1, over: progress.0, into: &frame) }
    for screen in stack where screen.isVisible && screen.placement == .popover { drawPopover(screen, into: &frame) }
    if let progress, progress.0.placement == .popover { drawProgress(progress.1, over: progress.0, into: &frame) }
    drawStatus(into: &frame, hasRow: bars.status > 0)
    return frame
  }

  // MARK: Edges

  private func drawTitle(into frame: inout TextFrame) {
    let crumbs = Self.fitting(breadcrumbs, width: frame.size.width - 2)
    var x = 1
    for (index, crumb) in crumbs.enumerated() {
      let isLast = index == crumbs.count - 1
      if index > 0 { x = frame.put(" › ", x: x, y: 0, .secondary) }
      x = frame.put(
        TextWidth.truncated(crumb, to: frame.size.width - x - 1), x: x, y: 0, isLast ? .heading : .secondary)
    }
    let running = stack.reduce(0) { $0 + $1.running.count }
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

  /// The path to the front screen: the plugin's name, then the titles of screens.
  var breadcrumbs: [String] {
    var crumbs: [String] = []
    var plugin: String?
    for screen in stack where screen.placement != .popover {
      if screen.plugin != plugin, let id = screen.plugin {
        crumbs.append(session.plugins.contributions(of: id)?.plugin.name ?? id)
      }
      plugin = screen.plugin ?? plugin
      if splitScreens.map({ $0.detail !== screen }) ?? true, crumbs.last != screen.controller.title {
        crumbs.append(screen.controller.title)
      }
    }
    return crumbs
  }

  private func drawRule(into frame: inout TextFrame) {
    frame.put(String(repeating: "─", count: frame.size.width), x: 0, y: 1, .secondary)
    guard let split = splitScreens else { return }
    frame.put("┬", x: split.detail.rect.x - 1, y: 1, .secondary)
    for screen in [split.list, split.detail] {
      let isFocused = focused === screen
      let title = TextWidth.truncated(screen.controller.title, to: screen.rect.width - 8)
      let text = isFocused ? " ▸ \(title) " : " \(title) "
      frame.put(text, x: screen.rect.x + 1, y: 1, isFocused ? .heading : .secondary)
    }
  }

  private func drawDivider(into frame: inout TextFrame, from top: Int, to bottom: Int) {
    guard let split = splitScreens, top < bottom else { return }
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
    let candidates = ([focused].compactMap { $0 } + stack.reversed()).filter(\.isVisible)
    for screen in candidates {
      if let view = overlay(of: screen) { return (screen, view) }
    }
    return nil
  }

  /// Returns the progress of a screen's work that has run long enough to be shown.
  func overlay(of screen: Screen) -> ProgressView? {
    let delay = Duration.seconds(setup.overlayDelayInSeconds)
    if let effect = screen.running.first(where: { ContinuousClock.now - $0.startedAt >= delay }) {
      return ProgressView(effect.progress ?? Progress(effect.label), phase: phase, hint: "esc cancels")
    }
    guard let plugin = screen.plugin, screen.hostController == nil, let told = notified[plugin],
      ContinuousClock.now - told.startedAt >= delay
    else { return nil }
    return ProgressView(told.progress, phase: phase)
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
