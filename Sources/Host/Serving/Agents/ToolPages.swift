import PluginAPI

/// The text of a tool's result.
struct ToolText: Sendable {
  /// The form of a text.
  enum Form: Sendable {
    /// Its items are the elements of a list of JSON.
    case list
    /// Its items are lines below a header.
    case rows(header: [UInt8])
    /// It has one item, which is cut where a page ends.
    case whole
  }

  let items: [[UInt8]]
  let form: Form
  /// The number of bytes of the items.
  let bytes: Int

  /// Creates a text; one with an item that does not fit a page becomes ``Form/whole``.
  init(_ items: [[UInt8]], _ form: Form) {
    switch form {
    case .whole: (self.items, self.form) = ([Array(items.joined())], form)
    case .list, .rows:
      let isFitting = items.allSatisfy { $0.count <= ToolPages.pageBytes }
      (self.items, self.form) = isFitting ? (items, form) : ([Self.text(items[...], form)], .whole)
    }
    bytes = self.items.reduce(0) { $0 + $1.count }
  }

  /// Returns the text of items.
  static func text(_ items: ArraySlice<[UInt8]>, _ form: Form) -> [UInt8] {
    switch form {
    case .list: [UInt8(ascii: "[")] + items.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    case .rows(let header): header + items.flatMap { [UInt8(ascii: "\n")] + $0 }
    case .whole: Array(items.joined())
    }
  }
}

/// The latest results of an agent's calls that do not fit a page, which are sent page by page.
struct ToolPages {
  /// The maximum number of bytes of a page: some 7,000 tokens.
  static let pageBytes = 24_000
  private static let mostResults = 8
  private static let mostBytes = 64 << 20

  private var results: [(number: Int, text: ToolText)] = []
  private var lastNumber = 0

  /// Returns the first page of a result, and keeps the others.
  mutating func first(of text: ToolText) -> String {
    lastNumber += 1
    let (page, isLast) = Self.page(of: text, number: lastNumber, from: 0)
    if !isLast {
      results.append((lastNumber, text))
      while results.count > Self.mostResults
        || results.count > 1 && results.reduce(0, { $0 + $1.text.bytes }) > Self.mostBytes
      {
        results.removeFirst()
      }
    }
    return page
  }

  /// Returns a further page.
  ///
  /// - Parameter cursor: The number of the result and the position of the page, `3-120`.
  func page(_ cursor: String) throws(ErrorReport) -> String {
    let parts = cursor.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let position = parts[1], position > 0,
      let text = results.first(where: { $0.number == number })?.text, position < Self.length(of: text)
    else { throw AgentError.noPage(String(cursor.prefix(40))) }
    return Self.page(of: text, number: number, from: position).page
  }

  /// Returns the number of items, or of bytes of a whole text.
  private static func length(of text: ToolText) -> Int {
    switch text.form {
    case .list, .rows: text.items.count
    case .whole: text.bytes
    }
  }

  private static func page(of text: ToolText, number: Int, from start: Int) -> (page: String, isLast: Bool) {
    let length = length(of: text)
    let end = end(of: text, from: start)
    let bytes: [UInt8]
    let what: String
    switch text.form {
    case .list, .rows: (bytes, what) = (ToolText.text(text.items[start..<end], text.form), "items")
    case .whole: (bytes, what) = (Array((text.items.first ?? [])[start..<end]), "bytes")
    }
    let page = String(decoding: bytes, as: UTF8.self)
    if end == length, start == 0 { return (page, true) }
    let next = end < length ? "; call the tool 'next' with the cursor '\(number)-\(end)' for more" : ""
    return (page + "\n(\(what) \(start + 1) to \(end) of \(length)\(next))", end == length)
  }

  private static func end(of text: ToolText, from start: Int) -> Int {
    switch text.form {
    case .list, .rows:
      var (end, size) = (start, 0)
      while end < text.items.count, end == start || size + text.items[end].count < pageBytes {
        size += text.items[end].count + 1
        end += 1
      }
      return end
    case .whole:
      let bytes = text.items.first ?? []
      var end = min(bytes.count, start + pageBytes)
      // Not inside a character.
      while end < bytes.count, end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      return end
    }
  }
}
