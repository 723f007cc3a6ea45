import PluginAPI
import Testing

@testable import Host

struct NoticeTextTests {
  private let notice = Diagnostic(
    .error, code: "tides.away", "'tides.example' cannot be reached: Connection refused", advice: "look at the address")

  @Test func `a notice that fits takes one line`() {
    #expect(
      NoticeText.lines(notice, width: 80, limit: 4, height: 12) == [
        "'tides.example' cannot be reached: Connection refused; look at the address"
      ])
    let bare = Diagnostic(.note, code: "tides.high", "high water")
    #expect(NoticeText.lines(bare, width: 10, limit: 4, height: 12) == ["high water"])
  }

  @Test func `the advice is complete even if it needs more lines than the limit`() {
    let cut = "'tides.example' cannot be reached: Con…"
    #expect(NoticeText.lines(notice, width: 39, limit: 1, height: 3) == [cut, "look at the address"])
    #expect(
      NoticeText.lines(notice, width: 12, limit: 2, height: 6) == ["'tides.exam…", "look at the", "address"])
    #expect(NoticeText.lines(notice, width: 12, limit: 1, height: 2) == ["'tides.exam…", "look at the…"])
  }

  @Test func `an ellipsis marks omitted lines of a message`() {
    let times = Diagnostic(.note, code: "tides.times", "high\nlow\nslack\nhigh")
    #expect(NoticeText.lines(times, width: 10, limit: 2, height: 6) == ["high", "low slack…"])
    #expect(NoticeText.lines(times, width: 15, limit: 2, height: 6) == ["high", "low slack high"])
  }

  @Test func `in several lines, advice begins its own line and the message is truncated`() {
    #expect(
      NoticeText.lines(notice, width: 36, limit: 4, height: 12) == [
        "'tides.example' cannot be reached:", "Connection refused", "look at the address",
      ])
    #expect(
      NoticeText.lines(notice, width: 36, limit: 2, height: 6) == [
        "'tides.example' cannot be reached: …", "look at the address",
      ])
  }

  @Test(arguments: [20, 34, 40, 77, 80], 2...8)
  func `lines respect the width and the limit, and short advice is complete`(width: Int, limit: Int) {
    let lines = NoticeText.lines(notice, width: width, limit: limit, height: 3 * limit)
    #expect(lines.count <= limit && lines.allSatisfy { TextWidth.columns($0) <= width })
    #expect(lines.joined(separator: " ").hasSuffix("look at the address"))
  }
}
