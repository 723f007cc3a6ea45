import PluginAPI

/// The commands `screen …`, which are the lines of recordings.
enum ScreenStepForm: String, Sendable, CaseIterable {
  case start, action, open, command, answer, choose, key, type, paste, mouse, resize, cancel, end

  /// The command's description.
  var declaration: CommandDescription {
    let name = "screen " + rawValue
    switch self {
    case .start:
      return Self.describe(name, "Start screens that the following lines of a script control")
        .taking(
          [
            Parameter("plugin", .text, "Plugin; the home screen if omitted"),
            Parameter("document", .text, "Document to show", isRepeatable: true).personal(),
          ],
          options: [
            Parameter("screen", .text, "Screen of the plugin; the first one if omitted"),
            Parameter("size", .text, "Size of the screen in cells, WxH", defaultValue: "80x24"),
          ]
        ).explained(
          """
          'run' and 'open' write this line and the following ones with '--record FILE'. Each step begins when the \
          previous one has finished. 'screen end' prints the last frame.
          """, examples: [.init("screen start molecules 1crn.pdb --size 120x40", "Show a structure")])
    case .action:
      return Self.describe(name, "Perform an action of the front screen")
        .taking([Parameter("name", .text, "Name of the action as in key maps", isRequired: true)])
        .explained(
          "Every screen has the actions 'host.back', 'host.help', 'host.home', 'host.focus' and 'host.tour'.",
          examples: [.init("screen action mode", "Perform the action 'mode'")])
    case .open:
      return Self.describe(name, "Open a screen of a plugin over the front screen")
        .taking([
          Parameter("plugin", .text, "Plugin", isRequired: true),
          Parameter("screen", .text, "Screen of the plugin", isRequired: true),
        ]).explained(examples: [.init("screen open molecules library", "Open the library of structures")])
    case .command:
      return Self.describe(name, "Run a command on a screen; the following steps answer its questions")
        .taking([
          Parameter("plugin", .text, "Plugin", isRequired: true),
          Parameter("name", .text, "Name of the command", isRequired: true),
        ]).explained(examples: [.init("screen command molecules 'measure distance'", "A command name of two words")])
    case .answer:
      return Self.describe(name, "Answer the question on the screen")
        .taking([Self.text("Answer")])
        .explained(examples: [.init("screen answer 'crystal 7'", "Answer with two words")])
    case .choose:
      return Self.describe(name, "Choose an entry of the open sheet")
        .taking([Parameter("id", .text, "Id of the choice", isRequired: true).personal()])
        .explained(examples: [.init("screen choose cartoon", "Choose an entry")])
    case .key:
      return Self.describe(name, "Press a key that is not bound to an action")
        .taking([Parameter("key", .text, "Key, such as down, enter or ctrl-k", isRequired: true)])
        .explained(examples: [.init("screen key down", "Move the selection")])
    case .type:
      return Self.describe(name, "Type characters into the front screen")
        .taking([Self.text("Characters; \\n, \\xHH and \\\\ for control characters and a backslash")])
        .explained(examples: [.init("screen type glycolysis", "Type a word to search for")])
    case .paste:
      return Self.describe(name, "Paste text into the front screen")
        .taking([Self.text("Text; \\n, \\xHH and \\\\ for control characters and a backslash")])
        .explained(examples: [.init("screen paste 'two\\nlines'", "Paste two lines")])
    case .mouse: return mouse(name)
    case .resize:
      return Self.describe(name, "Change the size of the screens")
        .taking([Parameter("size", .text, "Size in cells, WxH", isRequired: true)])
        .explained(examples: [.init("screen resize 120x40", "Enlarge the screen")])
    case .cancel:
      return Self.describe(name, "Cancel the running work of all screens")
        .explained(examples: [.init("screen cancel", "Cancel what is running")])
    case .end:
      return Self.describe(name, "End the screens and print the last frame")
        .explained(examples: [.init("screen end", "End the screens")])
    }
  }

  private func mouse(_ name: String) -> CommandDescription {
    Self.describe(name, "Send a mouse event to the screens")
      .taking(
        [
          Parameter("action", .choice(["press", "drag", "release", "scroll"]), "Mouse event", isRequired: true),
          Parameter("x", .integer(minimum: -32_768, maximum: 32_767), "Column from 0", isRequired: true),
          Parameter("y", .integer(minimum: -32_768, maximum: 32_767), "Row from 0", isRequired: true),
        ],
        options: [
          Parameter("clicks", .integer(minimum: 1, maximum: 3), "Number of clicks of a press", defaultValue: 1),
          Parameter(
            "rows", .integer(minimum: -1_000, maximum: 1_000), "Rows to scroll, negative upward", defaultValue: 1),
          Parameter("button", .choice(Mouse.buttonNames.map(\.name)), "Button", defaultValue: "left"),
          Parameter(
            "modifier", .choice(Mouse.modifierNames.map(\.name)), "Modifier key that is held down", isRepeatable: true),
        ]
      ).explained(examples: [.init("screen mouse press 10 4", "Press the left button")])
  }

  /// Returns the words of a call with these arguments.
  func words(_ arguments: Record) -> [String] {
    let entry = CommandEntry(owner: .host(HostCommand(declaration) { _ in }), declaration: declaration)
    return CommandLineWords.arguments(calling: entry, arguments)
  }

  private static func describe(_ name: String, _ summary: String) -> CommandDescription {
    CommandDescription(name, summary, output: .init(.any), effects: [])
  }

  /// The text of a step, which a recording leaves out where it is personal.
  private static func text(_ summary: String) -> Parameter {
    Parameter("text", .text, summary, isRequired: true).personal()
  }
}
