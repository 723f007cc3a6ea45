import PluginText
import PluginXML
import Testing

struct XMLWriterTests {
  private func text(_ xml: XMLWriter) -> String { String(decoding: xml.bytes, as: UTF8.self) }

  @Test func `each element is on a line, indented by its depth`() {
    var xml = XMLWriter()
    xml.begin("a", [("xmlns", "urn:a"), ("xmlns:b", "urn:b")])
    xml.write("b:c", [("b:x", "1"), ("y", nil), ("z", "")])
    xml.begin("d")
    xml.write("e", text: "α & β")
    xml.write("f", markup: "<g/>")
    xml.end()
    xml.end()
    let lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<a xmlns=\"urn:a\" xmlns:b=\"urn:b\">",
      "  <b:c b:x=\"1\" z=\"\"/>",
      "  <d>", "    <e>α &amp; β</e>", "    <f><g/></f>", "  </d>", "</a>", "",
    ]
    #expect(text(xml) == lines.joined(separator: "\n"))
  }

  @Test func `a document type follows the declaration`() {
    var xml = XMLWriter(doctype: "pathway SYSTEM \"a.dtd\"")
    xml.write("pathway")
    #expect(text(xml).hasSuffix("?>\n<!DOCTYPE pathway SYSTEM \"a.dtd\">\n<pathway/>\n"))
  }

  @Test func `texts and attributes are read back unchanged`() throws {
    let hostile = "<a b=\"c\">'&amp;'\t\r\n]]> \u{1F600}\u{85}é"
    var xml = XMLWriter()
    xml.begin("a", [("value", hostile)])
    xml.write("b", text: hostile)
    xml.end()
    var (value, inner, name) = ("", "", "")
    let reader = try XMLReader { event in
      switch event {
      case .begin(let element):
        name = element.name.local
        if let attribute = element.attributes.first { value = attribute.value }
      case .text(let bytes): if name == "b" { inner += String(decoding: bytes, as: UTF8.self) }
      case .end: name = ""
      @unknown default: break
      }
    }
    try reader.push(xml.bytes)
    try reader.finish()
    #expect(value == hostile && inner == hostile)
  }

  @Test func `characters that XML cannot represent are replaced`() {
    var xml = XMLWriter()
    xml.write("a", [("b", "x\u{0}\u{FFFF}")])
    #expect(text(xml).hasSuffix("<a b=\"x\u{FFFD}\u{FFFD}\"/>\n"))
  }
}
