/// A column of numbers in its own memory that only grows, reused from one picture to the next.
///
/// During one call of the rasterizer, threads write to different elements at the same time; that is why it is not an
/// array.
final class RawColumn<Element: BitwiseCopyable> {
  /// The first element; valid until ``reserve(_:keeping:)`` is called.
  private(set) var base: UnsafeMutablePointer<Element>
  /// The number of elements, all of them initialized.
  private(set) var count: Int
  private let filler: Element

  /// Creates a column of one element.
  ///
  /// - Parameter filler: The value of new elements.
  init(filling filler: Element) {
    self.filler = filler
    count = 1
    base = .allocate(capacity: 1)
    base.initialize(to: filler)
  }

  deinit { base.deallocate() }

  /// Reserves memory for a number of elements; the first `kept` ones keep their values.
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
