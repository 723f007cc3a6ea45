import PluginCompression
import PluginText

@testable import PathCase

/// All bad inputs, named like the real files.
enum BadInputs {
  static let all = [
    text, entities, encodings, structure, references, numbers, pictures, packings, networks,
  ].flatMap { (group: [BadInput]) -> [BadInput] in group }

  private static let text = [
    BadInput("01-empty.xml", .refused, "xml-001", ["empty"]) { [] },
    BadInput("02-not-xml.html", .refused, "xml-002", ["web page"]) {
      Array("<html><body><h1>Please log in</h1></body></html>".utf8)
    },
    BadInput("03-truncated.xml", .refused, "xml-001", ["line"]) {
      Array((OwnDocuments.whole["pools.xml"] ?? []).prefix(310))
    },
    BadInput("04-truncated-after-record.xml", .refused, "xml-001", ["line"]) {
      try OwnDocuments.changed("pools.xml", "</MAW>\n", "")
    },
    BadInput("05-bad-nesting.xml", .refused, "xml-001", ["line"]) {
      try OwnDocuments.changed("processes.xml", "</Process>", "</Prozess>")
    },
    BadInput("06-two-roots.xml", .refused, "xml-001", ["line"]) {
      try OwnDocuments.changed("tissues.xml", "</MAW>", "</MAW><MAW/>")
    },
  ]

  private static let entities = [
    BadInput("07-xxe-file.xml", .refused, "xml-002", ["line 1"], own: ["line 2"]) {
      try OwnDocuments.tissues(
        behind: "<?xml version=\"1.0\"?>\n<!DOCTYPE MAW [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>\n", name: "&x;")
    },
    BadInput("08-xxe-http.xml", .refused, "xml-002", ["line 1"], own: ["line 2"]) {
      try OwnDocuments.tissues(behind: "<?xml version=\"1.0\"?>\n<!DOCTYPE MAW SYSTEM \"http://127.0.0.1:9/x.dtd\">\n")
    },
    BadInput("09-billion-laughs.xml", .refused, "xml-002", ["line 1"], own: ["line 2"]) {
      let more = (1..<10).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
      return try OwnDocuments.tissues(
        behind: "<?xml version=\"1.0\"?>\n<!DOCTYPE MAW [<!ENTITY l0 \"ha\">\(more.joined())]>\n", name: "&l9;")
    },
    BadInput("10-quadratic-blowup.xml", .refused, "xml-002", ["line 1"], own: ["line 2"]) {
      let long = String(repeating: "a", count: 20_000)
      return try OwnDocuments.tissues(
        behind: "<?xml version=\"1.0\"?>\n<!DOCTYPE MAW [<!ENTITY a \"\(long)\">]>\n",
        name: String(repeating: "&a;", count: 2000))
    },
    BadInput("11-deep-nesting.xml", .refused, "xml-004", ["512", "line"]) {
      let depth = 60_000
      return OwnDocuments.sbml(
        "<model id=\"m\"><notes>" + String(repeating: "<p>", count: depth) + String(repeating: "</p>", count: depth)
          + "</notes></model>")
    },
  ]

  private static let encodings = [
    BadInput("12-utf16.xml", .taken) {
      OwnDocuments.wide(OwnDocuments.text("tissues.xml").replacing("UTF-8", with: "UTF-16"))
    },
    BadInput("13-latin1-declared.xml", .taken) {
      OwnDocuments.latin(
        OwnDocuments.text("metabolites.xml").replacing("UTF-8", with: "ISO-8859-1").replacing("\"B\"", with: "\"Sång\"")
      )
    },
    BadInput("14-invalid-utf8.xml", .refused, "xml-005", ["byte"]) {
      Array((OwnDocuments.whole["tissues.xml"] ?? []).map { $0 == UInt8(ascii: "B") ? 0xFF : $0 })
    },
    BadInput("15-nul-byte.xml", .refused, "xml-001", ["line 3", "U+0000"], own: ["line 4", "U+0000"]) {
      try OwnDocuments.changed("tissues.xml", "Blood", "Bl\u{0}od")
    },
    BadInput("16-control-charref.xml", .refused, "xml-001", ["line 3"], own: ["line 4"]) {
      try OwnDocuments.changed("tissues.xml", "Blood", "Bl&#3;od")
    },
    BadInput("17-bom-utf8.xml", .taken) { [0xEF, 0xBB, 0xBF] + (OwnDocuments.whole["tissues.xml"] ?? []) },
    BadInput("18-crlf.xml", .taken) { Array(OwnDocuments.text("processes.xml").replacing("\n", with: "\r\n").utf8) },
  ]

