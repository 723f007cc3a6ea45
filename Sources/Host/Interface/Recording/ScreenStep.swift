import PluginAPI

/// A user's action on screens, as a line of a recording.
enum ScreenStep: Sendable, Hashable {
  /// An action of the screen, or of the host, by its name in key maps: `mode`, `turn(-1)`, `host.back`.
  case action(String)
  /// A screen of a plugin, chosen in the palette.
  case open(plugin: String, screen: String)
  /// A command of a plugin, chosen in the palette.
  case command(plugin: String, name: String)
  /// The answer to a question; nil if it is left out.
  case answer(String?)
  /// The id of a choice in a sheet; nil if it is left out.
  case choose(String?)
  /// A key that performs no action.
  case key(Key)
  /// Typed characters; nil if they are left out.
  case type(String?)
  /// A pasted text; nil if it is left out.
  case paste(String?)
  /// An event of the mouse, in cells of the whole screen.
  case mouse(Mouse)
  /// A new size of the whole screen.
  case resize(Size)
  /// The cancellation of all running work.
  case cancel
  /// The end of the screens.
  case end
}

extension ScreenStep {
  /// The words of the step as a command line, without `workbench`.
  var words: [String] {
    let (form, arguments) = call
    return form.words(arguments)
  }

  private var call: (ScreenStepForm, Record) {
    switch self {
    case .action(let name): return (.action, ["name": .text(name)])
    case .open(let plugin, let screen): return (.open, ["plugin": .text(plugin), "screen": .text(screen)])
    case .command(let plugin, let name): return (.command, ["plugin": .text(plugin), "name": .text(name)])
    case .answer(let text): return (.answer, ["text": Self.value(text)])
    case .choose(let id): return (.choose, ["id": Self.value(id)])
    case .key(let key): return (.key, ["key": .text(StepText.escaped(key.description))])
    case .type(let text): return (.type, ["text": Self.value(text)])
    case .paste(let text): return (.paste, ["text": Self.value(text)])
    case .mouse(let mouse): return (.mouse, mouse.arguments)
    case .resize(let size): return (.resize, ["size": .text(StepText.size(size))])
    case .cancel: return (.cancel, [:])
    case .end: return (.end, [:])
    }
  }

  private static func value(_ text: String?) -> Value {
    text.map { .text(StepText.escaped($0)) } ?? PersonalArguments.mark
  }

  /// Creates the step that a command line names.
  ///
  /// - Returns: Nil for `screen start`, which is not a step.
  /// - Throws: ``ScreenStepError`` for an unknown key, ``CommandLineError`` for a malformed size.
  init?(_ form: ScreenStepForm, _ call: CommandCall) throws {
    switch form {
    case .start: return nil
    case .action: self = .action(call.text("name"))
    case .open: self = .open(plugin: call.text("plugin"), screen: call.text("screen"))
    case .command: self = .command(plugin: call.text("plugin"), name: call.text("name"))
    case .answer: self = .answer(StepText.unescaped(call.text("text")))
    case .choose: self = .choose(StepText.unescaped(call.text("id")))
    case .key:
      guard let key = Key(StepText.unescaped(call.text("key"))) else {
        throw ScreenStepError.unknownKey(call.text("key"))
      }
      self = .key(key)
    case .type: self = .type(StepText.unescaped(call.text("text")))
    case .paste: self = .paste(StepText.unescaped(call.text("text")))
    case .mouse: self = .mouse(Mouse(call))
    case .resize: self = .resize(try GlobalOption.size(call.text("size"), option: "size"))
    case .cancel: self = .cancel
    case .end: self = .end
    }
  }
}

