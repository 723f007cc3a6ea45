import PluginStore
import PluginText

/// All text of an entity, folded, one part to a line: where texts are looked for.
enum EntityText {
  /// The columns that are read for it, in the order it takes them.
  static let columns = "perm_id, header, summary, identifier, category, refcon, properties"

  /// Puts the folded text of a row behind bytes.
  ///
  /// - Parameter first: Where its columns begin.
  static func append(_ row: PreparedStatement, from first: Int = 0, to out: inout [UInt8]) {
    for column in first..<(first + 6) {
      row.withText(column) { if !$0.isEmpty { FoldedText.append($0, to: &out) } }
      out.append(10)
    }
    row.withBytes(first + 6) { properties in
      var place = 0
      _ = PackedTexts.forEach(encoded: properties) { text in
        // Keys are the server's names, which nobody sees.
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
