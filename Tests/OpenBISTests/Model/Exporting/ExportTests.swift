import PluginAPI
import PluginJSON
import PluginText
import Testing

@testable import OpenBIS

@Suite struct ExportTests {
  private static let origin = ExportOrigin(
    root: "P1", title: "Plate 1", server: "https://lab.example", madeAt: "2026-11-21T10:00:00Z")

  private static func plate() -> EntityFamily {
    var entity = Entity(permID: "P1")
    entity.refcon = "{\"b\":9007199254740993,\"a\":\"\\ud800 🧪\"}"
    entity.category = "plate"
    entity.summaryHeader = "Plate 1"
    entity.summary = "384 wells"
    entity.identifier = "/LAB/P1"
    entity.childCount = 2
    entity.properties = [
      Property(key: "VOLUME", label: "Volume", value: "-5.5"), Property(key: "NOTE", label: "Note", value: "=1+1"),
      Property(key: "RESULT", label: "Result", value: "<table><tr><td>a</td><td>b</td></tr></table>"),
    ]
    entity.images = [EntityImage(role: .marquee, source: .address("https://lab.example/i.png"), format: "PNG")]
    entity.updatedAt = Instant(seconds: 1_800_000_000)
    var exported = EntityFamily(entity: entity)
    exported.children = ["W1", "W 2/<x>"]
    exported.childTitles = ["Well 1"]
    exported.images = (entity.images ?? []).map {
      EntityFamily.Image(image: $0, bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }
    return exported
  }

  private func whole(_ export: some EntityExport, _ entities: [EntityFamily]) -> String {
    var export = export
    var bytes = export.begin()
    for entity in entities { bytes += export.add(entity) }
    bytes += export.end()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func columns(_ entities: [EntityFamily]) -> CSVExport.Columns {
    var columns = CSVExport.Columns()
    for entity in entities { columns.add(entity.entity.properties ?? []) }
    return columns
  }

  /// Returns an entity with the same text in all columns.
  private static func filled(with text: String) -> EntityFamily {
    var entity = Entity(permID: "id" + text)
    (entity.refcon, entity.category, entity.summaryHeader, entity.summary, entity.identifier) = (
      text, text, text, text, text
    )
    entity.properties = [Property(key: text, label: text, value: text)]
    let images = [
      EntityImage(role: .marquee, source: .address(text), format: text),
      EntityImage(role: .tiled, source: .unusable(text)),
    ]
    entity.images = images
    var exported = EntityFamily(entity: entity)
    exported.children = PackedTexts(["id" + text, "c"])
    exported.childTitles = [text]
    exported.images = images.map { EntityFamily.Image(image: $0) }
    return exported
  }

  // MARK: Columns

  @Test func `commands, JSON and CSV have the columns of one table in the same order`() {
    var plate = Self.plate()
    plate.entity.flags = [.rootLevel]
    #expect(
      EntityFamily.fields.descriptions.map(\.name) == [
        "permId", "category", "summaryHeader", "summary", "identifier", "children", "properties", "images", "state",
        "updatedAt",
      ])
    #expect(
      JSONExport.record(plate).names == [
        "permId", "depth", "category", "summaryHeader", "summary", "identifier", "children", "refcon", "properties",
        "images", "state", "updatedAt",
      ])
    #expect(
      CSVExport(CSVExport.Columns()).names == [
        "permId", "depth", "category", "summaryHeader", "summary", "identifier", "childCount", "children", "refcon",
      ])
  }

  @Test func `unknown columns are null in commands, left out of JSON and empty in CSV`() {
    let entity = EntityFamily(entity: Entity(permID: "X"))
    let shown = entity.fieldValue
    for name in ["identifier", "children", "properties", "images", "updatedAt"] { #expect(shown[name].isNull) }
    #expect(shown["state"] == [])
    #expect(JSONExport.record(entity).names == ["permId", "depth", "category", "summaryHeader", "summary"])
    #expect(CSVExport(CSVExport.Columns()).fields(of: entity) == ["X", "0", "", "", "", "", "", "", ""])
  }

  // MARK: JSON

  @Test func `JSON contains all cached data, with the server's values byte for byte`() {
    let text = whole(JSONExport(Self.origin), [Self.plate()])
    #expect(text.contains(#""refcon":"{\"b\":9007199254740993,\"a\":\"\\ud800 🧪\"}""#))
    #expect(text.contains(#""children":["W1","W 2/<x>"]"#))
    #expect(text.contains(#"{"role":"marquee","format":"PNG","address":"https://lab.example/i.png"}"#))
    #expect(text.contains(#"{"key":"VOLUME","label":"Volume","value":"-5.5"}"#))
    #expect(text.contains(#""updatedAt":"2027-01-15T08:00:00Z""#))
  }

  @Test func `JSON omits unknown values and keeps empty ones`() {
    var entity = Entity(permID: "X")
    entity.identifier = ""
    let text = whole(JSONExport(Self.origin), [EntityFamily(entity: entity)])
    #expect(text.contains(#""identifier":"""#))
    for name in ["refcon", "children", "properties", "images", "updatedAt"] { #expect(!text.contains("\"\(name)\"")) }
  }

  @Test func `hostile texts in every column leave JSON readable and are read back unchanged`() throws {
    for text in HostileTexts.all {
      let out = whole(JSONExport(Self.origin), [Self.filled(with: text)])
      #expect(Harm.found(in: out, allowing: ["\n"]).isEmpty, "\(text.debugDescription)")
      let found = try JSONTexts.all(in: Array(out.utf8))
      #expect(found.filter { $0.utf8.elementsEqual(text.utf8) }.count >= 8, "\(text.debugDescription)")
    }
  }

  // MARK: CSV

  @Test func `CSV has a row for each entity and a column for each property`() {
    let plate = Self.plate()
    let text = whole(CSVExport(columns([plate])), [plate])
    let lines = text.split(separator: "\r\n")
    #expect(
      lines.first
        == "permId,depth,category,summaryHeader,summary,identifier,childCount,children,refcon,Volume,Note,Result")
    #expect(lines.last?.hasPrefix("P1,0,plate,Plate 1,384 wells,/LAB/P1,2,W1 W 2/<x>,") == true)
    #expect(lines.last?.hasSuffix(",-5.5,'=1+1,a  b") == true)
  }

  @Test func `labels shared by several properties are followed by the key`() {
    var columns = CSVExport.Columns()
    columns.add([
      Property(key: "A", label: "Size", value: ""), Property(key: "B", label: "Size", value: ""),
      Property(key: "C", label: "summary", value: ""), Property(key: "D", label: "", value: ""),
    ])
    #expect(columns.headings == ["Size (A)", "Size (B)", "summary (C)", "D"])
  }

  @Test func `numbers are written unchanged, and other texts that start like a formula are quoted`() {
    for text in ["-5", "+1.5e-3", "12", "-0"] { #expect(CSVExport.field(text) == text) }
    for text in ["=1", "+a", "-1+1", "@x", " =1", "＝1", "--1", "-", "+"] {
      #expect(CSVExport.field(text) == "'" + text)
    }
    #expect(CSVExport.field("\t=1") == "\"'\t=1\"")
    #expect(CSVExport.field("a;\"b\"") == "\"a;\"\"b\"\"\"")
  }

  @Test func `hostile texts in every column leave CSV in its rows and sanitized`() {
    for text in HostileTexts.all {
      let entity = Self.filled(with: text)
      let out = whole(CSVExport(columns([entity])), [entity])
      #expect(Harm.found(in: out, allowing: ["\r", "\n", "\t"]).isEmpty, "\(text.debugDescription)")
      let rows = CSVRows.read(out)
      #expect(rows.map(\.count) == [10, 10], "\(text.debugDescription)")
      for field in rows.joined() {
        let start = field.drop { $0 == " " || $0 == "\u{A0}" }.first.map { "=@\t＝＋－＠".contains($0) } ?? false
        #expect(!start, "\(text.debugDescription)")
      }
    }
  }

  @Test func `columns beyond the limit are counted`() {
    var columns = CSVExport.Columns()
    columns.add((0..<2010).map { Property(key: "\($0)", label: "", value: "") })
    #expect(columns.keys.count == CSVExport.Columns.most)
    #expect(columns.left == 10)
  }

  // MARK: HTML

  @Test func `the page has headings, links, tables and its images`() {
    let text = whole(HTMLExport(Self.origin), [Self.plate()])
    #expect(text.contains("<section id=\"e-P1\">\n<h2 dir=\"auto\">Plate 1</h2>"))
    #expect(text.contains("<a href=\"#e-W1\">Well 1</a>"))
    #expect(text.contains("<a href=\"#e-W_20.2_2f._3c.x_3e.\">W 2/&lt;x&gt;</a>"))
    #expect(text.contains("src=\"data:image/png;base64,iVBORw0KGgo=\""))
    #expect(text.contains("<th dir=\"auto\">Result</th><td><pre dir=\"auto\">a  b</pre>"))
    #expect(text.hasSuffix("<p class=\"origin\">1 entity</p>\n</body></html>\n"))
  }

  @Test func `hostile texts in every column add no tag to the page and are sanitized`() {
    func tags(_ page: String) -> [String] {
      HTMLTokens(page).compactMap { if case .tag(let name, false) = $0 { name } else { nil } }.filter { $0 != "br" }
    }
    let usual = tags(whole(HTMLExport(Self.origin), [Self.filled(with: "x")]))
    for text in HostileTexts.all {
      let out = whole(HTMLExport(Self.origin), [Self.filled(with: text)])
      #expect(Harm.found(in: out, allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
      let found = tags(out)
      // Without a text some paragraphs are not there at all.
      #expect(found == usual || (found.count < usual.count && text.count <= 1), "\(text.debugDescription)")
    }
  }

  @Test func `only images become data addresses`() {
    #expect(DataAddress.of(image: Array("no image".utf8)) == nil)
    #expect(DataAddress.mediaType(Array("<?xml version='1.0'?><svg xmlns=''/>".utf8)) == "image/svg+xml")
  }
}
