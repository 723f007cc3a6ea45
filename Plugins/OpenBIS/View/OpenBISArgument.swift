import PluginAPI

/// The arguments of screens and actions.
enum OpenBISArgument {
  // MARK: Screens

  /// The id of an account; the current one if it is empty.
  static let account = ScreenArgument<String>("account")
  /// The id of an entity.
  static let entity = ScreenArgument<String>("perm-id")
  /// True for the parents of an entity instead of its children.
  static let parents = ScreenArgument<Bool>("parents")
  /// The number of an image of an entity, from 1.
  static let number = ScreenArgument<Int>("number")
  /// The number of images of an entity.
  static let count = ScreenArgument<Int>("count")
  /// The id of the entity that a search selects at first.
  static let selected = ScreenArgument<String>("selected")
  /// The server's results of an earlier search.
  static let found = ScreenArgument<[Value]>("found", read: \.list, write: Value.list)
  /// The heading of a text or file.
  static let title = ScreenArgument<String>("title")
  /// A text, or the words to search for.
  static let text = ScreenArgument<String>("text")
  /// The content of a file that is an image.
  static let picture = ScreenArgument<Picture>("picture", read: \.picture, write: Value.picture)
  /// The content of a file that is a table.
  static let table = ScreenArgument<Table>("table", read: \.table, write: Value.table)

  // MARK: Actions

  /// The id of a row, of an entity in a list, or of an item of its details.
  static let id = ScreenArgument<String>("id")
}

extension ScreenRequest {
  /// Creates a request for a screen about an entity, or about a whole account.
  init(_ screen: String, of entity: String? = nil, account: String?) {
    self = ScreenRequest(screen).with(OpenBISArgument.entity, entity).with(OpenBISArgument.account, account)
  }
}
