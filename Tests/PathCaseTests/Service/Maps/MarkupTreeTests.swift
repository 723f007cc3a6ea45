import PluginAPI
import Testing

@testable import PathCase

struct MarkupTreeTests {
  private static func tree(_ text: String, _ rules: MarkupRules = MarkupRules()) throws -> MarkupTree {
    try MarkupTree(Array(text.utf8), rules)
  }

  @Test func `subtrees are ranges that contain their children`() throws {
    let tree = try Self.tree("<a><b><c/><d/></b><b/><e><b/></e></a>")
    #expect(tree.elements.map(\.name) == ["a", "b", "c", "d", "b", "e", "b"])
    #expect(tree.elements.map(\.end) == [7, 4, 3, 4, 5, 7, 7])
    #expect(Array(tree.children(of: 0)) == [1, 4, 5])
    #expect(Array(tree.children(of: 0, named: "b")) == [1, 4])
    #expect(Array(tree.children(of: 2)).isEmpty && tree.child(of: 5, named: "b") != nil)
  }

  @Test func `references in attributes are resolved, and texts are kept on request`() throws {
    let text = "<a x='1 &lt; 2 &amp;&#38; &quot;' p:x='other' xmlns:p='urn:p'>t&amp;<b>inner</b><![CDATA[<u>]]></a>"
    let tree = try Self.tree(text, MarkupRules(keepsText: true))
    #expect(tree.root["x"] == "1 < 2 && \"" && tree.root["x", "urn:p"] == "other")
    #expect(tree.elements.map(\.text) == ["t&<u>", "inner"])
    #expect(try Self.tree(text).elements.map(\.text) == ["", ""])
  }

  @Test func `skipped elements are skipped with their content`() throws {
    let tree = try Self.tree("<a><n><n><b/></n><b/></n><b/></a>", MarkupRules(skipped: ["n"]))
    #expect(tree.elements.map(\.name) == ["a", "b"])
  }

  @Test func `nesting, encodings, document types and entities are checked`() {
    func code(_ text: String, _ rules: MarkupRules = MarkupRules()) -> String? {
      mapErrorCode { _ = try Self.tree(text, rules) }
    }
    let deep = String(repeating: "<a>", count: 60_000)
    #expect(code(deep) == "pathcase.xml-004")
    #expect(code("<a/><b/>") == "pathcase.xml-001")
    #expect(code("<!-- <!DOCTYPE a> --><a/>") == nil)
    #expect(code("<?x <!DOCTYPE a> ?><!DOCTYPE a><a/>") == "pathcase.xml-002")
    let allowing = MarkupRules(allowsDoctype: true)
    #expect(code("<!DOCTYPE a SYSTEM \"http://nowhere.test/[x].dtd\"><a/>", allowing) == nil)
    #expect(code("<!DOCTYPE a SYSTEM 'x' [ ]><a/>", allowing) == "pathcase.xml-002")
    #expect(code("<!DOCTYPE a SYSTEM 'x'><a>&b;</a>", allowing) == "pathcase.xml-002")
    #expect(
      mapErrorCode { _ = try MarkupTree([0x3C, 0x61, 0x3E, 0xFF, 0x61, 0x3C], MarkupRules()) } == "pathcase.xml-005")
    let wide = "<\0a\0/\0>\0"
    #expect(mapErrorCode { _ = try MarkupTree([0xFF, 0xFE] + Array(wide.utf8), MarkupRules()) } == nil)
  }

  @Test(arguments: [
    ("<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map>\n<glyph id='a'/>\n <glyph id='a'/></map></sbgn>", "3, column 15"),
    (
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map>\n<glyph id='a' compartmentRef='c'/></map></sbgn>",
      "2, column 33"
    ),
    (
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map><glyph id='a'/>\n\n<arc id='x' source='a' target='b'/></map></sbgn>",
      "3, column 34"
    ),
    (
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map>\n<glyph class='compartment' id='c'>\n<bbox x='1e999'/></glyph></map></sbgn>",
      "2, column 34"
    ),
    (
      "<Pathway xmlns='http://pathvisio.org/GPML/2013a'><DataNode GraphId='a'/>\n<Label/><DataNode GraphId='a'/></Pathway>",
      "2, column 30"
    ),
    (
      "<Pathway xmlns='http://pathvisio.org/GPML/2013a'><Interaction>\n<Graphics>\n<Point X='nan' Y='1'/></Graphics></Interaction></Pathway>",
      "3, column 21"
    ),
    ("<pathway name='x'>\n<entry id='1'/><entry id='1'/></pathway>", "2, column 29"),
    ("<pathway name='x'>\n<entry id='1'><graphics x='1,5' y='2'/></entry></pathway>", "2, column 14"),
  ])
  func `errors in maps state the position of the element`(text: String, place: String) {
    do {
      _ = try MapReader.read(Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.report.message.contains("(line \(place))"), "\(error.report.message)")
      #expect(error.report.details["line"] == .integer(Int(place.prefix(1)) ?? 0))
    }
  }

  @Test func `a file with too many elements is refused to limit memory`() throws {
    #expect(MarkupRules().elementLimit == 4_000_000)
    var rules = MarkupRules()
    rules.elementLimit = 3
    #expect(mapErrorCode { _ = try Self.tree("<a><b/><b/></a>", rules) } == nil)
    #expect(mapErrorCode { _ = try Self.tree("<a><b/><b/><b/></a>", rules) } == "pathcase.xml-004")
  }

  @Test func `a hundred warnings are listed and further ones counted`() throws {
    let lines = String(repeating: "<Interaction/>", count: 250)
    let text = "<Pathway xmlns='http://pathvisio.org/GPML/2013a'>\(lines)</Pathway>"
    let warnings = try MapReader.read(Array(text.utf8)).warnings
    #expect(warnings.count == 101 && warnings.last?.code == "pathcase.more-warnings")
    #expect(warnings.last?.message == "150 more warnings are not shown")
  }

  @Test func `only numbers of XML Schema are parsed`() {
    let texts = [" 1.5\n", "-2e3", "+.5", "nan", "inf", "0x10", "1e400", "2,5", "", "1 2", "١"]
    #expect(texts.map(MapNumber.double) == [1.5, -2000, 0.5, nil, nil, nil, nil, nil, nil, nil, nil])
    #expect(MapText.oneLine(" a \n\tb ") == "a b" && MapText.list(" x  y") == ["x", "y"])
  }
}
