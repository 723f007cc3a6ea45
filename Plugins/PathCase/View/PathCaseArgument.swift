import PluginAPI

/// The arguments of screens and actions.
enum PathCaseArgument {
  // MARK: Screens

  /// The id of a pathway, or the path of a file.
  static let pathway = ScreenArgument<String>("pathway")
  /// The id or path named on the command line.
  static let document = ScreenArgument<String>("document")
  /// A content of a pathway; also an argument of the action that shows it.
  static let content = ScreenArgument<PathwayContent>("content")
  /// The thing to select: a node, or a metabolite.
  static let focus = identifier("focus")
  /// The pathway that the list of pathways selects at first.
  static let selected = ScreenArgument<String>("selected")
  /// The network of a node.
  static let network = ScreenArgument<String>("network")
  /// The thing that a node represents.
  static let subject = identifier("subject")
  /// A heading.
  static let title = ScreenArgument<String>("title")
  /// A text.
  static let text = ScreenArgument<String>("text")

  // MARK: Actions

  /// The id of a row of a list, or of a field.
  static let id = ScreenArgument<String>("id")
  /// The index of a row of a table.
  static let row = ScreenArgument<Int>("row")
  /// 1 for the next and -1 for the previous one.
  static let step = ScreenArgument<Int>("step")
  /// A direction on the graph.
  static let direction = ScreenArgument<GraphState.Direction>("direction")
  /// True to move by a page.
  static let page = ScreenArgument<Bool>("page")
  /// True for the list of pools.
  static let pools = ScreenArgument<Bool>("pools")
  /// The letter of a level.
  static let level = ScreenArgument<String>("level")
  /// The sign of the states that a process may have; empty for any.
  static let states = ScreenArgument<String>("states")

  private static func identifier(_ name: String) -> ScreenArgument<Identifier> {
    ScreenArgument(name, read: { $0.text.map { Identifier($0) } }, write: { .text($0.text) })
  }
}
