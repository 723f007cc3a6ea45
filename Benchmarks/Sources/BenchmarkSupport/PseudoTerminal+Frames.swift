extension PseudoTerminal {
  /// The end of a large frame: the question whether the terminal has worked it off.
  private static let frameEnd = Array("\u{1B}[5n".utf8)

  /// Waits for a complete large frame; small ones may precede it.
  ///
  /// - Parameters:
  ///   - smallest: The minimum size in bytes of a frame with a picture; a smaller one is the status line, for example.
  ///   - atMost: The maximum time to wait, in milliseconds.
  /// - Returns: Its size in bytes; nil if there was none.
  public func readFrame(smallest: Int, atMost: Double = 1000) -> Int? {
    var bytes: [UInt8] = []
    let deadline = Timing.milliseconds() + atMost
    while Timing.milliseconds() < deadline {
      guard let more = read(milliseconds: 100) else { continue }
      bytes += more
      let end = Array(bytes.suffix(Self.frameEnd.count + 8))
      if bytes.count >= smallest, ByteSearch.first(Self.frameEnd, in: end) != nil { return bytes.count }
    }
    return nil
  }
}
