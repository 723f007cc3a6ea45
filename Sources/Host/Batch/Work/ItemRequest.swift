import PluginAPI

/// One try at an item, as a worker asks its child for it: a JSON document on a line.
struct ItemRequest: Sendable, Equatable {
  var item: BatchItem
  /// The words of the command, without placeholders.
  var words: [String]
  /// The number of this try, counted from 1.
  var tries: Int
  /// The folder of the run, and the file in it for a picture.
  var folder: String
  var picture: String

  init(item: BatchItem, words: [String], tries: Int, folder: String, picture: String) {
    (self.item, self.words, self.tries) = (item, words, tries)
    (self.folder, self.picture) = (folder, picture)
  }

  init?(line: [UInt8]) {
    guard let value = try? JSONReader.read(line), let item = BatchItem(value["item"]),
      let words = value["words"].list?.compactMap(\.text), let tries = value["tries"].integer,
      let folder = value["folder"].text, let picture = value["picture"].text
    else { return nil }
    self.init(item: item, words: words, tries: tries, folder: folder, picture: picture)
  }

  /// The document and a line feed.
  var line: [UInt8] {
    JSONWriter.bytes(of: [
      "item": item.value, "words": .list(words.map(Value.text)), "tries": .integer(tries), "folder": .text(folder),
      "picture": .text(picture),
    ]) + [UInt8(ascii: "\n")]
  }
}

/// A child's response: a byte that shows whether the item is done, then the record as a line of a log.
enum ItemAnswer {
  /// The item is done.
  static let final = UInt8(ascii: "=")
  /// The error may be gone at the next try.
  static let retryable = UInt8(ascii: "?")

  /// Returns the line for the log in an answer; nil if it is damaged, or of another item.
  static func line(of answer: [UInt8], item: Int) -> ArraySlice<UInt8>? {
    guard answer.first == final || answer.first == retryable, answer.count > 2 else { return nil }
    let found = answer.withUnsafeBytes { bytes -> Int? in
      let line = UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
      guard LogFrame.isWhole(line) else { return nil }
      return LogEntry(UnsafeRawBufferPointer(rebasing: line[LogFrame.headSize...]))?.item
    }
    return found == item ? answer[1...] : nil
  }
}
