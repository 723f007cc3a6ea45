import PluginAPI
import Testing

private struct Layer: Model {
  enum Kind: String, CaseIterable, FieldValue { case ice, rock }

  var depth: Double?
  var kind: Kind
  var samples: [Int]
  var isFrozen = true

  static let typeName = "test.layer"
  static let fields = Fields<Layer> {
    Field("depth", \.depth, "Depth", heading: "Depth", unit: "metre", decimals: 1)
    Field("kind", \.kind, "Material", heading: "Material")
    Field("samples", \.samples, "Numbers of samples")
    Field("sampleCount", \.samples.count, "Number of samples", heading: "Samples")
    Field("isFrozen", \.isFrozen, "Frozen")
  }
}

/// The outputs derived from a model's declared fields.
struct ModelTests {
  private let layer = Layer(depth: 1.5, kind: .ice, samples: [3, 4])

  @Test func `a model's value has all fields in order and its type name`() {
    #expect(
      layer.value
        == Value(
          .record(["depth": 1.5, "kind": "ice", "samples": [3, 4], "sampleCount": 2, "isFrozen": true]),
          typeName: "test.layer"))
    #expect(Layer(depth: .nan, kind: .ice, samples: []).value["depth"].isNull)
  }

  @Test func `a table has typed columns for the fields with a heading`() {
    let table = Layer.fields.table(of: [layer, Layer(depth: nil, kind: .rock, samples: [])])
    #expect(table.columns.map(\.name) == ["depth", "kind", "sampleCount"])
    #expect(table.columns.map(\.title) == ["Depth", "Material", "Samples"])
    #expect(table["depth"]?.unit == "metre")
    guard case .numbers(let depths) = table["depth"]?.values else {
      Issue.record("optional numbers are not a column of numbers")
      return
    }
    #expect(depths.values[0] == 1.5 && depths.values[1].isNaN && depths.decimals == 1)
    #expect(table["kind"]?.values == .texts(["ice", "rock"]))
    #expect(table["sampleCount"]?.values == .integers([2, 0]))
    #expect(Layer.fields.table(of: []).rowCount == 0)
  }

  @Test func `a table of models is a field with the models' columns`() {
    let table = Layer.fields.table(of: [layer, layer])
    #expect(ModelTable<Layer>.schema == .table(Layer.fields.columns))
    #expect(ModelTable(rows: [layer, layer]).fieldValue == .table(table))
    #expect(ModelTable<Layer>(table: table).fieldValue == .table(table))
  }

  @Test func `the schema describes the fields and survives a round trip through its value`() throws {
    guard case .record(let fields) = Layer.schema else {
      Issue.record("the schema of a model is not a record")
      return
    }
    #expect(fields.map(\.name) == ["depth", "kind", "samples", "sampleCount", "isFrozen"])
    #expect(
      fields.map(\.schema) == [.optional(.number), .choice(["ice", "rock"]), .list(.integer), .integer, .bool])
    #expect(fields[0].heading == "Depth" && fields[0].unit == "metre" && fields[0].decimals == 1)
    #expect(try ValueSchema(value: Layer.schema.value) == Layer.schema)
    #expect(CommandDescription.Output.table(of: Layer.self).schema == .table(Layer.fields.columns))
  }
}
