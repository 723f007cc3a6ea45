import PluginAPI
import PluginCompression
import PluginText
import Testing

@testable import PathCase

struct ContractReaderTests {
  private func read(_ bytes: [UInt8], _ type: ContractType? = nil) throws(ContractError) -> ContractDocument {
    try ContractReader().read(bytes, name: "d.xml", expecting: type)
  }

  /// Returns the error with which a document is rejected; nil if it is accepted.
  private func refusal(_ bytes: [UInt8], _ type: ContractType? = nil) -> ErrorReport? {
    do throws(ContractError) {
      _ = try read(bytes, type)
      return nil
    } catch {
      return error.report
    }
  }

  private func refusal(tissues: String) -> String? {
    refusal(MawSamples.document("tissues", tissues)).map { "\($0.code) \($0.message)" }
  }

  @Test func `a record is read with all its attributes`() throws {
    let document = try read(
      MawSamples.document(
        "processes",
        """
        <Process id="r" name="R &amp; &#x3b1;" type="reaction" reversible=" 1 " ec="1.1.1.1">
          <Participant pool="p" role="cofactorIn" stoichiometry=" +1.5e0 " trigger="SeverelyAccumulated"/>
        </Process>
        """))
    #expect(
      document.records.processes == [
        MetabolicProcess(
          id: "r", name: "R & α", isReversible: true, enzyme: "1.1.1.1",
          participants: [
            Participant(pool: "p", role: .cofactorIn, stoichiometry: 1.5, trigger: .severelyAccumulated)
          ])
      ])
    #expect(document.type == .processes && document.snapshot == "s" && document.warnings.isEmpty)
    #expect(document.places[.processes, 0]?.line == 3)
  }

  @Test func `errors of a document are counted and reported with position and record`() throws {
    let text = refusal(
      tissues: """
        <Tissue id="" name="a"/><Tissue name="b"/>
        <Tissue id="x y" name="c"/>
        <Tissue id="z" name="d" kind="Organ"/>
        """)
    #expect(
      text
        == "pathcase.id-003 'd.xml' has 4 errors, the first: d.xml:3:23: Tissue '' has an empty 'id'")
    do throws(ContractError) {
      _ = try read(MawSamples.document("tissues", "<Tissue id=\"z\" name=\"d\" kind=\"Organ\"/>"))
      Issue.record("it was taken")
    } catch .records(_, let issues, _) {
      #expect(
        issues.first?.message == "Tissue 'z' has the kind 'Organ', which must be one of organ, fluid")
    } catch {
      Issue.record(error)
    }
  }

  @Test func `an error in a nested record names the enclosing record`() {
    let report = refusal(
      MawSamples.document(
        "processes",
        "<Process id=\"r\" name=\"\" type=\"reaction\" reversible=\"false\">"
          + "<Participant pool=\"p\" role=\"product\" stoichiometry=\"0\"/></Process>"))
    #expect(report?.code == "pathcase.typ-001")
    #expect(
      report?.message.hasSuffix(
        "Participant 'p' in Process 'r' has the stoichiometry '0', which must be a number above 0 such as 2.5 or 1e-3")
        == true)
  }

  @Test(arguments: ["urn:pathcase:maw:2", "urn:pathcase:maw:11"])
  func `a newer namespace is refused as a newer version`(_ space: String) {
    let text = "<MAW xmlns=\"\(space)\" type=\"tissues\" version=\"1\" snapshot=\"s\"/>"
    #expect(refusal(Array(text.utf8))?.code == "pathcase.str-002")
  }

  @Test func `unknown content is skipped, counted and named`() throws {
    let document = try read(
      MawSamples.document(
        "tissues",
        "<Tissue id=\"t\" name=\"T\" moon=\"1\"><Tissue id=\"inner\"/></Tissue><Moon><Tissue id=\"no\"/></Moon>"))
    #expect(document.records.tissues.map(\.id) == ["t"] && document.skippedCount == 3)
    #expect(
      document.warnings.map(\.message) == [
        "'d.xml' has unknown elements: 'Moon' (1 from line 3 on), 'Tissue' (1 from line 3 on)",
        "'d.xml' has unknown attributes: 'moon' (1 from line 3 on)",
      ])
  }

  @Test func `twenty thousand unknown attributes are counted`() throws {
    let attributes = (0..<20_000).map { " a\($0)=\"\"" }.joined()
    let document = try read(MawSamples.document("tissues", "<Tissue id=\"t\" name=\"T\"\(attributes)/>"))
    #expect(document.skippedCount == 20_000 && document.warnings.count == 1)
    #expect(document.warnings.first?.message.hasSuffix("and 19992 others") == true)
  }

  @Test func `an attribute count that would take hours is refused`() {
    // Closing brackets and comment delimiters in values do not hide them.
    let attributes = (0..<60_000).map { " a\($0)='>\"<!--'" }.joined()
    let report = refusal(MawSamples.document("tissues", "<!-- ' --><![CDATA[\"]]><Tissue id=\"t\"\(attributes)/>"))
    #expect(report?.code == "pathcase.xml-004")
    #expect(AttributeBudget.suffices(for: Array(String(repeating: "<a b='' c=''/>", count: 100_000).utf8)))
  }

  @Test func `no preceding markup hides many attributes, and namespaces around many elements count too`() {
    let many = "<a" + (0..<60_000).map { " a\($0)=''" }.joined() + "/>"
    for before in ["<!DOCTYPE a SYSTEM 'x'>", "<!--><b \"--><b x='\"'/>", "<?x \"?>", "<b>\"</b>"] {
      #expect(!AttributeBudget.suffices(for: Array((before + many).utf8)), "\(before)")
    }
    let spaces = "<a" + (0..<5000).map { " xmlns:p\($0)='u'" }.joined() + ">"
    let around = spaces + String(repeating: "<b/>", count: 200_000) + "</a>"
    let beside = spaces + "</a>" + String(repeating: "<b/>", count: 200_000)
    #expect(!AttributeBudget.suffices(for: Array(around.utf8)) && AttributeBudget.suffices(for: Array(beside.utf8)))
  }

  @Test func `nesting beyond the limit is refused before the stack overflows`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      MawSamples.document(
        "tissues", String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth))
    }
    #expect(try read(nested(511)).skippedCount == 1)
    #expect(refusal(nested(512))?.code == "pathcase.xml-004")
    #expect(refusal(nested(60_000))?.code == "pathcase.xml-004")
  }

  @Test func `the offset of invalid UTF-8 is reported`() {
    var bytes = MawSamples.document("tissues", "<Tissue id=\"t\" name=\"?\"/>")
    let place = bytes.lastIndex(of: UInt8(ascii: "?")) ?? 0
    // An encoded surrogate and an overlong form are not valid UTF-8 either.
    for wrong: [UInt8] in [[0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
      var broken = bytes
      broken.replaceSubrange(place...place, with: wrong)
      #expect(refusal(broken)?.details["offset"] == .integer(place))
    }
    bytes.replaceSubrange(place...place, with: Array("\u{10FFFF}".utf8))
    #expect(refusal(bytes) == nil)
  }

  @Test func `a document type is refused anywhere in the prolog`() {
    let body = "<MAW type=\"tissues\" version=\"1\" snapshot=\"s\"/>"
    for prolog in ["<!DOCTYPE MAW>", "<?xml version=\"1.0\"?><!-- <x> -->\n<?a b?> <!doctype html>"] {
      #expect(refusal(Array((prolog + body).utf8))?.code == "pathcase.xml-002")
    }
    let wide = Array("\u{FEFF}<!DOCTYPE MAW>\(body)".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(refusal(wide)?.code == "pathcase.xml-002")
    #expect(refusal(Array("<!-- <!DOCTYPE MAW> -->\(body)".utf8)) == nil)
    #expect(refusal(Array("<html><body/></html>".utf8))?.code == "pathcase.xml-002")
  }

  @Test func `an unknown encoding is refused`() {
    let text = "<?xml version=\"1.0\" encoding=\"none-such\"?><MAW type=\"tissues\" version=\"1\" snapshot=\"s\"/>"
    #expect(refusal(Array(text.utf8))?.code == "pathcase.xml-005")
  }

  @Test func `a very long name is accepted with a warning`() throws {
    let name = String(repeating: "x", count: 1 << 20)
    let document = try read(MawSamples.document("tissues", "<Tissue id=\"t\" name=\"\(name)\"/>"))
    #expect(document.records.tissues.first?.name.utf8.count == 1 << 20)
    #expect(document.warnings.map(\.code) == [.longText])
  }

  @Test func `compressed documents are read, and trailing bytes are reported`() throws {
    let whole = MawSamples.document("tissues", "<Tissue id=\"t\" name=\"T\"/>")
    let packed = try Gzip.compress(whole)
    #expect(try read(packed).warnings.isEmpty)
    #expect(try read(packed + [0, 0, 0]).warnings.isEmpty)
    #expect(try read(packed + [1, 2, 3]).warnings.map(\.code) == [.trailingBytes])
    let half = whole.count / 2
    #expect(try read(Gzip.compress(Array(whole[..<half])) + Gzip.compress(Array(whole[half...]))).warnings.isEmpty)
    var damaged = packed
    damaged[packed.count / 2] ^= 0xFF
    for broken in [damaged, Array(packed.dropLast(6)), packed + packed.prefix(20)] {
      #expect(refusal(broken)?.code == "pathcase.xml-007")
    }
    let bomb = try Gzip.compress(Array(repeating: 0x20, count: 4 << 20), level: 12)
    #expect(refusal(bomb)?.code == "pathcase.xml-006")
  }

  @Test func `a document inside a text is unwrapped once`() throws {
    func escaped(_ text: String) -> String {
      "<string xmlns=\"http://tempuri.org/\">\(XMLEscape.content(text))</string>"
    }
    let whole = "<MAW type=\"tissues\" version=\"1\" snapshot=\"s\"><Tissue id=\"t\" name=\"T\"/></MAW>"
    #expect(try read(Array(escaped(whole).utf8)).records.tissues.count == 1)
    #expect(refusal(Array(escaped(escaped(whole)).utf8))?.code == "pathcase.str-001")
    #expect(refusal(Array(escaped("<!DOCTYPE x>" + whole).utf8))?.code == "pathcase.xml-002")
    #expect(refusal(Array("<string/>".utf8))?.code == "pathcase.str-001")
  }

  @Test func `a SOAP fault of either version is reported with its text`() {
    let first =
      "<E:Envelope xmlns:E=\"e\"><E:Body><E:Fault><faultcode>c</faultcode><faultstring>no\nluck</faultstring>"
      + "</E:Fault></E:Body></E:Envelope>"
    let second =
      "<E:Envelope xmlns:E=\"e\"><E:Body><E:Fault><E:Reason><E:Text>none</E:Text></E:Reason>"
      + "</E:Fault></E:Body></E:Envelope>"
    #expect(refusal(Array(first.utf8))?.message == "the service responded to 'd.xml' with a failure: no luck")
    #expect(refusal(Array(second.utf8))?.code == "pathcase.net-004")
  }

  @Test func `paths in a manifest stay within the snapshot`() throws {
    let digest = String(repeating: "Ab", count: 32)
    func document(_ path: String) -> [UInt8] {
      MawSamples.document("manifest", "<Document path=\"\(path)\" sha256=\"\(digest)\" bytes=\"3\"/>")
    }
    let manifest = try read(document("layouts/w-1.xml"), .manifest).manifest
    #expect(manifest.documents.map(\.type) == [.layout])
    #expect(manifest.documents.first?.sha256 == digest.lowercased())
    for path in ["../x.xml", "/etc/passwd", "a//b.xml", "a\\b", "", "layouts/./x.xml", "a&#10;b"] {
      #expect(refusal(document(path))?.code == "pathcase.typ-003", "\(path)")
    }
  }
}
