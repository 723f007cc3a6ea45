import Glibc
import PluginText

/// The lines of a text, one after the other; they end with LF or CR LF.
struct TextLines {
  private let file: UnsafeBufferPointer<UInt8>
  private var offset = 0
  /// The number of the last returned line, from 1.
  private(set) var number = 0

  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    if file.count >= 3, file[0] == 0xEF, file[1] == 0xBB, file[2] == 0xBF { offset = 3 }
  }

  /// Returns true if a text has carriage returns and neither line feeds nor NUL bytes.
  ///
  /// - Complexity: constant for texts with line feeds near their beginning; else linear.
  static func endWithCarriageReturns(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return memchr(base, 10, bytes.count) == nil && memchr(base, 13, bytes.count) != nil
      && memchr(base, 0, bytes.count) == nil
  }

  /// The number of bytes after the last returned line.
  var rest: Int { file.count - offset }

  /// Returns the next line without its end; nil after the last one.
  mutating func next() -> TextLine? {
    guard let base = file.baseAddress, offset < file.count else { return nil }
    let start = base + offset
    var length = file.count - offset
    if let end = memchr(start, 10, length) {
      length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      offset += length + 1
    } else {
      offset = file.count
    }
    if length > 0, start[length - 1] == 13 { length -= 1 }
    number += 1
    return TextLine(base: start, count: length, number: number)
  }
}

/// One line of a text, split at blanks or accessed by column.
///
/// Columns are 1-based. The line borrows the file's memory and must not outlive it.
struct TextLine {
  let base: UnsafePointer<UInt8>
  let count: Int
  /// The number in the file, from 1.
  let number: Int

  /// A word by its range in the line.
  struct Word {
    var start: Int
    var count: Int
    /// The first column, from 1.
    var column: Int { start + 1 }
  }

  /// The same line for access by column.
  var columns: PDBLine { PDBLine(base: base, count: count) }

  var isBlank: Bool { (0..<count).allSatisfy { base[$0] <= 32 } }

  /// The whole line without blanks at its ends.
  var text: String { columns.text(1, count) }

  /// Returns the words of the line, up to a largest number.
  func words(most: Int = .max) -> [Word] {
    var words: [Word] = []
    var position = 0
    while position < count, words.count < most {
      while position < count, base[position] <= 32 { position += 1 }
      let start = position
      while position < count, base[position] > 32 { position += 1 }
      if position > start { words.append(Word(start: start, count: position - start)) }
    }
    return words
  }

  func text(_ word: Word) -> String {
    String(decoding: UnsafeBufferPointer(start: base + word.start, count: word.count), as: UTF8.self)
  }

  func integer(_ word: Word) -> Int? { NumberText.integer(base + word.start, word.count) }

  func number(_ word: Word) -> Double? { NumberText.number(base + word.start, word.count) }

  /// Returns a coordinate in Å; nil if it is not a number or too large.
  func coordinate(_ word: Word) -> Double? { NumberText.coordinate(base + word.start, word.count) }

  /// Returns the line from a word on, at most 40 bytes, for quoting in messages.
  func excerpt(from word: Word? = nil) -> String {
    let start = word?.start ?? 0
    let bytes = UnsafeBufferPointer(start: base + start, count: min(count - start, 40))
    return String(decoding: bytes.map { $0 < 32 ? 32 : $0 }, as: UTF8.self).trimmed()
  }
}