  private static let structure = [
    BadInput("19-wrong-type.xml", .refused, "str-001", ["'pools'", "'tissues'"], needsOthers: true) {
      try OwnDocuments.changed("tissues.xml", "type=\"tissues\"", "type=\"pools\"")
    },
    BadInput("20-future-version.xml", .refused, "str-002", ["'9'"]) {
      try OwnDocuments.changed("tissues.xml", "version=\"1\" ", "version=\"9\" ")
    },
    BadInput("21-unknown-element.xml", .warned, "str-003", ["'Moon'", "line 6"], own: ["'Moon'", "line 5"]) {
      try OwnDocuments.with("tissues.xml", "<Moon phase=\"3\"/>")
    },
    BadInput("26-duplicate-id.xml", .refused, "id-001", ["'t-liver'", ":6:", "line 3"], own: ["'t'", ":5:", "line 3"]) {
      try OwnDocuments.with("tissues.xml", "<Tissue id=\"t\" name=\"Liver again\" kind=\"organ\"/>")
    },
    BadInput("27-identical-duplicate.xml", .warned, "id-002", ["'t-liver'", ":6:"], own: ["'t'", ":5:"]) {
      try OwnDocuments.with("tissues.xml", "<Tissue id=\"t\" name=\"Liver\" kind=\"organ\"/>")
    },
    BadInput("28-empty-id.xml", .refused, "id-003", [":3:", "Tissue"]) {
      try OwnDocuments.changed("tissues.xml", "id=\"t\"", "id=\"\"")
    },
    BadInput("38-empty-pathway.xml", .taken) {
      try OwnDocuments.changed(
        "pathways.xml", "name=\"\">\n    <ProcessRef process=\"t-a\"/>", "name=\"Nothing yet\">")
    },
    BadInput("39-process-in-two-pathways.xml", .taken) { OwnDocuments.whole["pathways.xml"] ?? [] },
  ]

  private static let references = [
    BadInput("22-dangling-metabolite.xml", .refused, "ref-001", ["pools.xml:", "metabolite"], needsOthers: true) {
      try OwnDocuments.changed("pools.xml", "metabolite=\"m-b\"", "metabolite=\"m-none\"")
    },
    BadInput(
      "23-dangling-pool.xml", .refused, "ref-001", ["processes.xml:38:", "'r-ldhl'", "'p-ghost'"],
      own: ["processes.xml:3:", "'r'", "'p-ghost'"], needsOthers: true
    ) {
      try OwnDocuments.changed("processes.xml", "pool=\"b-c\"", "pool=\"p-ghost\"")
    },
    BadInput("24-dangling-compartment-parent.xml", .refused, "ref-001", ["compartment", ":"]) {
      try OwnDocuments.changed("compartments.xml", "outside=\"c\"", "outside=\"c-none\"")
    },
    BadInput("25-compartment-cycle.xml", .refused, "sem-001", [" in ", ":"], own: ["c in m in c", ":3:"]) {
      try OwnDocuments.changed("compartments.xml", "name=\"Cytosol\"", "name=\"Cytosol\" outside=\"m\"")
    },
    BadInput("29-process-no-participant.xml", .warned, "sem-002", ["converts nothing", ":"]) {
      try OwnDocuments.with("processes.xml", "<Process id=\"none\" name=\"\" type=\"reaction\" reversible=\"false\"/>")
    },
    BadInput("30-self-loop.xml", .warned, "sem-003", ["both consumes and produces the pool", ":"]) {
      try OwnDocuments.with("processes.xml", looped("reaction", "a-c", "a-c"))
    },
    BadInput("31-transport-same-compartment.xml", .warned, "sem-004", ["the transport"], needsOthers: true) {
      try OwnDocuments.with("processes.xml", looped("transport", "a-c", "b-c"))
    },
  ]

