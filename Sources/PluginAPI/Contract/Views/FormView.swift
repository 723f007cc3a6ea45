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
