import PluginXML
import Testing

struct ReadablePageTests {
  private func page(_ html: String, encoding: String? = nil) throws -> ReadablePage {
    try ReadablePage(html: Array(html.utf8), encoding: encoding)
  }

  @Test func `a page has a title, headings, paragraphs, lists, tables and preformatted text`() throws {
    let page = try page(
      """
      <!DOCTYPE html><html><head><title> Crambin
       1CRN </title><style>p { color: red }</style></head><body>
      <h1>Crambin</h1><p>Water   structure of a
      hydrophobic <b>protein</b>.</p><ul><li>One<li>Two<ul><li>Inner</ul></ul>
      <table><tr><th>Method</th><td>X-ray</td></tr><tr><td>Resolution<td>1.5 &Aring;</table>
      <pre>  a
        b</pre><script>alert("no")</script><p>End<br>Last &amp; least</p></body></html>
      """)
    #expect(page.title == "Crambin 1CRN")
    #expect(
      page.blocks.map { "\($0.kind): \($0.text)" } == [
        "heading(1): Crambin", "paragraph: Water structure of a hydrophobic protein.", "item(depth: 1): One",
        "item(depth: 1): Two", "item(depth: 2): Inner", "row: Method  X-ray", "row: Resolution  1.5 Å",
        "preformatted:   a\n  b", "paragraph: End", "paragraph: Last & least",
      ])
    #expect(page.plainText.contains("- Two\n  - Inner\n\nMethod  X-ray\nResolution  1.5 Å\n\n"))
    #expect(!page.isCut)
  }

  @Test func `links have their text and target, in order`() throws {
    let page = try page(
      "<base href='/b/'><p>See <a href='/one'>the <i>first</i> one</a> and <a href=\"two?a=1&amp;b=2\">second</a>, "
        + "<a href='#here'>here</a>, <a name=x>anchor</a>.")
    #expect(page.base == "/b/")
    #expect(
      page.links == [.init(text: "the first one", reference: "/one"), .init(text: "second", reference: "two?a=1&b=2")])
    #expect(page.blocks.count == 1)
    #expect(page.blocks[0].text == "See the first one and second, here, anchor.")
    #expect(page.blocks[0].runs.filter { $0.link == 0 }.map(\.text).joined() == " the first one")
  }

  @Test func `menus, drawings and buttons are left out`() throws {
    let page = try page(
      "<nav><a href=x>Menu</a></nav><p>Text</p><noscript>Enable scripts</noscript><svg><text>Draw</text></svg>"
        + "<button>Press</button><img src=a alt='A picture'><img src=b>")
    #expect(page.plainText == "Text\n\nEnable scripts\n\n[A picture]")
    #expect(page.links.isEmpty)
  }

  @Test(arguments: [("iso-8859-1", [0x41, 0xE9]), ("utf-8", [0x41, 0xC3, 0xA9]), ("windows-1252", [0x41, 0xE9])])
  func `the character set of the server is used`(name: String, bytes: [Int]) throws {
    #expect(try ReadablePage(html: bytes.map { UInt8($0) }, encoding: name).plainText == "Aé")
  }

  @Test func `the character set of the page is used, or guessed`() throws {
    let head = Array("<meta charset='iso-8859-1'><p>A".utf8)
    #expect(try ReadablePage(html: head + [0xE9]).plainText == "Aé")
    #expect(try page("<p>Aé").plainText == "Aé")
    #expect(try ReadablePage(html: [0x41, 0xE9, 0x42], encoding: "no such set").plainText == "AéB")
  }

  @Test(arguments: [
    "", "<", "<<<>>>", "</p></p>", "<html><p>x</p></html>", "<a href", "<!--", "<![CDATA[", "&#xFFFFFFFF;",
    "plain text", "\u{0}",
  ])
  func `any HTML gives a page`(html: String) throws {
    #expect(throws: Never.self) { try page(html) }
    // The beginning of a comment or an attribute swallows the rest.
    let takesRest = ["<!--", "<a href", "<![CDATA["].contains(html)
    #expect(try page(html + "<p>after</p>").plainText.hasSuffix("after") || takesRest)
  }

  @Test func `the byte order mark is not text`() throws {
    #expect(try ReadablePage(html: [0xEF, 0xBB, 0xBF] + Array("<p>Aé".utf8)).plainText == "Aé")
  }

  @Test func `deep nesting and many links do not exhaust the stack or the time`() throws {
    let deep = try page(String(repeating: "<div>", count: 50_000) + "x")
    #expect(deep.plainText == "x")
    let many = try page(String(repeating: "<p><a href=x>y</a>", count: 30_000))
    #expect(many.blocks.count == ReadablePage.blockLimit && many.links.count == ReadablePage.blockLimit && many.isCut)
  }
}
