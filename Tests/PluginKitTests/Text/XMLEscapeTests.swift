import PluginText
import PluginXML
import Testing

@Suite struct XMLEscapeTests {
  @Test func `the special characters of XML become references, also quotation marks`() {
    #expect(XMLEscape.content("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c'")
    #expect(XMLEscape.attribute("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c'")
    #expect(XMLEscape.content("plain, grün") == "plain, grün")
  }

  @Test func `line ends and tabs are preserved, as references in attributes`() {
    #expect(XMLEscape.content("a\r\n\tb") == "a&#13;\n\tb")
    #expect(XMLEscape.attribute("a\r\n\tb") == "a&#13;&#10;&#9;b")
  }

  @Test func `characters that XML forbids are replaced, where Molecules removed them`() {
    #expect(XMLEscape.content("a\u{1B}b\u{FFFE}c\u{0}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    #expect(XMLEscape.attribute("a\u{1B}b\u{FFFF}c") == "a\u{FFFD}b\u{FFFD}c")
    #expect(XMLEscape.forbidden(in: "a\u{1B}b") == "\u{1B}" && XMLEscape.forbidden(in: "a\t\r\nb") == nil)
  }

  @Test func `characters beyond the basic plane are unchanged, where labels of molecules lost them`() {
    #expect(XMLEscape.content("👩🏽‍🔬 <\u{10FFFF}>") == "👩🏽‍🔬 &lt;\u{10FFFF}&gt;")
  }

  @Test func `escaped text is appended to bytes`() {
    var bytes = Array("<a>".utf8)
    XMLEscape.append(content: "1 < 2", to: &bytes)
    XMLEscape.append(attribute: "\n", to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "<a>1 &lt; 2&#10;")
  }

  @Test func `a numeric character reference contains digits only`() {
    #expect(XMLEscape.number(ofReference: "#8211") == 0x2013 && XMLEscape.number(ofReference: "#x2013") == 0x2013)
    #expect(XMLEscape.number(ofReference: "#XfFfFfFfF") == .max)
    for name in ["amp", "8211", "#", "#x", "#+65", "#x+41", "#-0", "#x-0", "# 65", "#6a", "#xg", "#x100000000"] {
      #expect(XMLEscape.number(ofReference: name) == nil, "\(name)")
    }
  }

  @Test func `an XML reader restores the escaped text`() throws {
    let text = "a<b>&\"c' ]]> \r\n\t &amp; é 👩🏽‍🔬"
    let document = "<a x=\"\(XMLEscape.attribute(text))\">\(XMLEscape.content(text))</a>"
    let parsed = Parsed()
    let reader = try XMLReader { parsed.receive($0) }
    try reader.push(Array(document.utf8))
    try reader.finish()
    #expect(parsed.attribute == text && String(decoding: parsed.content, as: UTF8.self) == text)
  }
}

/// The text and the attribute of an element.
private final class Parsed {
  private(set) var content: [UInt8] = []
  private(set) var attribute: String?

  func receive(_ event: XMLEvent) {
    switch event {
    case .begin(let element): attribute = element["x"]
    case .text(let bytes): content += bytes
    default: break
    }
  }
}
