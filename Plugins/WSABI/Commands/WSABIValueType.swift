/// The names of the values that commands of this plugin give.
enum WSABIValueType {
  static let person = "wsabi.person"
  static let people = "wsabi.people"
  static let item = "wsabi.item"
  static let items = "wsabi.items"
}
