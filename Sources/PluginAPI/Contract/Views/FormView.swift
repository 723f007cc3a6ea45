/// A form of labeled values in sections.
///
/// A value too long for its line ends in an ellipsis and opens in full.
public struct FormView: View {
  /// The heading in the outline.
  public var title: String
  /// Sections, selected field and scroll position.
  public var state: FormState
  /// The screen action performed when a field is chosen, with the field's id as its argument `id`; nil for none.
  public var action: String?
  /// The text shown if there are no fields.
  public var emptyText: String
  /// A Boolean value indicating whether this form receives keys.
  public var isActive: Bool
  /// The style of labels.
  public var labelStyle: Style = .secondary
  /// The style of values.
  public var valueStyle: Style = .plain

  /// Creates a form.
  public init(
    _ title: String, _ state: FormState, action: String? = nil, emptyText: String = "Nothing here",
    isActive: Bool = true
  ) {
    self.title = title
    self.state = state
    self.action = action
    self.emptyText = emptyText
    self.isActive = isActive
  }

  /// Draws the visible lines.
  public func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.fields.isEmpty { frame.put(TextWidth.truncated(emptyText, to: width - 2), x: 2, y: 0, .secondary) }
    let top = state.visibleTop(height: height)
    let isLong = state.lines.count > height
    let rowWidth = isLong ? width - 1 : width
    for line in 0..<max(0, min(height, state.lines.count - top)) {
      switch state.lines[top + line] {
      case .blank: break
      case .heading(let text): frame.put(TextWidth.truncated(text, to: rowWidth - 2), x: 2, y: line, .heading)
      case .field(let index): draw(field: index, in: Rect(x: 0, y: line, width: rowWidth, height: 1), into: &frame)
      }
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: state.lines.count) }
  }

  /// The title and the fields; fields that can be chosen are also items.
  public var outline: Outline {
    let fields = state.fields.map { Outline.Field($0.label, $0.value) }
    guard let action else {
      return Outline(title: title, text: fields.isEmpty ? [emptyText] : [], fields: fields)
    }
    return Outline(
      title: title, text: fields.isEmpty ? [emptyText] : [],
      items: state.fields.map {
        Outline.Item(
          id: $0.id, text: "\($0.label): \($0.value)", action: ActionInvocation(action, ["id": .text($0.id)]))
      })
  }

  private func draw(field index: Int, in rect: Rect, into frame: inout TextFrame) {
    let field = state.fields[index]
    let labelWidth = min(state.labelWidth, max(6, rect.width * 2 / 5))
    frame.put(TextWidth.truncated(field.label, to: labelWidth), x: 2, y: rect.y, labelStyle)
    let x = 2 + labelWidth + 2
    let value = field.value.split(whereSeparator: \.isNewline).joined(separator: " ")
    let style = index == state.selected && !isActive ? Style.inactiveSelection : valueStyle
    frame.put(TextWidth.truncated(value, to: rect.width - x - 1), x: x, y: rect.y, style)
    if index == state.selected { frame.selectRow(rect, isActive: isActive) }
  }
}

/// A group of fields of a form.
public struct FormSection: Sendable, Hashable {
  /// A field of a form.
  public struct Field: Sendable, Hashable {
    /// The id of the field in outcomes and actions; unique in its form.
    public var id: String
    /// The label.
    public var label: String
    /// The value; line breaks are shown as spaces.
    public var value: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - label: The label.
    ///   - value: The value.
    ///   - id: The id of the field; nil for the label.
    public init(_ label: String, _ value: String, id: String? = nil) {
      self.id = id ?? label
      self.label = label
      self.value = value
    }
  }

  /// The heading; empty for none.
  public var heading: String
  /// The fields.
  public var fields: [Field]

  /// Creates a section.
  public init(_ heading: String = "", _ fields: [Field]) {
    self.heading = heading
    self.fields = fields
  }
}

/// The state of a form: its sections, the selected field and the scroll position.
public struct FormState: Sendable, Hashable {
  /// A line of the form.
  fileprivate enum Line: Sendable, Hashable {
    case blank
    case heading(String)
    case field(Int)
  }

  /// The sections; setting them keeps the index of the selected field.
  public var sections: [FormSection] {
    didSet { layOut() }
  }

  /// The 0-based index of the selected field, counted through all sections.
  public private(set) var selected = 0
  fileprivate private(set) var top = 0
  fileprivate private(set) var lines: [Line] = []
  fileprivate private(set) var fields: [FormSection.Field] = []
  fileprivate private(set) var labelWidth = 0

  /// Creates the state of a form.
  public init(_ sections: [FormSection] = []) {
    self.sections = sections
    layOut()
  }

  /// The selected field; nil if there is none.
  public var selectedField: FormSection.Field? { fields.indices.contains(selected) ? fields[selected] : nil }

  /// Returns the field with an id.
  public func field(_ id: String) -> FormSection.Field? { fields.first { $0.id.utf8.elementsEqual(id.utf8) } }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: The form's rectangle in the screen's frame.
  /// - Returns: The outcome, with a chosen field given by its id; nil if a form does not handle the event.
  public mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let height = max(1, rect.height)
    switch event {
    case .key(Key(.enter)), .key(Key(.right)): return selectedField.map { .chosen($0.id) }
    case .key(let key):
      var cursor = RowCursor(selected: selected)
      guard cursor.handle(key, count: fields.count, height: height) else { return nil }
      selected = cursor.selected
      top = visibleTop(height: height)
      return .changed
    case .mouse(let mouse) where rect.contains(mouse.position):
      return handle(mouse, line: mouse.position.y - rect.y, height: height)
    default: return nil
    }
  }

  private mutating func handle(_ mouse: Mouse, line: Int, height: Int) -> ViewOutcome? {
    switch mouse.action {
    case .scroll(let rows):
      top = min(max(0, visibleTop(height: height) + 3 * rows), max(0, lines.count - height))
      let seen = lines[min(top, lines.count)..<min(lines.count, top + height)].compactMap(Self.fieldIndex)
      if let first = seen.first, let last = seen.last { selected = min(max(selected, first), last) }
      return .changed
    case .press(let clicks) where mouse.button == .left:
      let index = visibleTop(height: height) + line
      guard lines.indices.contains(index), let field = Self.fieldIndex(lines[index]) else { return .changed }
      selected = field
      return clicks >= 2 ? .chosen(fields[field].id) : .changed
    default: return nil
    }
  }

  private static func fieldIndex(_ line: Line) -> Int? {
    if case .field(let index) = line { index } else { nil }
  }

  /// Returns the first line to draw so that the selected field is visible, together with the heading above a section's
  /// first field.
  fileprivate func visibleTop(height: Int) -> Int {
    let line = lines.firstIndex(of: .field(selected)) ?? 0
    var first = line
    while first > 0, Self.fieldIndex(lines[first - 1]) == nil { first -= 1 }
    let bounded = min(max(0, top), max(0, lines.count - height))
    if first < bounded { return line - first < height ? first : line }
    return line >= bounded + height ? line - height + 1 : bounded
  }

  private mutating func layOut() {
    lines = []
    fields = []
    for section in sections {
      if !lines.isEmpty { lines.append(.blank) }
      if !section.heading.isEmpty { lines.append(.heading(section.heading)) }
      for field in section.fields {
        lines.append(.field(fields.count))
        fields.append(field)
      }
    }
    labelWidth = fields.reduce(0) { max($0, TextWidth.columns($1.label)) }
    selected = min(selected, max(0, fields.count - 1))
  }
}