  private static func looped(_ type: String, _ from: String, _ to: String) -> String {
    """
    <Process id="odd" name="" type="\(type)" reversible="false"><Participant pool="\(from)" role="substrate"/>\
    <Participant pool="\(to)" role="product"/></Process>
    """
  }

  private static let numbers = [
    BadInput("32-stoichiometry-nan.xml", .refused, "typ-001", ["'NaN'", "stoichiometry", ":"]) { try amount("NaN") },
    BadInput("33-stoichiometry-negative.xml", .refused, "typ-001", ["'-2'", "stoichiometry", ":"]) {
      try amount("-2")
    },
    BadInput("34-stoichiometry-locale.xml", .refused, "typ-001", ["'2,5'", "stoichiometry", ":"]) {
      try amount("2,5")
    },
    BadInput("35-stoichiometry-huge.xml", .refused, "typ-001", ["'1e", "stoichiometry", ":"]) { try amount("1e400") },
    BadInput("36-bad-boolean.xml", .refused, "typ-002", ["reversible", "true, false, 1 or 0", ":"]) {
      try OwnDocuments.changed("processes.xml", "reversible=\"true\"", "reversible=\"yes\"")
    },
    BadInput("37-unknown-role.xml", .refused, "typ-003", ["role", "substrate, product, cofactorIn", ":"]) {
      try OwnDocuments.changed("processes.xml", "role=\"substrate\"", "role=\"reactant\"")
    },
  ]

  private static func amount(_ text: String) throws -> [UInt8] {
    try OwnDocuments.changed("processes.xml", "stoichiometry=\"0.1\"", "stoichiometry=\"\(text)\"")
  }

  private static let pictures = [
    BadInput("40-layout-missing-nodes.xml", .warned, "lay-001", ["laid out", ":3:"], needsOthers: true) {
      try OwnDocuments.changed(OwnDocuments.layout, "    <NodePosition ref=\"a-m\" x=\"0\" y=\"1\"/>\n", "")
    },
    BadInput("41-layout-nan-coords.xml", .refused, "typ-001", ["'NaN'", ":4:"]) {
      try OwnDocuments.changed(OwnDocuments.layout, "x=\"1\"", "x=\"NaN\"")
    },
    BadInput("42-layout-overlap.xml", .warned, "lay-002", ["one point", ":3:"], needsOthers: true) {
      try overlapping()
    },
    BadInput("43-layout-extra-node.xml", .warned, "lay-003", ["they are ignored", ":3:"], needsOthers: true) {
      try OwnDocuments.changed(
        OwnDocuments.layout, "<NodePosition", "<NodePosition ref=\"ghost\" x=\"4\" y=\"5\"/><NodePosition")
    },
    BadInput("44-unicode-names.xml", .taken) {
      try OwnDocuments.changed(
        "metabolites.xml", "name=\"B\"", "name=\"Пируват 丙酮酸 بيروفات 👩‍🔬 e\u{301}\u{200B} \u{202E}B\"")
    },
    BadInput("45-ansi-in-name.xml", .taken) {
      try OwnDocuments.changed("tissues.xml", "Blood", "Bl\u{9B}31mood")
    },
  ]

  private static func overlapping() throws -> [UInt8] {
    let nodes = ["t-a", "a-c", "a-m"].map { "<NodePosition ref=\"\($0)\" x=\"9\" y=\"9\"/>" }
    return MawSamples.document("layout", "<Layout pathway=\"v\">\(nodes.joined())</Layout>", snapshot: "small")
  }

