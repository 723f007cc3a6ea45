/// The text of an entity for the word index.
///
/// The text of an unchanged entity must always be the same: removing words from the index requires it.
enum EntityWords {
  /// Appends the text of a new row to bytes.
  static func append(_ row: EntityRow, to out: inout [UInt8]) {
    append(
      header: row.summaryHeader ?? "", summary: row.summary ?? "", identifier: row.identifier ?? "",
      category: row.category ?? "", properties: row.properties ?? [], to: &out)
  }

  /// Appends the text of an entity to bytes.
  ///
  /// - Parameter searched: Returns the searchable part of a property's value.
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
