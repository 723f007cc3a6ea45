import Testing

@testable import Molecules

struct NameTableTests {
  @Test func `each name is stored once, at any length`() {
    var table = NameTable()
    let names = (0..<2000).map { "N\($0)" } + ["", "exactly8", "more than eight", "more than eigh"]
    let ids = names.map { table.intern($0) }
    #expect(ids == Array(0..<NameID(names.count)))
    #expect(names.map { table.intern($0) } == ids)
    #expect(names.map { table.id(of: $0) } == ids)
    #expect(table.id(of: "absent") == nil)
    #expect(ids.map { table[$0] } == names)
  }
}
