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
  enum Line: Sendable, Hashable {
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
  private(set) var top = 0
  private(set) var lines: [Line] = []
  private(set) var fields: [FormSection.Field] = []
  private(set) var labelWidth = 0

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
  func visibleTop(height: Int) -> Int {
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
