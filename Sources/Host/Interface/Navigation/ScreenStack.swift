import PluginAPI

/// The open screens, and their positions in the frame.
@MainActor final class ScreenStack {
  private let display: any Display
  /// The screens, the front one last.
  private(set) var all: [Screen] = []
  /// A Boolean value indicating whether the right side of a split receives keys.
  private var focusIsOnDetail = false

  /// The minimum number of columns for a detail beside its list.
  private static let splitWidth = 100

  init(display: any Display) {
    self.display = display
  }

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

    fileprivate func content(of size: Size) -> Rect {
      Rect(
        x: 0, y: title + rule, width: max(0, size.width), height: max(0, size.height - title - rule - status))
    }
  }

  // MARK: Order

  var count: Int { all.count }
  var front: Screen? { all.last }

  /// The front screen if it is a popover.
  var frontPopover: Screen? { front.flatMap { $0.placement == .popover ? $0 : nil } }

  /// The front screen that is not a popover.
  var frontContent: Screen? { all.last { $0.placement != .popover } }

  /// The page in front; the list if a detail is beside it.
  var page: Screen? { split?.list ?? frontContent }

  /// The list and its detail if they are side by side.
  var split: (list: Screen, detail: Screen)? {
    guard display.geometry.size.width >= Self.splitWidth,
      let index = all.lastIndex(where: { $0.placement != .popover }), index > 0,
      all[index].placement == .detail
    else { return nil }
    return (all[index - 1], all[index])
  }

  /// The screen that keys go to.
  var focused: Screen? {
    guard let front else { return nil }
    guard let split, front === split.detail else { return front }
    return focusIsOnDetail ? split.detail : split.list
  }

  /// Moves the focus to a side of the split.
  func focusDetail(_ isOnDetail: Bool) { focusIsOnDetail = isOnDetail }

  /// Moves the focus to the other side of the split, if there is one.
  func toggleFocus() {
    if split != nil { focusIsOnDetail.toggle() }
  }

  func index(of screen: Screen) -> Int? { all.firstIndex { $0 === screen } }

  func append(_ screen: Screen) { all.append(screen) }

  func removeLast() -> Screen { all.removeLast() }

  func removeAll() { all = [] }

  /// Returns the path to the front screen: the plugin's name, then the titles of screens.
  func breadcrumbs(_ plugins: PluginHost) -> [String] {
    var crumbs: [String] = []
    var plugin: String?
    for screen in all where screen.placement != .popover {
      if screen.plugin != plugin, let id = screen.plugin {
        crumbs.append(plugins.contributions(of: id)?.plugin.name ?? id)
      }
      plugin = screen.plugin ?? plugin
      if split.map({ $0.detail !== screen }) ?? true, crumbs.last != screen.controller.title {
        crumbs.append(screen.controller.title)
      }
    }
    return crumbs
  }

  // MARK: Places

  /// Sets the rectangles of the screens that are to be visible.
  ///
  /// - Returns: These screens, popovers last.
  func arrange() -> [Screen] {
    let size = display.geometry.size
    let content = Bars(height: size.height).content(of: size)
    var visible: [Screen] = []
    if let page = frontContent {
      if let split {
        let rects = SplitView.Layout(fraction: 0.4, minimumWidth: 0).rects(in: content)
        (split.list.rect, split.detail.rect) = (rects.first, rects.second)
        visible = [split.list, split.detail]
      } else {
        page.rect = content
        visible = [page]
      }
    }
    for popover in all where popover.placement == .popover {
      popover.rect = popoverRect(popover, in: Rect(size))
      visible.append(popover)
    }
    return visible
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

  /// Returns the screen drawn at a position; if there is a popover, only that one.
  func screen(at point: Point) -> Screen? {
    if let popover = frontPopover { return popover.rect.contains(point) ? popover : nil }
    return all.last { $0.isVisible && $0.rect.contains(point) }
  }
}
