import PluginAPI

extension Navigator {
  /// The minimum number of columns for a detail beside its list.
  static let splitWidth = 100

  /// The rows of the frame that the host uses, by the frame's height.
  struct Bars {
    let title: Int
    let rule: Int
    let status: Int

    init(height: Int) {
      title = height >= 3 ? 1 : 0
      rule = height >= 12 ? 1 : 0
      status = height >= 2 ? 1 : 0
    }

    func content(of size: Size) -> Rect {
      Rect(
        x: 0, y: title + rule, width: max(0, size.width), height: max(0, size.height - title - rule - status))
    }
  }

  /// The list and its detail if they are side by side.
  var splitScreens: (list: Screen, detail: Screen)? {
    guard display.geometry.size.width >= Self.splitWidth,
      let index = stack.lastIndex(where: { $0.placement != .popover }), index > 0,
      stack[index].placement == .detail
    else { return nil }
    return (stack[index - 1], stack[index])
  }

  /// Lays out all visible screens, and notifies those whose geometry changed.
  ///
  /// A notified screen may open or close another one at once, which starts a new layout. This one is then outdated, and
  /// continuing it would show screens that are now covered.
  func layOut() {
    layoutRound += 1
    let round = layoutRound
    let size = display.geometry.size
    let content = Bars(height: size.height).content(of: size)
    var visible: [Screen] = []
    if let page = stack.last(where: { $0.placement != .popover }) {
      if let split = splitScreens {
        let rects = SplitView.Layout(fraction: 0.4, minimumWidth: 0).rects(in: content)
        (split.list.rect, split.detail.rect) = (rects.first, rects.second)
        visible = [split.list, split.detail]
      } else {
        page.rect = content
        visible = [page]
      }
    }
    for popover in stack where popover.placement == .popover {
      popover.rect = popoverRect(popover, in: Rect(size))
      visible.append(popover)
    }
    for screen in stack where screen.isVisible && !visible.contains(where: { $0 === screen }) {
      screen.isVisible = false
      give(.visible(false), to: screen)
      if round != layoutRound { return }
    }
    for screen in visible where screen.isOpen {
      tell(screen, in: round)
      if round != layoutRound { return }
    }
    clock.request()
  }

  private func tell(_ screen: Screen, in round: Int) {
    var geometry = display.geometry
    geometry.size = screen.rect.size
    if screen.sentGeometry != geometry {
      let isFirst = screen.sentGeometry == nil
      screen.sentGeometry = geometry
      give(.resize(geometry), to: screen)
      if isFirst, screen.isOpen { perform(screen.controller.start(), for: screen) }
    }
    if round == layoutRound, screen.isOpen, !screen.isVisible {
      screen.isVisible = true
      give(.visible(true), to: screen)
    }
  }

  /// Returns the rectangle inside a popover's edges; the whole screen if there is no room for edges.
  private func popoverRect(_ screen: Screen, in whole: Rect) -> Rect {
    if whole.width < 24 || whole.height < 7 { return whole }
    let room = Size(width: whole.width - 4, height: whole.height - 4)
    let standard = Size(width: room.width * 3 / 4, height: room.height * 3 / 4)
    let wanted = screen.hostController?.popoverSize(in: room) ?? standard
    var rect = whole.centered(
      Size(width: min(max(16, wanted.width), room.width), height: min(max(1, wanted.height), room.height)))
    if screen.description.name == "palette" { rect.y = min(rect.y, 2 + whole.height / 8) }
    return rect
  }
}
