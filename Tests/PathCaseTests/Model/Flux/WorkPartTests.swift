import Testing

@testable import PathCase

struct WorkPartTests {
  @Test(arguments: ["", "3", "0/3", "4/3", "-1/3", "1/0", "1/", "/3", "1/2/3", "1/1000001", "one/3", "1.0/3", " 1/3"])
  func `a text that is not a part is refused`(_ text: String) { #expect(WorkPart(text) == nil) }

  @Test(arguments: [0, 1, 2, 7, 95, 4465], [1, 2, 3, 7, 100, 1_000_000])
  func `all parts together equal the whole, in order`(_ total: Int, _ count: Int) throws {
    var end = 0
    // Beyond the first thousand and the last one, all parts are alike.
    for number in 1...min(count, 1000) {
      let rows = try #require(WorkPart("\(number)/\(count)")).rows(of: total)
      try #require(rows.lowerBound == end)
      #expect(rows.count <= total / count + 1)
      end = rows.upperBound
    }
    if count > 1000 { end = try #require(WorkPart("\(count)/\(count)")).rows(of: total).upperBound }
    #expect(end == total)
    #expect(WorkPart.whole.rows(of: total) == 0..<total)
  }

  @Test(arguments: [0, 1, 2, 3, 8]) func `each pair is listed once, and any range of the order can be read`(_ size: Int)
  {
    var expected: [[Int]] = []
    for one in 0..<size { for other in (one + 1)..<max(size, one + 1) { expected.append([one, other]) } }
    let order = PairOrder(size: size)
    #expect(order.count == expected.count)
    for start in 0...order.count {
      for end in start...order.count {
        var found: [[Int]] = []
        order.forEach(start..<end) { found.append([$0, $1]) }
        #expect(found == Array(expected[start..<end]))
      }
    }
  }
}
