// The byte forms of styled text, outlines and frames.

extension Style {
  /// Creates a style from its value form.
  init(value: Value) {
    func color(_ name: String) -> Color { Color(packed: UInt32(clamping: value[name].integer ?? 0)) }
    self.init(
      foreground: color("foreground"), background: color("background"),
      attributes: Attributes(rawValue: UInt16(clamping: value["attributes"].integer ?? 0)))
    extra = UInt16(clamping: value["extra"].integer ?? 0)
  }

  /// The style as a record; what is plain is left out.
  var value: Value {
    var record: Record = [:]
    if foreground != .standard { record["foreground"] = .integer(Int(foreground.packed)) }
    if background != .standard { record["background"] = .integer(Int(background.packed)) }
    if !attributes.isEmpty { record["attributes"] = .integer(Int(attributes.rawValue)) }
    if extra != 0 { record["extra"] = .integer(Int(extra)) }
    return .record(record)
  }
}

extension StyledText: ValueConvertible {
  /// `host.styled-text`.
  public static var typeName: String { "host.styled-text" }

  /// Creates a text from its value form.
  public init(value: Value) throws {
    guard let lines = value.list else { throw ValueDecodingError.unexpectedShape(path: "lines", expected: "a list") }
    self.init(lines: try lines.map(StyledText.runs))
  }

  /// The lines, each a list of runs `[text, style]`.
  public var value: Value { .list(lines.map(StyledText.value)) }

  fileprivate static func runs(_ value: Value) throws(ValueDecodingError) -> [Run] {
    var runs: [Run] = []
    for part in value.list ?? [] {
      guard let pair = part.list, pair.count == 2, let text = pair[0].text else {
        throw .unexpectedShape(path: "run", expected: "a text and its style")
      }
      runs.append(Run(text, Style(value: pair[1])))
    }
    return runs
  }

  fileprivate static func value(of runs: [Run]) -> Value { .list(runs.map { [.text($0.text), $0.style.value] }) }
}

extension ActionInvocation: ValueConvertible {
  /// `host.action`.
  public static var typeName: String { "host.action" }

  /// Creates an invocation from its value form.
  public init(value: Value) throws {
    self.init(try value.requiredText("action"), value["arguments"].record ?? Record())
  }

  /// The invocation as a record.
  public var value: Value { ["action": .text(action), "arguments": .record(arguments)] }
}

extension Outline: ValueConvertible {
  /// `host.outline`.
  public static var typeName: String { "host.outline" }

  /// Creates an outline from its value form.
  public init(value: Value) throws {
    self.init(
      title: try value.requiredText("title"), text: value["text"].list?.compactMap(\.text) ?? [],
      fields: try (value["fields"].list ?? []).map {
        Field(try $0.requiredText("label"), try $0.requiredText("value"))
      },
      items: try (value["items"].list ?? []).map {
        Item(
          id: try $0.requiredText("id"), text: try $0.requiredText("text"),
          action: $0["action"].isNull ? nil : try ActionInvocation(value: $0["action"]))
      })
  }

  /// The outline as a record.
  public var value: Value {
    [
      "title": .text(title), "text": .list(text.map(Value.text)),
      "fields": .list(fields.map { ["label": .text($0.label), "value": .text($0.value)] }),
      "items": .list(
        items.map { ["id": .text($0.id), "text": .text($0.text), "action": $0.action?.value ?? .null] }),
    ]
  }
}

extension TextFrame: ValueConvertible {
  /// `host.frame`.
  public static var typeName: String { "host.frame" }

  /// The most cells of a frame that is read: more than any terminal has.
  private static let mostCells = 4_000_000

  /// Creates a frame from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if the size is unusable or a line is wider than the frame.
  public init(value: Value) throws {
    let size = try Size(value: value["size"])
    let (count, isTooLarge) = size.width.multipliedReportingOverflow(by: size.height)
    guard size.width >= 0, size.height >= 0, !isTooLarge, count <= TextFrame.mostCells else {
      throw ValueDecodingError.unexpectedShape(path: "size", expected: "the size of a screen")
    }
    self.init(size: size, pixelsPerCell: try Size(value: value["pixelsPerCell"]))
    let lines = try (value["lines"].list ?? []).map(StyledText.runs)
    guard lines.count <= size.height else {
      throw ValueDecodingError.unexpectedShape(path: "lines", expected: "at most \(size.height) lines")
    }
    for (y, runs) in lines.enumerated() {
      var x = 0
      for run in runs { x = try read(run, x: x, y: y) }
    }
    for placed in value["pictures"].list ?? [] {
      guard let picture = placed["picture"].picture, let rect = placed["rect"].list?.compactMap(\.integer),
        rect.count == 4
      else { throw ValueDecodingError.unexpectedShape(path: "pictures", expected: "pictures with their places") }
      place(picture, in: Rect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
    }
    if let point = value["cursor"].list?.compactMap(\.integer), point.count == 2 {
      setCursor(x: point[0], y: point[1])
    }
  }

  /// Puts the cells of a run, whose empty cells are NUL characters; returns the column after it.
  private mutating func read(_ run: StyledText.Run, x: Int, y: Int) throws(ValueDecodingError) -> Int {
    var x = x
    for character in run.text {
      let width = character == "\0" ? 1 : max(1, TextWidth.columns(character))
      guard x + width <= frameSize.width else { throw .unexpectedShape(path: "lines", expected: "lines of the frame") }
      self[x, y] = character == "\0" ? Cell(style: run.style) : Cell(character, style: run.style)
      if width == 2 { self[x + 1, y] = Cell(glyph: Cell.continuation, style: run.style) }
      x += width
    }
    return x
  }

  /// The frame as a record: its lines as runs of one style, without the empty cells at their ends.
  public var value: Value {
    let whole = Rect(frameSize)
    return [
      "size": frameSize.value, "pixelsPerCell": pixelsPerCell.value,
      "lines": .list((0..<whole.height).map { StyledText.value(of: runs(ofLine: $0)) }),
      "pictures": .list(
        pictures.map { placed in
          let rect = placed.rect
          let place: [Value] = [rect.x, rect.y, rect.width, rect.height].map(Value.integer)
          return ["picture": .picture(placed.picture), "rect": .list(place)]
        }),
      "cursor": cursor.map { [.integer($0.x), .integer($0.y)] } ?? .null,
    ]
  }

  /// Returns false if the last character of a text and the next cell's would become one, such as two halves of a flag.
  private static func stayApart(_ text: String, _ next: String) -> Bool {
    text.last.map { (String($0) + next).count == 2 } ?? true
  }

  private func runs(ofLine y: Int) -> [StyledText.Run] {
    var line = cells[y * frameSize.width..<(y + 1) * frameSize.width]
    while line.last == .empty { line.removeLast() }
    var runs: [StyledText.Run] = []
    for cell in line where cell.glyph != Cell.continuation {
      let text = cell.glyph == 0 ? "\0" : cell.text
      if let last = runs.last, last.style == cell.style, TextFrame.stayApart(last.text, text) {
        runs[runs.count - 1].text += text
      } else {
        runs.append(StyledText.Run(text, cell.style))
      }
    }
    return runs
  }
}
