/// The text of an entity in which words are searched.
///
/// The same text must come out whenever the entity is the same: taking words out of the index needs it.
enum EntityWords {
  /// Puts the text of a new row behind bytes.
  static func append(_ row: EntityRow, to out: inout [UInt8]) {
    append(
      header: row.summaryHeader ?? "", summary: row.summary ?? "", identifier: row.identifier ?? "",
      category: row.category ?? "", properties: row.properties ?? [], to: &out)
  }

  /// Puts the text of an entity behind bytes.
  ///
  /// - Parameter searched: The part of a property's value that is searched.
  static func append(
    header: String, summary: String, identifier: String, category: String, properties: [Property],
    searched: (String) -> String = SearchedText.of, to out: inout [UInt8]
  ) {
    for text in [header, summary, identifier, category] where !text.isEmpty {
      out.append(contentsOf: text.utf8)
      out.append(10)
    }
    for property in properties where !property.value.isEmpty {
      out.append(contentsOf: searched(property.value).utf8)
      out.append(10)
    }
  }
}
