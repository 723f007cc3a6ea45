import PluginAPI
import Testing

@testable import Host

/// Pages of long results for agents.
@Suite struct ToolPagesTests {
  /// Returns all pages of a text, without their last lines.
  private func pages(of text: ToolText) throws -> [String] {
    var pages = ToolPages()
    var page = pages.first(of: text)
    var bodies: [String] = []
    while true {
      guard let end = page.lastIndex(of: "\n"), page[end...].hasPrefix("\n(") else { return bodies + [page] }
      bodies.append(String(page[..<end]))
      guard let cursor = page[end...].split(separator: "'").dropFirst(3).first else { return bodies }
      page = try pages.page(String(cursor))
    }
  }

  @Test func `a short result is one page without a note`() throws {
    #expect(try pages(of: ToolText([Array("1".utf8), Array("2".utf8)], .list)) == ["[1,2]"])
    #expect(try pages(of: ToolText([], .list)) == ["[]"])
    #expect(try pages(of: ToolText([], .whole)) == [""])
    #expect(try pages(of: ToolText([Array("a\tb".utf8)], .rows(header: Array("x\ty".utf8)))) == ["x\ty\na\tb"])
  }

  @Test func `a long text is never split within a character`() throws {
    let text = String(repeating: "aé漢🧬", count: 10_000)
    let found = try pages(of: ToolText([Array(text.utf8)], .whole))
    #expect(found.count > 3 && found.joined() == text)
    #expect(found.allSatisfy { $0.utf8.count <= ToolPages.pageBytes })
  }

  @Test func `each page of rows begins with the header`() throws {
    let rows = (0..<5000).map { Array("row \($0)\tvalue".utf8) }
    let found = try pages(of: ToolText(rows, .rows(header: Array("name\tvalue".utf8))))
    #expect(found.count > 2 && found.allSatisfy { $0.hasPrefix("name\tvalue\nrow ") })
    #expect(found.reduce(0) { $0 + $1.split(separator: "\n").count - 1 } == 5000)
  }

  @Test func `an element larger than a page is split like text`() throws {
    let large = [UInt8](repeating: UInt8(ascii: "7"), count: ToolPages.pageBytes + 10)
    let found = try pages(of: ToolText([Array("1".utf8), large], .list))
    #expect(found.joined() == "[1," + String(decoding: large, as: UTF8.self) + "]")
  }

  @Test func `a page can be requested again until newer results replace it`() throws {
    var pages = ToolPages()
    let text = ToolText((0..<10_000).map { Array("\($0)".utf8) }, .list)
    _ = pages.first(of: text)
    let second = try pages.page("1-3000")
    #expect(try pages.page("1-3000") == second)
    for _ in 0..<8 { _ = pages.first(of: text) }
    #expect(throws: AgentError.noPage("1-3000")) { try pages.page("1-3000") }
  }
}