  private static let packings = [
    BadInput("46-soap-envelope.xml", .taken) {
      let inner = OwnDocuments.text("tissues.xml").split(separator: "\n").dropFirst().joined(separator: "\n")
      return Array(
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><AnswerResult>\(inner)</AnswerResult>\
        </s:Body></s:Envelope>
        """.utf8)
    },
    BadInput("47-asmx-string.xml", .taken) {
      let inner = OwnDocuments.text("tissues.xml")
      return Array("<string xmlns=\"http://tempuri.org/\">\(XMLEscape.content(inner))</string>".utf8)
    },
    BadInput("48-soap-fault.xml", .refused, "net-004", ["Timeout expired"], own: ["out of order"]) {
      Array(
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode>\
        <faultstring>out of order</faultstring></s:Fault></s:Body></s:Envelope>
        """.utf8)
    },
    BadInput("49-gzip-bomb.xml.gz", .refused, "xml-006", ["bytes"]) {
      let whole = OwnDocuments.whole["tissues.xml"] ?? []
      return try Gzip.compress(whole + [UInt8](repeating: 0x20, count: 60 << 20))
    },
    BadInput("50-gz-truncated.xml.gz", .refused, "xml-007", ["truncated"]) {
      Array(try Gzip.compress(OwnDocuments.whole["tissues.xml"] ?? []).dropLast(9))
    },
    BadInput("60-ten-thousand.xml.gz", .taken) { try OwnDocuments.chain(of: 5000) },
  ]

  private static let networks = [
    BadInput("51-sbml-dup-species.xml", .refused, "id-001", ["10301", "line 2"], own: ["10301", "line 4"]) {
      OwnDocuments.sbml(
        """
        <model id="m"><listOfCompartments><compartment id="c" constant="true"/></listOfCompartments><listOfSpecies>
        <species id="s" compartment="c"/><species id="s" compartment="c"/></listOfSpecies></model>
        """)
    },
    BadInput("52-sbml-no-model.xml", .refused, "str-001", ["20201"]) { OwnDocuments.sbml("") },
    BadInput("53-sbml-missing-compartment.xml", .refused, "ref-001", ["20601", "line 2"], own: ["20601", "line 3"]) {
      OwnDocuments.sbml("<model id=\"m\"><listOfSpecies><species id=\"s\" compartment=\"zz\"/></listOfSpecies></model>")
    },
    BadInput("54-sbml-level9.xml", .refused, "str-002", ["20101", "line 2"]) {
      OwnDocuments.sbml("<model id=\"m\"/>", level: 9)
    },
    BadInput("55-sbml-required-package.xml", .warned, "str-004", ["'comp'"]) {
      OwnDocuments.sbml(
        "<model id=\"m\"/>",
        more: " xmlns:comp=\"http://www.sbml.org/sbml/level3/version1/comp/version1\" comp:required=\"true\"")
    },
    BadInput("56-kgml-no-reactions.xml", .taken) {
      Array(
        """
        <?xml version="1.0"?><!DOCTYPE pathway SYSTEM "https://www.kegg.jp/kegg/xml/KGML_v0.7.2_.dtd">
        <pathway name="path:own00001" org="own" number="00001" title="Nothing"/>
        """.utf8)
    },
    BadInput("57-gpml-dangling-graphref.gpml", .warned, "ref-002", ["'zzz'"], own: ["'nobody'"]) {
      Array(
        """
        <Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="x"><DataNode TextLabel="A" GraphId="a" Type="Metabolite">
        <Graphics CenterX="1" CenterY="1" Width="2" Height="2"/></DataNode><Interaction GraphId="i"><Graphics>
        <Point X="1" Y="1" GraphRef="a"/><Point X="9" Y="9" GraphRef="nobody" ArrowHead="Arrow"/></Graphics></Interaction>
        </Pathway>
        """.utf8)
    },
    BadInput("58-escher-segment-missing-node.json", .refused, "ref-001", ["segment"]) {
      Array(
        """
        [{"map_name":"x"},{"reactions":{"7":{"bigg_id":"R","reversibility":true,"label_x":5,"label_y":6,"genes":[],
        "metabolites":[],"segments":{"1":{"from_node_id":"5","to_node_id":"6","b1":null,"b2":null}}}},"nodes":{},
        "text_labels":{},"canvas":{"x":0,"y":0,"width":1,"height":5}}]
        """.utf8)
    },
    BadInput("59-json-deep.json", .refused, "xml-004", ["512"]) {
      [UInt8](repeating: UInt8(ascii: "["), count: 200_000)
    },
  ]
}
