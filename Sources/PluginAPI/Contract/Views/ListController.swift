/// A controller of a screen with one list.
///
/// Keys, mouse and filter work in the list, and its rows are read at the start and after every notification. A
/// controller implements only what differs.
///
/// ```swift
/// @MainActor final class PortsController: ListController {
///   var list = ListState()
///   var title: String { "Ports" }
///   var view: any View { ListView("Ports", list, emptyText: "No ports") }
///
///   func reload() -> [Effect] {
///     [load("ports", "Reading ports") { _ in try await ports() } then: { $0.list.rows = $1.map(\.row) }]
///   }
/// }
/// ```
@MainActor public protocol ListController: Controller {
  /// Rows, selection, scroll position and filter.
  var list: ListState { get set }

  /// Returns the list's rectangle in the screen's; the whole screen by default.
  func listRect(in screen: Rect) -> Rect

  /// Returns the effects that read the rows, at the start and after a notification.
  func reload() -> [Effect]

  /// Returns the effects that follow when the user selects another row; none by default.
  func selectionDidChange() -> [Effect]

  /// Opens a row that the user chose by Enter or a double click; does nothing by default.
  func openRow(_ id: String) -> [Effect]

  /// Shows the details of a row whose disclosure mark the user clicked; opens the row by default.
  func discloseRow(_ id: String) -> [Effect]
}

extension ListController {
  /// Returns the whole screen.
  public func listRect(in screen: Rect) -> Rect { screen }
  /// Returns no effects.
  public func selectionDidChange() -> [Effect] { [] }
  /// Returns no effects.
  public func openRow(_ id: String) -> [Effect] { [] }
  /// Opens the row.
  public func discloseRow(_ id: String) -> [Effect] { openRow(id) }

  /// True while the filter is open.
  public var wantsText: Bool { list.isFiltering }

  /// Reads the rows.
  public func start() -> [Effect] { reload() }

  /// Passes the event to the list.
  public func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      list.screenSize = geometry.size
      return []
    }
    let before = list.selectedID
    guard let outcome = list.handle(event, in: listRect(in: Rect(list.screenSize))) else { return nil }
    let changed = list.selectedID == before ? [] : selectionDidChange()
    switch outcome {
    case .changed: return changed
    case .chosen(let id): return changed + openRow(id)
    case .disclosed(let id): return changed + discloseRow(id)
    }
  }

  /// Reads the rows again after a notification.
  public func receive(_ message: Message) -> [Effect] {
    if case .notification = message { return reload() }
    return []
  }
}
