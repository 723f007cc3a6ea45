/// Cuts the bytes of a stream into lines.
struct LineSplitter {
  /// A part of the stream.
  enum Piece: Equatable {
    /// A line, without its line feed.
    case line([UInt8])
    /// A line beyond the limit; its bytes are dropped.
    case tooLong
  }

  /// The longest line in bytes.
  let limit: Int
  private var pending: [UInt8] = []
  /// A Boolean value indicating whether the rest of a line beyond the limit is being dropped.
  private var isSkipping = false

  init(limit: Int) { self.limit = limit }

  /// A Boolean value indicating whether the stream ended, or exceeded the limit, inside a line.
  var isInsideLine: Bool { !pending.isEmpty || isSkipping }

  /// Adds bytes of the stream.
  ///
  /// - Returns: The lines that they complete, without line feeds; nil if a line exceeds the limit.
  mutating func add(_ chunk: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    for piece in pieces(adding: chunk) {
      guard case .line(let line) = piece else { return nil }
      lines.append(line)
    }
    return lines
  }

  /// Adds bytes of the stream.
  ///
  /// - Returns: The lines that they complete. A line beyond the limit is reported once, as soon as it exceeds it.
  mutating func pieces(adding chunk: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if isSkipping {
        isSkipping = false
      } else if pending.count + end - start > limit {
        pieces.append(.tooLong)
      } else {
        pieces.append(.line(pending + chunk[start..<end]))
      }
      pending = []
      start = end + 1
    }
    if isSkipping { return pieces }
    if pending.count + chunk.count - start > limit {
      pieces.append(.tooLong)
      (pending, isSkipping) = ([], true)
    } else {
      pending += chunk[start...]
    }
    return pieces
  }

  /// Returns the line that the end of the stream leaves without its line feed, and removes it; nil if there is none.
  mutating func takeRemainder() -> [UInt8]? {
    defer { pending = [] }
    return pending.isEmpty ? nil : pending
  }
}
