import FoundationEssentials
import PluginAPI
import PluginJSON
import TestSupport
import Testing

@testable import OpenBIS

@Suite struct MappingTests {
  private func mapping(_ json: String) throws -> Mapping {
    try Mapping(Value(json: Array(json.utf8)), file: "lab.json")
  }

  private func fault(_ json: String) -> MappingFault? {
    do {
      _ = try mapping(json)
      return nil
    } catch {
      return error as? MappingFault
    }
  }

  private let sample = NativeObject(
    kind: .sample, permID: "2026-1", code: "Y1", identifier: "/LAB/P/Y1", type: "YEAST",
    properties: [
      NativeProperty(code: "NOTE", value: "grows slowly"), NativeProperty(code: "NAME", value: "W303"),
      NativeProperty(code: "MAP", value: "https://lab.example/map.png"),
    ], space: "LAB", project: "P-1", experiment: "E-1", parents: ["2026-0"])

  @Test func `An object becomes an entity by the first rule that matches`() throws {
    let mapping = try mapping(
      """
      {"mapping": 1, "rules": [
        {"kind": "SAMPLE", "type": "YEAST", "category": "{type}", "header": "{code}", "summary": "{property $NAME|property NAME}",
         "under": ["experiment|project", "parents"], "root": true, "properties": ["NAME", "NOTE"],
         "images": [{"property": "MAP"}]},
        {"kind": "SAMPLE", "root": true}]}
      """)
    let types = [NativeKind.sample: ["YEAST": [NativePropertyType(code: "NAME", label: "Strain", dataType: "VARCHAR")]]]
    let mapped = mapping.rows(of: [sample], MappingSurroundings(propertyTypes: types))
    let row = try #require(mapped.rows.first)
    #expect(row.permID == "SAMPLE.2026-1")
    #expect(row.refcon == #"{"kind":"SAMPLE","permId":"2026-1","type":"YEAST"}"#)
    #expect(row.category == "YEAST" && row.summaryHeader == "Y1" && row.summary == "W303")
    #expect(row.parents.map(Array.init) == ["EXPERIMENT.E-1", "SAMPLE.2026-0"])
    #expect(row.properties?.map(\.label) == ["Strain", "NOTE"])
    #expect(row.images == [EntityImage(role: .marquee, source: .address("https://lab.example/map.png"))])
    #expect(row.isRootLevel == true && row.children == nil)
  }

