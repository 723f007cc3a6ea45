import PluginAPI

/// The visible state of the list of people: a window of its rows, the selection, and the search.
struct PeopleState: Sendable {
  /// Rows that were read.
  private var rows: [PeoplePage.Row] = []
  /// The index in the list of the first of them.
  private var first = 0
  /// The number of people in the list.
  private(set) var total = 0
  /// The index of the selected person in the list.
  private(set) var selected = 0
  /// The index of the selected item among the person's.
  private(set) var selectedItem = 0
  /// The index in the list of the row drawn first.
  private(set) var top = 0
  var search = InputLine()
  var isSearching = false
  /// Thumbnails by the number of their capture.
  private(set) var thumbnails: [Int: Picture] = [:]
  /// Captures without a thumbnail: data that is not a picture is not checked again.
  private var withoutThumbnail: Set<Int> = []
  /// The activities, by item.
  var activities: [Int: ItemActivity] = [:]
  var message = "loading …"
  var size = Size(width: 0, height: 0)
  private var pixelsPerCell = Size(width: 1, height: 2)

  /// The largest number of thumbnails held: those of a few hundred people.
  private static let mostThumbnails = 2000

  /// The largest size of thumbnails, in pixels: what a cell can show, and at least what fine glyphs can.
  var thumbnailSize: Size {
    Size(
      width: PeopleLayout.cell.width * max(2, pixelsPerCell.width),
      height: PeopleLayout.cell.height * max(4, pixelsPerCell.height))
  }

  /// Changes the size; if its cells have other pixels, thumbnails must be made again.
  mutating func resize(to geometry: ScreenGeometry) {
    if geometry.pixelsPerCell != pixelsPerCell { thumbnails = [:] }
    (size, pixelsPerCell) = (geometry.size, geometry.pixelsPerCell)
    reveal()
  }

  /// Returns true if the thumbnail of a capture is still to be read.
  func lacksThumbnail(_ capture: Int) -> Bool {
    thumbnails[capture] == nil && !withoutThumbnail.contains(capture)
  }

  /// Adds thumbnails, and captures that have none; if there are too many, all others are dropped.
  mutating func take(thumbnails new: [Int: Picture], without others: Set<Int> = []) {
    withoutThumbnail.formUnion(others)
    if thumbnails.count + new.count > Self.mostThumbnails { thumbnails = [:] }
    thumbnails.merge(new) { _, new in new }
  }

  /// The number of rows read before and after the visible ones.
  private static let margin = 40

  /// True if the first line shows the search.
  var showsSearch: Bool { isSearching || !search.text.isEmpty }

  /// True if no rows are held.
  var isEmpty: Bool { rows.isEmpty }

  /// Returns the row at an index in the list; nil if it was not read.
  func row(_ index: Int) -> PeoplePage.Row? {
    rows.indices.contains(index - first) ? rows[index - first] : nil
  }

  var selectedRow: PeoplePage.Row? { row(selected) }

  var item: BiometricItem? {
    guard let items = selectedRow?.items, items.indices.contains(selectedItem) else { return nil }
    return items[selectedItem]
  }

  /// The rows to read so that all visible ones are available.
  var wanted: Range<Int> {
    let seen = max(1, size.height)
    return max(0, selected - seen - Self.margin)..<selected + seen + Self.margin
  }

  /// True if the visible rows, and some around them, were read.
  var isCovered: Bool {
    let seen = max(1, size.height)
    let needed = max(0, selected - seen)..<min(total, selected + seen)
    return needed.isEmpty || (first <= needed.lowerBound && needed.upperBound <= first + rows.count)
  }

  /// Applies rows that were read; the selected person stays selected if the rows contain them.
  ///
  /// - Parameter range: The indices that were requested.
  mutating func take(_ page: PeoplePage, _ range: Range<Int>) {
    let person = selectedRow?.person.id
    (rows, first, total) = (page.rows, range.lowerBound, page.total)
    if let person, let index = rows.firstIndex(where: { $0.person.id == person }) { selected = first + index }
    selected = min(selected, max(0, total - 1))
    selectedItem = min(selectedItem, max(0, (selectedRow?.items.count ?? 1) - 1))
    message = search.text.isEmpty ? "no people yet: press a to add one" : "no person matches '\(search.text)'"
    reveal()
  }

  /// Selects a row of the list.
  mutating func select(_ index: Int) {
    let new = min(max(0, index), max(0, total - 1))
    if new != selected { selectedItem = 0 }
    selected = new
    reveal()
  }

  /// Goes to a row that is not read yet, such as that of a person just added; people before it are shown as far as
  /// there is room.
  mutating func seek(_ index: Int) { (selected, selectedItem, top, rows) = (max(0, index), 0, 0, []) }

