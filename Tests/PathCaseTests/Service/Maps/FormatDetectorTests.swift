import PluginAPI
import PluginCompression
import Testing

@testable import PathCase

struct FormatDetectorTests {
  private static func seen(_ text: String) -> String? {
    do {
      return "\(try FormatDetector.detect(plain: Array(text.utf8)).format)"
    } catch {
      let start = MapError.unknownFormat(seen: "").message
      return error.message.hasPrefix(start) ? String(error.message.dropFirst(start.count)) : error.code
    }
  }

  @Test(arguments: [
    ("<?xml version='1.0'?><!-- x --><sbml xmlns='http://www.sbml.org/sbml/level3/version1/core'>", "sbml"),
    ("\u{FEFF}<sbgn xmlns='http://sbgn.org/libsbgn/0.3'/>", "sbgn"),
    ("<!DOCTYPE pathway SYSTEM \"http://x/KGML_v0.7.2_.dtd\"><pathway/>", "kgml"),
    ("<Pathway xmlns='http://pathvisio.org/GPML/2013a'/>", "gpml"),
    ("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", "biopax"),
    ("<MAW xmlns='urn:pathcase:maw:1' type='pools'/>", "contract"),
    ("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'/>", "contract"),
    (" [{\"map_name\": \"x\"}, {\"reactions\": {\"1\": {}}, \"nodes\": {}}]", "escher"),
    ("{\"id\": \"m\", \"reactions\": [{\"id\": 1}], \"metabolites\": [], \"genes\": []}", "cobra"),
    ("{\"name\": \"t\", \"pools\": [], \"processes\": []}", "scenario"),
    ("{\"PFK\": 1.5, \"PGI\": null}", "overlay"),
  ])
  func `formats are detected from the content`(text: String, format: String) {
    #expect(Self.seen(text) == format)
  }

  @Test(arguments: [
    ("", "pathcase.xml-001"),
    (" \n", "pathcase.xml-001"),
    ("ATOM  1", "neither XML nor JSON but begins 'ATOM 1'"),
    ("\u{1}\u{2}", "neither XML nor JSON"),
    ("<html><body/></html>", "pathcase.xml-002"),
    ("<svg xmlns='http://www.w3.org/2000/svg'/>", "XML that begins with 'svg' of 'http://www.w3.org/2000/svg'"),
    ("{\"b\": [], \"a\": {}}", "a JSON object with 'a', 'b'"),
    ("[1, 2]", "a JSON list"),
    ("{}", "a JSON object"),
    ("{\"a\": ", "pathcase.xml-001"),
    ("<!-- -->", "pathcase.xml-001"),
  ])
  func `a file of unknown format is described`(text: String, seen: String) {
    #expect(Self.seen(text) == seen)
  }

  @Test func `compressed files are detected, and truncated files and bombs refused`() throws {
    let plain = Array("<Pathway xmlns='http://pathvisio.org/GPML/2013a' Name='x'/>".utf8)
    let packed = try Gzip.compress(plain)
    #expect(try FormatDetector.detect(plain: MapBytes.plain(packed)).format == .gpml)
    #expect(try MapReader.read(packed).title == "x")
    #expect(mapErrorCode { _ = try MapReader.read(Array(packed.dropLast(12))) } == "pathcase.xml-007")
    let bomb = try Gzip.compress([UInt8](repeating: 0x20, count: 20 << 20))
    #expect(mapErrorCode { _ = try MapReader.read(bomb) } == "pathcase.xml-006")
  }

  @Test func `XML files of all kinds have a limit of attributes`() {
    let many = (0..<60_000).map { " a\($0)=''" }.joined()
    for root in ["sbml", "sbgn", "pathway", "Pathway", "RDF", "MAW"] {
      let code = mapErrorCode { _ = try FormatDetector.detect(plain: Array("<\(root)\(many)/>".utf8)) }
      #expect(code == "pathcase.xml-004", "\(root)")
    }
    #expect(mapErrorCode { _ = try MarkupTree(Array("<a\(many)/>".utf8), MarkupRules()) } == "pathcase.xml-004")
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `formats of real files are detected`() throws {
    let files = [
      "sbml/e_coli_core.xml": "sbml", "sbml/textbook.xml.gz": "sbml", "sbml/JSON_with_inf_bounds.json": "cobra",
      "smda/t07_glycolysis_gng.json": "scenario", "maw/cori/processes.xml": "contract",
      "bad/12-utf16.xml": "contract", "bad/46-soap-envelope.xml": "contract", "bad/47-asmx-string.xml": "contract",
      "escher/iJO1366.Central_metabolism.json": "escher", "biopax/UreaCycle.owl.gz": "biopax",
    ]
    for (file, format) in files {
      let bytes = try #require(MapTruth.bytes(file))
      let found = try FormatDetector.detect(plain: MapBytes.plain(bytes)).format
      #expect(found.rawValue == format, "\(file)")
    }
  }

  @Test func `errors are plain sentences with listed codes`() {
    let errors: [ErrorReport] = [
      MapError.malformed("x"), MapError.forbidden("the file has a document type"), MapError.tooDeep("x"),
      MapError.encoding("x"), MapError.webPage,
      MapError.tooLarge(limitInBytes: 1), MapError.compression("x"), MapError.unknownFormat(seen: "x"),
      MapError.noMap(.sbml), MapError.structure(.gpml, "x"),
      MapError.version(.sbgn, seen: "x", read: "y"), MapError.language(seen: "x", read: "y"),
      MapError.dangling(from: "x", to: "y"),
      MapError.duplicate(id: "x", what: "the node"), MapError.missingID(what: "a node"),
      MapError.number(text: "x", of: "y"),
      MapError.ring(["a", "b"]),
      MapError.notPlaced(node: "x", format: .escher), MapError.xmlLibraryMissing(reason: "x"), MapError.system("x"),
    ]
    let listed = Set(FileErrors.all.map(\.code) + MapError.errorCodes.map(\.code))
    #expect(errors.filter { !listed.contains($0.code) }.isEmpty)
    #expect(errors.map(\.message).filter { $0.hasSuffix(".") }.isEmpty)
    #expect(listed.count == FileErrors.all.count + MapError.errorCodes.count)
    let ring = MapError.ring((0..<100).map { "c\($0)" }).message
    #expect(ring.hasSuffix("c11 and 88 more"))
  }
}
