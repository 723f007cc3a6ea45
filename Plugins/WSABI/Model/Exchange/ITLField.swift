/// A field of a logical record: subfields of information items.
struct ITLField: Sendable, Hashable {
  var number: Int
  /// Row per subfield; each has at least one item.
  var subfields: [[String]]

  init(_ number: Int, subfields: [[String]]) {
    self.number = number
    self.subfields = subfields
  }

  /// Creates a field of one item.
  init(_ number: Int, _ text: String) { self.init(number, subfields: [[text]]) }
}
