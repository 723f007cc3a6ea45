/// A column of numbers in memory of its own that only grows, kept from one picture to the next.
///
/// Threads write to different places of it at a time while one call of the rasteriser lasts; that is why it is no array.
final class RawColumn<Element: BitwiseCopyable> {
  /// The first element; valid until ``reserve(_:keeping:)`` is called.
  private(set) var base: UnsafeMutablePointer<Element>
  /// The number of elements, all of them initialised.
  private(set) var count: Int
  private let filler: Element

  /// Makes a column of one element.
  ///
  /// - Parameter filler: What new elements are.
  init(filling filler: Element) {
    self.filler = filler
    count = 1
    base = .allocate(capacity: 1)
    base.initialize(to: filler)
  }

  deinit { base.deallocate() }

  /// Makes room for so many elements; of those there are so many keep their values.
  func reserve(_ wanted: Int, keeping kept: Int = 0) {
    precondition(kept >= 0 && kept <= count, "a column keeps no more elements than it has")
    guard wanted > count else { return }
    let room = max(wanted, count + count / 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    larger.update(from: base, count: kept)
    (larger + kept).initialize(repeating: filler, count: room - kept)
    base.deallocate()
    base = larger
    count = room
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count, "the column has no such element")
    return base[index]
  }
}
