import PluginAPI
import Testing

@testable import Host

struct GenericTextTests {
  private func text(_ value: Value, _ schema: ValueSchema, isPlain: Bool = false) -> String {
    GenericText(request: TextRequest(width: 80, isPlain: isPlain)).render(value, schema: schema).plainText
  }

  @Test func `records and nested values are laid out as readable text`() {
    let value: Value = [
      "title": "Granite", "addedAt": .date(Instant(seconds: 0)), "spaceGroupHM": nil, "size": .quantity(2, unit: "m"),
      "names": ["a", "b"], "parts": [["kind": "mica", "share": 10], ["kind": "quartz", "share": 90.5]],
      "cell": ["a": 1.5, "b": true],
    ]
    let schema = ValueSchema.record([
      .init("title", .text), .init("addedAt", .date), .init("spaceGroupHM", .optional(.text)), .init("size", .quantity),
      .init("names", .list(.text)), .init("parts", .list(.record([.init("kind", .text), .init("share", .number)]))),
      .init("cell", .record([.init("a", .number), .init("b", .bool)])),
    ])
    #expect(
      text(value, schema) == """
        title           Granite
        added at        1970-01-01T00:00:00Z
        space group HM  –
        size            2 m
        names           a, b
        parts
          kind    share
          mica       10
          quartz   90.5
        cell
          a  1.5
          b  yes
        """)
    let plain = text(value, schema, isPlain: true)
    #expect(plain.contains("added at: 1970-01-01T00:00:00Z\n") && plain.contains("  kind: mica, share: 10\n"))
  }

  @Test func `only names declared by the schema are split into words`() {
    let fluxes = ValueSchema.record([.init("bestValue", .number), .init("allFluxes", .map(.number))])
    #expect(
      text(["bestValue": 1, "allFluxes": ["R_12DGR120tipp": 2, "EX_glcDe": 3]], fluxes) == """
        best value  1
        all fluxes
          R_12DGR120tipp  2
          EX_glcDe        3
        """)
    #expect(text(["HEMatoms": 4], .any) == "HEMatoms  4")
    #expect(text(["HEMatoms": 4], .map(.integer), isPlain: true) == "HEMatoms: 4")
  }

  @Test func `fields of records in optionals, lists and tables count as declared`() {
    let fields = [ValueSchema.Field("addedAt", .integer)]
    let rows: Value = [["addedAt": 1, "GlcD": 2]]
    for schema in [ValueSchema.list(.record(fields)), .optional(.list(.optional(.record(fields)))), .table(fields)] {
      #expect(text(rows, schema) == "added at  GlcD\n       1     2")
    }
  }
}
