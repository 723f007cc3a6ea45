import PluginStore
import PluginText

/// The searchable text of an entity: all its texts, folded, one per line.
enum EntityText {
  /// The columns that are read for the text, in their order.
  static let columns = "perm_id, header, summary, identifier, category, refcon, properties"

  /// Appends the folded text of a row to bytes.
  ///
  /// - Parameter first: The index of its first column.
  static func append(_ row: PreparedStatement, from first: Int = 0, to out: inout [UInt8]) {
    for column in first..<(first + 6) {
      row.withText(column) { if !$0.isEmpty { FoldedText.append($0, to: &out) } }
      out.append(10)
    }
    row.withBytes(first + 6) { properties in
      var place = 0
      _ = PackedTexts.forEach(encoded: properties) { text in
        // Keys are the server's names, which are never shown.
        if place % 3 != 0, !text.isEmpty {
          if place % 3 == 2, text.contains(UInt8(ascii: "<")) {
            FoldedText.append(SearchedText.of(String(decoding: text, as: UTF8.self)), to: &out)
          } else {
            FoldedText.append(text, to: &out)
          }
          out.append(10)
        }
        place += 1
      }
    }
  }
}
