import PluginAPI

/// The web addresses in a screen's content.
@MainActor final class ScreenAddresses {
  /// The bytes of a content that is read for each frame.
  private static let bytesPerFrame = 1 << 17
  /// The minimum size of a text in this calculation, in bytes.
  private static let leastBytes = 128
  /// The maximum number of addresses with the same prefix to compare with the frame.
  private static let mostContinuations = 100

  /// The addresses in the order of their characters.
  private var sorted: [String] = []
  /// The number of frames for which the content is not read again.
  private var remainingFrames = 0

  nonisolated init() {}

  /// Reads the addresses for a frame.
  ///
  /// A long content is read less often, in proportion to its length: its new addresses have links some frames later.
  ///
  /// - Parameter outline: Returns the screen's content for linear reading.
  func update(_ outline: @MainActor () -> Outline) {
    if remainingFrames > 0 {
      remainingFrames -= 1
      return
    }
    let outline = outline()
    let texts = [outline.title] + outline.text + outline.fields.map(\.value) + outline.items.map(\.text)
    sorted = Set(texts.flatMap { TerminalLinks.pieces(of: $0).filter(\.isAddress).map(\.text) }).sorted()
    remainingFrames = texts.reduce(0) { $0 + max(Self.leastBytes, $1.utf8.count) } / Self.bytesPerFrame
  }

  /// Returns true if the content has an address.
  func contains(_ address: String) -> Bool {
    let index = firstIndex(from: Array(address.utf8)[...])
    return index < sorted.count && sorted[index] == address
  }

  /// Returns the longer addresses that begin with some characters, the longest first; only some if there are very many.
  func continuations(of beginning: ArraySlice<UInt8>) -> [String] {
    sorted[firstIndex(from: beginning)...].prefix(Self.mostContinuations).prefix { $0.utf8.starts(with: beginning) }
      .filter { $0.utf8.count > beginning.count }.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Returns the index of the first address that does not precede a text.
  private func firstIndex(from text: ArraySlice<UInt8>) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].utf8.lexicographicallyPrecedes(text) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