  @Test func `One data set becomes an entity for each of its images`() throws {
    let mapping = try mapping(
      """
      {"mapping": 1, "rules": [{"kind": "DATA_SET", "root": true, "pages": "original/**.png"}]}
      """)
    let dataSet = NativeObject(kind: .dataSet, permID: "20-7", code: "20-7")
    func file(_ path: String) -> DataSetFile {
      DataSetFile(dataSet: "20-7", path: path, isFolder: false, size: 9, store: "https://dss.lab")
    }
    let files = [
      "20-7": [file("original/a b.png"), file("original/x/c.PNG"), file("original/notes.txt"), file("d.png")]
    ]
    let rows = mapping.rows(of: [dataSet], MappingSurroundings(files: files)).rows
    #expect(rows.map(\.permID) == ["DATA_SET.20-7", "FILE.20-7/original/a b.png", "FILE.20-7/original/x/c.PNG"])
    #expect(rows[1].parents.map(Array.init) == ["DATA_SET.20-7"])
    #expect(
      rows[1].images?.first?.source == .address("https://dss.lab/datastore_server/20-7/original/a%20b.png"))
    #expect(Refcon.file(of: rows[1].permID).map { $0.path } == "original/a b.png")
  }

  @Test func `The properties of a sample are shown with its data set`() throws {
    let mapping = try mapping(
      """
      {"mapping": 1, "rules": [
        {"kind": "DATA_SET", "root": true, "takes": ["sample"]}, {"kind": "SAMPLE", "show": false}]}
      """)
    var dataSet = NativeObject(kind: .dataSet, permID: "20-7", code: "20-7")
    dataSet.sample = "2026-1"
    let mapped = mapping.rows(
      of: [dataSet, sample], MappingSurroundings(related: ["SAMPLE.2026-1": sample]))
    #expect(mapped.rows.map(\.permID) == ["DATA_SET.20-7"])
    #expect(mapped.rows[0].properties?.first == Property(key: "SAMPLE.code", label: "YEAST", value: "Y1"))
    #expect(mapped.rows[0].properties?.contains { $0.label == "Y1: NAME" && $0.value == "W303" } == true)
    #expect(mapping.kinds == [.sample, .dataSet] && mapping.shownKinds == [.dataSet])
    #expect(mapping.takers(of: .sample) == [Mapping.Edge(kind: .dataSet, relation: .sample)])
    #expect(mapping.takers(of: .dataSet).isEmpty && mapping.listed(below: .sample).isEmpty)
  }

  @Test func `Groups of the first screen are named by values of objects`() throws {
    let mapping = try mapping(#"{"mapping": 1, "rules": [{"kind": "SAMPLE", "group": "{type}s"}]}"#)
    let mapped = mapping.rows(of: [sample, sample], MappingSurroundings())
    #expect(mapped.groups.map(\.permID) == ["GROUP.YEASTs"])
    #expect(mapped.rows.first?.parents.map(Array.init) == ["GROUP.YEASTs"])
  }

  @Test func `An unusable mapping states the position and the reason`() {
    #expect(fault("[]")?.reason == "expected an object")
    #expect(fault(#"{"mapping": 2, "rules": []}"#)?.location == "mapping")
    #expect(fault(#"{"mapping": 1, "rules": []}"#)?.location == "rules")
    #expect(fault(#"{"mapping": 1, "rules": [{"kind": "SAMPLE"}]}"#)?.location == "rules")
    let rule = fault(#"{"mapping": 1, "rules": [{"kind": "SAMPEL", "root": true}]}"#)
    #expect(rule?.location == "rules[0].kind" && rule?.reason.contains("SAMPLE") == true)
    let member = fault(#"{"mapping": 1, "rules": [{"kind": "SAMPLE", "haeder": "{code}"}]}"#)
    #expect(member?.location == "rules[0].haeder" && member?.reason.contains("'header'") == true)
    #expect(fault(#"{"mapping": 1, "rules": [{"kind": "SAMPLE", "header": "{cod}"}]}"#)?.location == "rules[0].header")
    #expect(fault(#"{"mapping": 1, "rules": [{"kind": "SAMPLE", "under": ["x"]}]}"#)?.location == "rules[0].under")
    #expect(
      fault(#"{"mapping": 1, "rules": [{"kind": "SAMPLE", "images": [{}]}]}"#)?.location == "rules[0].images[0].files")
  }

  @Test func `The bundled mapping is usable`() throws {
    let path = Checkout.root.path + "/Plugins/OpenBIS/Resources/default-mapping.json"
    let mapping = try MappingFile.read(path)
    #expect(mapping.kinds == NativeKind.allCases)
    #expect(mapping.listed(below: .space).map(\.kind) == [.project, .experiment, .sample, .dataSet])
    #expect(mapping.listed(below: .sample).map(\.relation) == [.container, .parents, .sample])
  }

  @Test(arguments: [
    ("*.png", "original/A.PNG", true), ("*.png", "a.png.txt", false), ("original/*.png", "original/x/a.png", false),
    ("original/**.png", "original/x/a.png", true), ("a?c", "abc", true), ("a?c", "ac", false), ("**", "", true),
    ("*", "a/b", true), ("x/*", "x/", true), ("*a*a*a*a*b", String(repeating: "a", count: 2000), false),
  ])
  func `File patterns match whole paths`(pattern: String, path: String, expected: Bool) {
    #expect(FilePattern(text: pattern).matches(path) == expected)
  }

  @Test func `Values in a REFCON are quoted`() throws {
    let text = Refcon.text(kind: "SAMPLE", permID: "a\"b\\c\n\u{1}", type: "ü")
    let value = try Value(json: Array(text.utf8))
    #expect(value["permId"].text == "a\"b\\c\n\u{1}" && value["type"].text == "ü")
  }
}
