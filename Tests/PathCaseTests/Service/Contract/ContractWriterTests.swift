import Testing

@testable import PathCase

struct ContractWriterTests {
  private func read(_ documents: [WrittenDocument]) throws -> DatabaseRecords {
    let files = SnapshotFiles { path in try #require(documents.first { $0.path == path }, "\(path)").bytes }
    return try files.read().records
  }

  @Test func `written documents are read back unchanged`() throws {
    let documents = ContractWriter.documents(of: MawSamples.small)
    #expect(documents.map(\.path) == ["manifest.xml"] + ContractType.single.compactMap(\.path) + ["layouts/v.xml"])
    #expect(try read(documents) == MawSamples.small)
  }

  @Test func `a linked database is written with its conditions`() throws {
    let database = try DatabaseLinker.link(MawSamples.small)
    let records = try read(ContractWriter.documents(of: database.records))
    #expect(records == MawSamples.small)
  }

  @Test func `the same records give the same bytes`() {
    #expect(ContractWriter.documents(of: MawSamples.small) == ContractWriter.documents(of: MawSamples.small))
  }

  @Test func `layouts have safe file names`() throws {
    #expect(ContractWriter.path(ofLayout: "../ä b") == "layouts/%2E.%2F%C3%A4%20b.xml")
    var records = MawSamples.small
    records.pathways = [MetabolicPathway(id: "../w", name: "")]
    records.layouts = [FrozenLayout(pathway: "../w")]
    #expect(try read(ContractWriter.documents(of: records)).layouts == records.layouts)
  }

  @Test func `characters that XML forbids are replaced`() throws {
    var records = MawSamples.small
    records.tissues = [Tissue(id: "t", name: "a\u{1B}[31m\u{9B}\r\n")]
    #expect(try read(ContractWriter.documents(of: records)).tissues.first?.name == "a\u{FFFD}[31m\u{9B}\r\n")
  }

  @Test func `a changed document and a mixed snapshot are refused`() throws {
    var documents = ContractWriter.documents(of: MawSamples.small)
    documents[1].bytes.append(0x20)
    let size = documents[1].bytes.count
    #expect(throws: SnapshotError.size(document: "tissues.xml", found: size, expected: size - 1)) {
      try read(documents)
    }
    documents = ContractWriter.documents(of: MawSamples.small)
    documents[1].bytes[60] ^= 1
    #expect(throws: SnapshotError.digest(document: "tissues.xml")) { try read(documents) }
    var other = MawSamples.small
    other.snapshot = "later"
    var mixed = ContractWriter.documents(of: MawSamples.small)
    mixed[2] = ContractWriter.documents(of: other)[2]
    mixed[0].bytes = ContractWriter.document(
      of: DatabaseManifest(snapshot: "small", documents: mixed.dropFirst().map(\.entry)))
    #expect(throws: SnapshotError.mixed(document: "compartments.xml", found: "later", expected: "small")) {
      try read(mixed)
    }
  }
}
