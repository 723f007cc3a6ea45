// The byte forms of events, by which a screen can run in another process than the terminal.

extension Key: ValueConvertible {
  /// `host.key`.
  public static var typeName: String { "host.key" }

  /// Creates a key from its value form.
  public init(value: Value) throws {
    guard let key = value.text.flatMap(Key.init) else {
      throw ValueDecodingError.unexpectedShape(path: "key", expected: "a key such as 'ctrl-a'")
    }
    self = key
  }

  /// The key as text, such as `ctrl-a`.
  public var value: Value { .text(description) }
}

extension Mouse: ValueConvertible {
  /// `host.mouse`.
  public static var typeName: String { "host.mouse" }

  /// Creates a mouse event from its value form.
  public init(value: Value) throws {
    let action: Action =
      switch try value.requiredText("action") {
      case "press": .press(clicks: try value.requiredInteger("clicks"))
      case "drag": .drag
      case "release": .release
      case "scroll": .scroll(try value.requiredInteger("rows"))
      default: throw ValueDecodingError.unexpectedShape(path: "action", expected: "an action of the mouse")
      }
    let button: Button =
      switch try value.requiredText("button") {
      case "left": .left
      case "middle": .middle
      case "right": .right
      default: .none
      }
    self.init(
      action, button: button, at: Point(x: try value.requiredInteger("x"), y: try value.requiredInteger("y")),
      modifiers: Key.Modifiers(rawValue: UInt8(clamping: value["modifiers"].integer ?? 0)))
  }

  /// The mouse event as a record.
  public var value: Value {
    var record: Record = [:]
    switch action {
    case .press(let clicks):
      record["action"] = "press"
      record["clicks"] = .integer(clicks)
    case .drag: record["action"] = "drag"
    case .release: record["action"] = "release"
    case .scroll(let rows):
      record["action"] = "scroll"
      record["rows"] = .integer(rows)
    }
    record["button"] =
      switch button {
      case .none: "none"
      case .left: "left"
      case .middle: "middle"
      case .right: "right"
      }
    record["x"] = .integer(position.x)
    record["y"] = .integer(position.y)
    record["modifiers"] = .integer(Int(modifiers.rawValue))
    return .record(record)
  }
}

extension ScreenGeometry: ValueConvertible {
  /// `host.geometry`.
  public static var typeName: String { "host.geometry" }

  /// Creates a geometry from its value form.
  public init(value: Value) throws {
    self.init(
      size: try Size(value: value["size"]), pixelsPerCell: try Size(value: value["pixelsPerCell"]),
      background: Color(packed: UInt32(clamping: try value.requiredInteger("background"))))
  }

  /// The geometry as a record.
  public var value: Value {
    [
      "size": size.value, "pixelsPerCell": pixelsPerCell.value, "background": .integer(Int(background.packed)),
    ]
  }
}

extension Size {
  /// Creates a size from a list of width and height.
  init(value: Value) throws(ValueDecodingError) {
    guard let sides = value.list?.compactMap(\.integer), sides.count == 2 else {
      throw .unexpectedShape(path: "size", expected: "width and height")
    }
    self.init(width: sides[0], height: sides[1])
  }

  /// A list of width and height.
  var value: Value { [.integer(width), .integer(height)] }
}

extension Event: ValueConvertible {
  /// `host.event`.
  public static var typeName: String { "host.event" }

  /// Creates an event from its value form.
  public init(value: Value) throws {
    switch try value.requiredText("is") {
    case "key": self = .key(try Key(value: value["key"]))
    case "mouse": self = .mouse(try Mouse(value: value["mouse"]))
    case "paste": self = .paste(try value.requiredText("text"))
    case "resize": self = .resize(try ScreenGeometry(value: value["geometry"]))
    case "focus": self = .focus(value["on"].bool ?? false)
    case "visible": self = .visible(value["on"].bool ?? false)
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "an event")
    }
  }

  /// The event as a record.
  public var value: Value {
    switch self {
    case .key(let key): ["is": "key", "key": key.value]
    case .mouse(let mouse): ["is": "mouse", "mouse": mouse.value]
    case .paste(let text): ["is": "paste", "text": .text(text)]
    case .resize(let geometry): ["is": "resize", "geometry": geometry.value]
    case .focus(let isOn): ["is": "focus", "on": .bool(isOn)]
    case .visible(let isOn): ["is": "visible", "on": .bool(isOn)]
    }
  }
}
