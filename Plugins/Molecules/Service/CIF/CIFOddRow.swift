/// A row that only the tokenizer can read.
struct CIFOddRow {
  private let width: Int
  private(set) var values = CIFRowValues()
  /// The token found in place of a value.
  private(set) var end: CIFToken

  init(width: Int, end: CIFToken) {
    self.width = width
    self.end = end
  }

  /// A Boolean value indicating whether the row has all its values.
  var isComplete: Bool { values.count == width }

  /// Reads as many values of a row as there are.
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
