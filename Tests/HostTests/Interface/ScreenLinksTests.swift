import PluginAPI
import Testing

@testable import Host

/// Web addresses in the frames of screens.
@MainActor struct ScreenLinksTests {
  private static let long = "https://example.org/structures/with/a/name/that/is/much/longer/than/a/row?and=more#end"

  /// Draws a page of text into an area of a frame and returns the links.
  private func links(
    in text: String, _ rect: Rect, size: Size = Size(width: 60, height: 12), wraps: Bool = true,
    after events: [Event] = []
  ) -> (links: [FrameLink], frame: TextFrame) {
    var state = TextPageState(text, wraps: wraps)
    for event in events { _ = state.handle(event, in: Rect(rect.size)) }
    let view = TextPageView("Page", state)
    var frame = TextFrame(size: size)
    frame.draw(view, in: rect)
    return (ScreenLinks.find(in: frame, [ScreenLinks.Area(rect: rect) { view.outline }]), frame)
  }

  /// Returns the text in the columns of a link.
  private func text(_ link: FrameLink, _ frame: TextFrame) -> String {
    link.columns.map { frame[$0, link.row].text }.joined()
  }

  private let area = Rect(x: 4, y: 1, width: 40, height: 10)

  @Test func `a complete address is a link, without the punctuation after it`() {
    let (links, frame) = links(in: "see https://rcsb.org/structure/1CRN.\n(http://a.b/c) é https://a.b", area)
    #expect(links.map(\.address) == ["https://rcsb.org/structure/1CRN", "http://a.b/c", "https://a.b"])
    #expect(links.map { text($0, frame) } == links.map(\.address))
    #expect(links.map(\.row) == [1, 2, 2])
  }

  @Test(arguments: [24, 30, 41, 60]) func `a wrapped address is a link on each of its rows`(width: Int) {
    let rect = Rect(x: 0, y: 0, width: width, height: 10)
    let (links, frame) = links(in: "before\nsee \(Self.long) and https://a.b", rect)
    let parts = links.filter { $0.address == Self.long }
    #expect(parts.count > 1 && parts.map { text($0, frame) }.joined() == Self.long)
    #expect(parts.map(\.row) == Array((parts.first?.row ?? 0)..<(parts.first?.row ?? 0) + parts.count))
    #expect(links.last?.address == "https://a.b")
  }

  @Test func `an address whose beginning or end is not shown has no link`() {
    let rect = Rect(x: 0, y: 0, width: 30, height: 3)
    let text = "top\nnext\nhttps://example.org/of/many/many/characters/without/an/end"
    #expect(links(in: text, rect).links.isEmpty, "the end is below")
    let down = [Event.key(Key(.end))]
    let scrolled = links(in: text, Rect(x: 0, y: 0, width: 30, height: 1), after: down)
    #expect(scrolled.links.isEmpty && scrolled.frame.plainText.contains("nd"), "the beginning is above")
    #expect(links(in: text, rect, wraps: false).links.isEmpty, "the end is at the right")
    let right = links(in: "\(Self.long) https://a.b/", rect, wraps: false, after: [.key(Key(.right))])
    #expect(right.links.isEmpty && right.frame.plainText.contains("example.org"))
  }

  @Test func `a cut cell of a table has no link, even if an address has the same beginning`() {
    var frame = TextFrame(size: Size(width: 40, height: 2))
    frame.put("https://a.b/…  https://a.b/", x: 0, y: 0)
    let outline = Outline(
      title: "", items: [.init(id: "1", text: "https://a.b/long"), .init(id: "2", text: "https://a.b/")])
    let links = ScreenLinks.find(in: frame, [ScreenLinks.Area(rect: Rect(frame.frameSize)) { outline }])
    #expect(links == [FrameLink(row: 0, columns: 15..<27, address: "https://a.b/")])
  }

  @Test func `the screen in front decides, and the host's own rows have links too`() {
    var frame = TextFrame(size: Size(width: 40, height: 4))
    for row in 0..<4 { frame.put("https://a.b is here", x: 0, y: row) }
    frame.put("https://a.b", x: 29, y: 3)
    func area(_ y: Int, _ height: Int, _ text: String) -> ScreenLinks.Area {
      ScreenLinks.Area(rect: Rect(x: 0, y: y, width: 40, height: height)) { Outline(title: "", text: [text]) }
    }
    let links = ScreenLinks.find(in: frame, [area(0, 3, "https://a.b"), area(1, 1, "other")])
    #expect(links.map(\.row) == [0, 2, 3] && links.map(\.columns.lowerBound) == [0, 0, 0])
  }

  @Test func `an outline is read only for a row with an address`() {
    var frame = TextFrame(size: Size(width: 40, height: 3))
    frame.put("ratio 1:2, httpx://a, see https:", x: 0, y: 0)
    let box = Box()
    let area = ScreenLinks.Area(rect: Rect(frame.frameSize)) {
      box.count += 1
      return Outline(title: "", fields: [.init("Page", "https://a.b")])
    }
    #expect(ScreenLinks.find(in: frame, [area]).isEmpty && box.count == 0)
    frame.put("https://a.b", x: 0, y: 1)
    frame.put("https://a.b", x: 0, y: 2)
    #expect(ScreenLinks.find(in: frame, [area]).count == 2 && box.count == 1)
    #expect(ScreenLinks.find(in: TextFrame(size: Size(width: 0, height: 3)), [area]).isEmpty)
  }

  @Test func `a long outline is not read for each frame`() {
    var frame = TextFrame(size: Size(width: 40, height: 3))
    frame.put("https://a.b/7", x: 0, y: 0)
    let box = Box()
    let area = ScreenLinks.Area(rect: Rect(frame.frameSize)) {
      box.count += 1
      return Outline(title: "", items: (0..<4096).map { Outline.Item(id: "\($0)", text: "https://a.b/\($0)") })
    }
    let found = (0..<5).map { _ in ScreenLinks.find(in: frame, [area]).map(\.address) }
    #expect(found == [[String]](repeating: ["https://a.b/7"], count: 5) && box.count == 1)
    #expect(ScreenLinks.find(in: frame, [area]).count == 1 && box.count == 2)
  }

  @Test func `an address that continues below the frame has no link`() {
    var frame = TextFrame(size: Size(width: 20, height: 2))
    frame.put("https://example.org/", x: 0, y: 1)
    let rect = Rect(x: 0, y: 0, width: 20, height: 5)
    let area = ScreenLinks.Area(rect: rect) { Outline(title: "", text: ["https://example.org/long"]) }
    #expect(ScreenLinks.find(in: frame, [area]).isEmpty)
  }

  @Test func `text that would command the terminal is not in an address`() {
    let evil = "https://a.b/\u{1B}]8;;https://evil\u{07}x"
    #expect(links(in: evil, area).links.isEmpty)
  }

  @Test func `the frames of screens have links where the display shows them`() throws {
    let flow = try Flow()
    let box = Box()
    flow.display.onFrame = { box.links = $1 }
    flow.navigator.show(Diagnostic(.note, code: "host.test", "see https://a.b now"))
    _ = flow.screen
    #expect(box.links.isEmpty)
    flow.display.showsLinks = true
    _ = flow.screen
    #expect(box.links.map(\.address) == ["https://a.b"] && box.links.first?.row == 13)
  }

  private final class Box {
    var count = 0
    var links: [FrameLink] = []
  }
}
