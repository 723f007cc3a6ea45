/// The columns of a stored entity that rows may change.
struct StoredColumns {
  var permID = ""
  var flags: EntityFlags = []
  var hasChildren = false
  var digest: Int?
  var sort: [UInt8] = []
  var category = ""
  var header = ""
  var summary = ""
  var identifier: String?
  var refcon: String?
  var properties: [UInt8]?
  var images: [UInt8]?

  /// Appends the entity's text for the word index to bytes.
  func appendWords(to out: inout [UInt8]) {
    EntityWords.append(
      header: header, summary: summary, identifier: identifier ?? "", category: category,
      properties: properties.map(EntityCoding.properties) ?? [], to: &out)
  }
}
