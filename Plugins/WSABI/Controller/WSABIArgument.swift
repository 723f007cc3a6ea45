import PluginAPI

/// The arguments that several screens have.
enum WSABIArgument {
  /// The number of an item.
  static let item = ScreenArgument<Int>("item")
  /// The number of a person.
  static let person = ScreenArgument<Int>("person")
}
