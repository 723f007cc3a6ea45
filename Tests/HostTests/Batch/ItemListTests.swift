import Foundation
import PluginAPI
import PluginText
import TestSupport
import Testing

@testable import Host

/// The items of a run: their sources, their words and their shards.
struct ItemListTests {
  private static func items(_ source: ItemSource) throws -> (fields: [String], items: [BatchItem]) {
    var (fields, items): ([String], [BatchItem]) = ([], [])
    try source.forEach(begin: { fields = $0 }) { items.append($0) }
    return (fields, items)
  }

  private static func list(_ text: String, _ name: String, isNullSeparated: Bool = false) throws
    -> (fields: [String], items: [BatchItem])
  {
    let folder = try TemporaryFolder()
    return try items(.list(try folder.write(Array(text.utf8), name).path, isNullSeparated: isNullSeparated))
  }

  @Test func `each line is an item, and empty lines are skipped`() throws {
    let (fields, items) = try Self.list("one\r\n\ntwo words\nlast", "items.txt")
    #expect(fields == [])
    #expect(items.map(\.id) == ["one", "two words", "last"])
    #expect(items.map(\.number) == [1, 2, 3])
    #expect(try Self.list("a\nb\0c", "items", isNullSeparated: true).items.map(\.id) == ["a\nb", "c"])
  }

  @Test func `rows of CSV and TSV become items with the fields of the header`() throws {
    let text = "\u{FEFF}name,code,\"size, in \"\"mm\"\"\"\r\nalpha,1abc,5\r\n\"b\nc\",2def,\r\n"
    let (fields, items) = try Self.list(text, "items.CSV")
    #expect(fields == ["name", "code", "size, in \"mm\""])
    #expect(items.map(\.id) == ["1abc", "2def"])
    #expect(items[1].fields["name"] == "b\nc" && items[1].fields["size, in \"mm\""] == "")
    let tabbed = try Self.list("path\tn\na \"b\"\t1\n", "items.tsv").items
    #expect(tabbed.map(\.id) == ["a \"b\""] && tabbed[0].fields["n"] == "1")
  }

  @Test func `lines of JSON objects become items`() throws {
    let (fields, items) = try Self.list("{\"id\":\"x\",\"n\":1.50}\n\n{\"n\":2,\"id\":\"y\"}\n", "items")
    #expect(fields == ["id", "n"])
    #expect(items.map(\.id) == ["x", "y"])
    #expect(items[0].fields["n"] == "1.50")
  }

  @Test(arguments: [
    ("a,b\n1\n", "items.csv", "row 1"), ("a,a\n1,2\n", "items.csv", "without repetition"),
    ("{\"a\":1}\n{\"a\":\n", "items", "item 2"), ("{}\n[1]\n", "items", "not a JSON object"),
  ]) func `a list that cannot be read is refused`(text: String, name: String, part: String) throws {
    let error = #expect(throws: ErrorReport.self) { try Self.list(text, name) }
    #expect(error?.code == "batch.bad-items")
    #expect(error?.message.contains(part) == true)
  }

  @Test func `matching files become items, folders do not`() throws {
    let folder = try TemporaryFolder()
    for name in ["b.cif", "a.cif", "sub.cif/c.cif", "d.txt"] { try folder.write([1], name) }
    let path = folder.path.path
    #expect(try Self.items(.files([path + "/*.cif"])).items.map(\.id) == [path + "/a.cif", path + "/b.cif"])
    #expect(try ItemSource.files([path + "/*.cif"]).first()?.id == path + "/a.cif")
    let error = #expect(throws: ErrorReport.self) { try Self.items(.files([path + "/*.pdb"])) }
    #expect(error?.code == "batch.no-items")
  }

  @Test func `tables, lists of records and numbered parts become items`() throws {
    let table = Value.table(Table(columns: [.init("n", .integers([7, 8])), .init("code", .texts(["x", "y"]))]))
    #expect(try Self.items(.rows(of: table)).items.map(\.id) == ["x", "y"])
    #expect(try Self.items(.rows(of: ["rows": table, "n": 2])).items.map { $0.fields["n"] } == ["7", "8"])
    #expect(try Self.items(.rows(of: .list([["n": 1]]))).items.map(\.id) == ["1"])
    #expect(try Self.items(.parts(3)).items.map(\.id) == ["1/3", "2/3", "3/3"])
    #expect(throws: ErrorReport.self) { try ItemSource.rows(of: "text") }
  }

  @Test func `placeholders are replaced within arguments, which are not split`() throws {
    let template = try CommandTemplate(["info", "{}", "--tag={n}-{}", "{2} {", "{{n}}"], fields: ["n"])
    let item = BatchItem(number: 1, id: "a b; {n}", fields: ["n": "5"])
    #expect(try template.words(for: item) == ["info", "a b; {n}", "--tag=5-a b; {n}", "{2} {", "{5}"])
    #expect(template.values(for: item) == ["a b; {n}", "5", "a b; {n}", "5"])
    #expect(template.hasPlaceholders)
    #expect(try !CommandTemplate(["info", "x"], fields: []).hasPlaceholders)
  }

  @Test func `an item's seed depends only on the run's seed and the item's number`() throws {
    let template = try CommandTemplate(["sample", "{}", "--seed={seed}"], fields: [], seed: 42)
    // python3: hashlib.sha256((42).to_bytes(8, "big") + (17).to_bytes(8, "big")), the sign bit cleared.
    let item = BatchItem(number: 17, id: "a")
    #expect(try template.words(for: item) == ["sample", "a", "--seed=4229722142415247429"])
    #expect(try CommandTemplate.seed(of: 1, inRunOf: 0) == 8_952_255_631_054_521_211)
    let others = try (1...100).map { try CommandTemplate.seed(of: $0, inRunOf: 42) }
    #expect(Set(others).count == 100 && others.allSatisfy { $0 >= 0 })
    #expect(try CommandTemplate(["x", "{seed}"], fields: []).hasPlaceholders)
    #expect(template.values(for: item) == ["a"])
  }

  @Test func `a field named seed takes precedence over the item's seed`() throws {
    let template = try CommandTemplate(["x", "{seed}"], fields: ["seed"], seed: 42)
    #expect(try template.words(for: BatchItem(number: 1, id: "a", fields: ["seed": "7"])) == ["x", "7"])
  }

  @Test func `an unknown field is refused with the nearest name`() throws {
    let error = #expect(throws: ErrorReport.self) { try CommandTemplate(["x", "{coed}"], fields: ["code"]) }
    #expect(error?.code == "batch.unknown-field" && error?.advice == "did you mean '{code}'?")
    #expect(throws: ErrorReport.self) { try CommandTemplate(["x", "{code}"], fields: []) }
  }
}
