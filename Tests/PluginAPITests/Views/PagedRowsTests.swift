import PluginAPI
import Testing

struct PagedRowsTests {
  /// A store of numbers that counts what is read of it.
  private struct Numbers {
    var all: [Int]
    var rows = PagedRows<Int>(pageSize: 10, mostPages: 3)
    var reads: [Range<Int>] = []

    init(_ count: Int) { all = Array(0..<count) }

    /// Reads until a range of rows can be shown.
    mutating func show(_ visible: Range<Int>) {
      while let range = rows.missing(visible) {
        reads.append(range)
        rows.take(Array(all[range.clamped(to: all.indices)]), total: all.count, for: range)
      }
    }
  }

  @Test func `only pages of visible rows are read, each once`() {
    var numbers = Numbers(95)
    #expect(numbers.rows.total == nil && numbers.rows[0] == nil)
    numbers.show(0..<5)
    numbers.show(3..<12)
    numbers.show(0..<5)
    numbers.show(88..<200)
    #expect(numbers.reads == [0..<10, 10..<20, 80..<100])
    #expect(numbers.rows.total == 95 && numbers.rows[94] == 94 && numbers.rows[95] == nil && numbers.rows[-1] == nil)
  }

  @Test func `pages far from the last ones read are dropped`() {
    var numbers = Numbers(95)
    for start in stride(from: 0, to: 90, by: 10) { numbers.show(start..<start + 10) }
    #expect(numbers.rows[89] == 89 && numbers.rows[60] == 60 && numbers.rows[59] == nil)
    numbers.show(0..<30)
    #expect(numbers.rows[0] == 0 && numbers.rows[29] == 29 && numbers.rows[89] == nil)
  }

  @Test func `a range larger than the cache is read at once and retained`() {
    var numbers = Numbers(95)
    numbers.show(60..<90)
    numbers.show(0..<90)
    #expect(numbers.reads == [0..<10, 60..<90, 0..<90])
    #expect(numbers.rows[0] == 0 && numbers.rows[89] == 89)
  }

  @Test func `expired rows remain available until they are read again`() {
    var numbers = Numbers(30)
    numbers.show(0..<30)
    numbers.all[12] = 112
    numbers.rows.expire()
    #expect(numbers.rows[12] == 12)
    #expect(numbers.rows.firstIndex { $0 == 12 } == nil)
    numbers.show(10..<15)
    #expect(numbers.rows[12] == 112)
    #expect(numbers.rows.firstIndex { $0 == 112 } == 12)
  }

  @Test func `a changed length discards the other pages`() {
    var numbers = Numbers(30)
    numbers.show(0..<30)
    numbers.all = Array(100..<115)
    numbers.rows.expire()
    numbers.show(0..<5)
    #expect(numbers.rows.total == 15 && numbers.rows[0] == 100 && numbers.rows[29] == nil)
    #expect(numbers.rows.missing(8..<15) == 10..<20)
  }

  @Test func `an empty list is read once, and unreadable rows are not requested again`() {
    var numbers = Numbers(0)
    numbers.show(0..<20)
    #expect(numbers.reads == [0..<10] && numbers.rows.total == 0)
    var rows = PagedRows<Int>(pageSize: 10)
    rows.take([], total: 25, for: 0..<30)
    #expect(rows.missing(0..<25) == nil && rows[3] == nil)
  }
}