  mutating func select(item: Int) {
    selectedItem = min(max(0, item), max(0, (selectedRow?.items.count ?? 1) - 1))
  }

  /// Selects an item by its number.
  ///
  /// - Returns: True if the selected person has it.
  @discardableResult
  mutating func select(itemNumber: Int) -> Bool {
    guard let index = selectedRow?.items.firstIndex(where: { $0.id == itemNumber }) else { return false }
    selectedItem = index
    return true
  }

  /// Goes to the list's start, such as for another search.
  mutating func restart() { (selected, selectedItem, top) = (0, 0, 0) }

  /// Brings the selected row into sight.
  mutating func reveal() {
    let layout = PeopleLayout(self)
    let room = max(1, layout.list.height)
    // No blank space is left below the last row while there are people above the first.
    top = min(top, max(0, total - 1 + layout.selectedHeight - room))
    // Above the selected row every row has one line.
    top = max(top, selected - max(0, room - layout.selectedHeight))
    top = min(top, selected)
  }
}

/// The sign of an item in its cell of the grid.
enum ItemSign: Sendable, Hashable {
  /// There is no capture.
  case empty
  /// The sensor is at work, or waited for.
  case waiting
  case captured
  /// A picture of the capture was not received.
  case incomplete
  /// There are conditions of parts, or notes.
  case annotated
  /// A problem affects the work.
  case warning

  /// One column wide.
  var glyph: String {
    switch self {
    case .empty: "○"
    case .waiting: "◌"
    case .captured: "●"
    case .incomplete: "◐"
    case .annotated: "✎"
    case .warning: "▲"
    }
  }

  var word: String {
    switch self {
    case .empty: "nothing captured"
    case .waiting: "waiting for the sensor"
    case .captured: "captured"
    case .incomplete: "partly captured: a picture is lost"
    case .annotated: "annotated"
    case .warning: "sensor problem"
    }
  }

  var style: Style {
    switch self {
    case .empty: .secondary
    case .waiting: .accent
    case .captured: .success
    case .incomplete: .warning
    case .annotated: .plain
    case .warning: .warning
    }
  }

  /// Returns the signs of an item, most important first; never empty.
  ///
  /// - Parameter activity: The activity at its sensor.
  static func all(_ item: BiometricItem, _ activity: ItemActivity?) -> [ItemSign] {
    var signs: [ItemSign] = []
    switch activity {
    case .problem, .undecided: signs.append(.warning)
    case .busy, .preparing: signs.append(.waiting)
    case nil: break
    }
    if let capture = item.capture {
      let isOther = SensorClaim.otherPart(capture.metadata, wanted: item.made(capture), item.modality) != nil
      if isOther, signs.isEmpty { signs.append(.warning) }
      signs.append(item.losses.isEmpty ? .captured : .incomplete)
    }
    if !item.annotation.isEmpty { signs.append(.annotated) }
    return signs.isEmpty ? [.empty] : signs
  }
}

/// The activity at the sensor of an item.
enum ItemActivity: Sendable, Hashable {
  /// It is being captured, or its data is being downloaded.
  case busy
  /// The sensor is made ready, and waited for.
  case preparing
  /// A problem; the payload describes it.
  case problem(String)
  /// A decision is required before it is captured again; the payload describes it.
  case undecided(String)

  /// True if no decision is required.
  var isDecided: Bool {
    if case .undecided = self { return false }
    return true
  }

  /// A description of the problem; nil if there is none.
  var trouble: String? {
    switch self {
    case .busy, .preparing: nil
    case .problem(let words), .undecided(let words): words
    }
  }

  /// Returns the activity after an event; nil for none.
  static func after(_ news: SensorNews, before: ItemActivity?) -> ItemActivity? {
    // Preparing its sensor changes nothing: a capture in progress continues, and an open decision stays open.
    let isFixed = before == .busy || before?.isDecided == false
    return switch news {
    case .waiting where isFixed, .prepared where isFixed: before
    case .waiting: .preparing
    case .capturing, .captured: .busy
    case .stored: nil
    case .lost(_, let reason): .undecided(CaptureQuestion.lost(reason: reason).text)
    case .trouble(_, let reason): .problem(ProblemText.short(reason))
    case .ended(_, "unknown", let reason, _):
      .undecided(CaptureQuestion.unknown(reason: ProblemText.short(reason)).text)
    case .prepared(_, let ending, let reason, let status), .ended(_, let ending, let reason, let status):
      ending == "given-up" || status == OperationStatus.canceled.word || reason.isEmpty
        ? nil : .problem(ProblemText.short(reason))
    case .finished(_, "waiting", let reason):
      .undecided(CaptureQuestion.waiting(reason: ProblemText.short(reason)).text)
    case .finished: before == .busy ? nil : before
    case .connected, .step, .stolen, .lockKept: before
    }
  }
}
