import PluginAPI

/// The arguments of screens and of their actions.
enum WSABIArgument {
  // MARK: Screens

  /// The number of an item.
  static let item = ScreenArgument<Int>("item")
  /// The number of a person.
  static let person = ScreenArgument<Int>("person")
  /// The step at which the set-up of a stored item begins.
  static let from = ScreenArgument<SetupStart>(
    "from", read: { $0.text.flatMap(SetupStart.init) }, write: { .text($0.rawValue) })

  // MARK: Actions

  /// The id of a row of a list, or of a field of a form.
  static let id = ScreenArgument<String>("id")
  /// 1 for the next and -1 for the previous one.
  static let step = ScreenArgument<Int>("step")
  /// The index of a line on the back of a card: a part of the body, or the notes after the last part.
  static let part = ScreenArgument<Int>("line")
  /// A line of the set-up.
  static let line = ScreenArgument<SetupLine>(
    "line", read: { $0.text.flatMap(SetupLine.init) }, write: { .text($0.rawValue) })
  /// The columns that an arrow key moves a picture, -1 … 1.
  static let x = ScreenArgument<Int>("x")
  /// The rows that an arrow key moves a picture, -1 … 1.
  static let y = ScreenArgument<Int>("y")
}

/// A step at which the set-up of a stored item may begin.
enum SetupStart: String, Sendable {
  case device
  case submodality

  var step: Walkthrough.Step {
    switch self {
    case .device: .device
    case .submodality: .submodality
    }
  }
}

/// A line of the last step of the set-up.
enum SetupLine: String, CaseIterable, Sendable {
  case address
  case name
}
