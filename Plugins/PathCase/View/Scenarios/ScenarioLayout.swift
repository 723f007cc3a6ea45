import PluginAPI

/// The rectangles of the scenario browser's parts in a screen of a given size.
struct ScenarioLayout: Hashable {
  /// The number of scenarios and their restrictions.
  var head: Rect
  /// The pools; empty if the panel has the focus and there is no room for both.
  var pools: Rect
  /// The names of the panels.
  var tabs: Rect
  var panel: Rect
  /// The keys that work.
  var foot: Rect

  /// The number of columns from which pools are shown beside the panel.
  static let sideBySide = 76

  init(_ size: Size, isAtPools: Bool) {
    let whole = Rect(size)
    let (head, rest) = whole.split(top: size.height >= 8 ? 2 : 1)
    let hasFoot = size.height >= 6
    let body = Rect(x: 0, y: rest.y, width: rest.width, height: max(0, rest.height - (hasFoot ? 1 : 0)))
    self.head = head
    foot = Rect(x: 0, y: body.y + body.height, width: size.width, height: hasFoot ? 1 : 0)
    let none = Rect(x: 0, y: body.y, width: 0, height: 0)
    if size.width >= Self.sideBySide {
      let (left, right) = body.split(left: min(46, size.width * 2 / 5))
      pools = Rect(x: 0, y: left.y, width: left.width - 1, height: left.height)
      (tabs, panel) = right.split(top: 1)
    } else if isAtPools {
      (pools, tabs, panel) = (body, none, none)
    } else {
      pools = none
      (tabs, panel) = body.split(top: 1)
    }
  }

  /// The number of visible rows of pools below their heading.
  var poolRows: Int { max(1, pools.height - 1) }
  /// The number of visible rows of the panel.
  var panelRows: Int { max(1, panel.height) }
}
