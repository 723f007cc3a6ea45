/// A row that only the tokenizer can read.
struct CIFOddRow {
  private let width: Int
  private(set) var values = CIFRowValues()
  /// The token that stands where a value should.
  private(set) var end: CIFToken

  init(width: Int, end: CIFToken) {
    self.width = width
    self.end = end
  }

  /// Whether the row has all its values.
  var isComplete: Bool { values.count == width }

  /// Reads the values of a row as far as there are any.
  mutating func read(_ tokens: inout CIFTokenizer) {
    values.removeAll()
    while values.count < width {
      let token = tokens.next()
      guard token.kind.isValue else {
        end = token
        return
      }
      values.append(token)
    }
  }
}