/// Texts of steps, whose lines are one line each.
enum StepText {
  /// Returns a text with its control characters and backslashes as `\xHH`, `\n` and `\\`; a text that is the mark of
  /// left-out texts has a backslash before it.
  static func escaped(_ text: String) -> String {
    if text == PersonalArguments.mark.text { return "\\" + text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result.append(contentsOf: ("\\x" + (digits.count == 1 ? "0" : "") + digits).unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the text that `escaped` made; other backslashes stay as they are.
  static func unescaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if scalars[index] == "\\", let next, ["\\", "n", "…"].contains(next) {
        result.append(next == "n" ? "\n" : next)
        index += 2
      } else if scalars[index] == "\\", next == "x", index + 3 < scalars.count,
        let byte = UInt8(String(String.UnicodeScalarView(scalars[(index + 2)...(index + 3)])), radix: 16)
      {
        result.append(Unicode.Scalar(byte))
        index += 4
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }

  /// Returns a size in cells as options write it, `120x40`.
  static func size(_ size: Size) -> String { "\(size.width)x\(size.height)" }
}

extension Mouse {
  /// The names of buttons in recordings.
  static let buttonNames: [(name: String, button: Button)] = [
    ("left", .left), ("middle", .middle), ("right", .right), ("none", .none),
  ]

  /// The names of modifier keys in recordings.
  static let modifierNames: [(name: String, modifier: Key.Modifiers)] = [
    ("ctrl", .control), ("alt", .alt), ("shift", .shift),
  ]

  /// The event as arguments of `screen mouse`.
  fileprivate var arguments: Record {
    var arguments: Record = ["x": .integer(position.x), "y": .integer(position.y)]
    switch action {
    case .press(let clicks): (arguments["action"], arguments["clicks"]) = ("press", .integer(clicks))
    case .drag: arguments["action"] = "drag"
    case .release: arguments["action"] = "release"
    case .scroll(let rows): (arguments["action"], arguments["rows"]) = ("scroll", .integer(rows))
    @unknown default: preconditionFailure("the host knows every case of its own contract")
    }
    arguments["button"] = .optional(Self.buttonNames.first { $0.button == button }?.name)
    let names = Self.modifierNames.filter { modifiers.contains($0.modifier) }.map { Value.text($0.name) }
    if !names.isEmpty { arguments["modifier"] = .list(names) }
    return arguments
  }

  /// Creates the event of a call of `screen mouse`.
  fileprivate init(_ call: CommandCall) {
    let action: Action =
      switch call.text("action") {
      case "press": .press(clicks: call["clicks"].integer ?? 1)
      case "scroll": .scroll(call["rows"].integer ?? 1)
      case "drag": .drag
      default: .release
      }
    let button = Self.buttonNames.first { $0.name == call.text("button") }?.button
    var modifiers: Key.Modifiers = []
    for name in call.texts("modifier") {
      if let known = Self.modifierNames.first(where: { $0.name == name }) { modifiers.insert(known.modifier) }
    }
    self.init(
      action, button: button ?? .left, at: Point(x: call["x"].integer ?? 0, y: call["y"].integer ?? 0),
      modifiers: modifiers)
  }
}

/// An error of a step that is replayed.
enum ScreenStepError {
  static func unknownKey(_ word: String) -> ErrorReport {
    CommonHostError.unknownKey("'\(word)' is not a key", advice: "write keys as 'down', 'enter', 'ctrl-p' or 'x'")
  }
  static let noScreensCode = DeclaredError(
    "host.no-screens", .usage, "a 'screen' command needs a script that has shown screens with 'screen start'")
  static let noScreens = noScreensCode(
    "no screens are shown for this step", advice: "show them first with 'screen start'")
  /// Screens are shown already.
  static let alreadyShown = noScreensCode(
    "screens of the script are already shown", advice: "end them first with 'screen end'")
  /// The command is not a line of a script.
  static let outsideScript = noScreensCode(
    "'screen' commands are lines of scripts", advice: "run the recording with 'workbench script FILE'")
  static let impossibleStep = DeclaredError(
    "host.impossible-step", .failure, "the screen cannot perform a step of a recording")
  static let ended = impossibleStep("the screens have ended before this step", advice: "record the session again")
  static func cannotShow(_ reason: String) -> ErrorReport {
    CommonHostError.noTerminal(
      "'--show' cannot show screens: \(reason)",
      advice: "leave out '--show', or run a script with 'screen' lines in a terminal")
  }
  /// The front screen cannot do that.
  static func impossible(_ problem: String, screen: String, advice: String?) -> ErrorReport {
    impossibleStep(
      "\(problem) on the screen '\(screen)'", advice: advice ?? "record the session again, or edit the recording")
  }

}
