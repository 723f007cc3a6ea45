/// A completed element of a document, with its value.
struct WireNode {
  var local: String
  var isNil = false
  /// The text between its tags, if it has no elements.
  var text = ""
  var value = WireValue.null
  /// The type that the text names, if it is a prefixed name whose prefix is declared there.
  var namedType: WireType?
  /// Key and value, if it is an item of a dictionary.
  var item: WireDictionary.Item?
  /// The elements in it, one level of them.
  var children: [WireNode] = []

  /// Returns the first child with a name.
  func child(_ local: String) -> WireNode? { children.first { $0.local == local && !$0.isNil } }
}
