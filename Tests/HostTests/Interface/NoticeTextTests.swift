import PluginAPI
import Testing

@testable import Host

struct NoticeTextTests {
  private let notice = Diagnostic(
    .error, code: "tides.away", "'tides.example' cannot be reached: Connection refused", advice: "look at the address")

  @Test func `what fits stands in one line`() {
    #expect(
      NoticeText.lines(notice, width: 80, limit: 4) == [
        "'tides.example' cannot be reached: Connection refused; look at the address"
      ])
    let bare = Diagnostic(.note, code: "tides.high", "high water")
    #expect(NoticeText.lines(bare, width: 10, limit: 4) == ["high water"])
  }

  @Test func `in a single line the message is cut before the advice`() {
    #expect(NoticeText.lines(notice, width: 45, limit: 1) == ["'tides.example' cannot …; look at the address"])
    #expect(NoticeText.lines(notice, width: 24, limit: 1) == ["'tides.…; look at the address"])
  }

  @Test func `in several lines the advice has lines of its own and the message is cut if there are too few`() {
    #expect(
      NoticeText.lines(notice, width: 36, limit: 4) == [
        "'tides.example' cannot be reached:", "Connection refused", "look at the address",
      ])
    #expect(
      NoticeText.lines(notice, width: 36, limit: 2) == ["'tides.example' cannot be reached: …", "look at the address"])
  }

  @Test(arguments: [20, 34, 40, 77, 80], 2...8)
  func `no line is too wide, none too many, and a short advice is always whole`(width: Int, limit: Int) {
    let lines = NoticeText.lines(notice, width: width, limit: limit)
    #expect(lines.count <= limit && lines.allSatisfy { TextWidth.columns($0) <= width })
    #expect(lines.joined(separator: " ").hasSuffix("look at the address"))
  }
}
