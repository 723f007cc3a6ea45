import PluginAPI
import Testing

@testable import OpenBIS

@Suite struct RendererTests {
  private static let requests = [
    TextRequest(), TextRequest(detail: .full), TextRequest(detail: .summary), TextRequest(isPlain: true),
    TextRequest(width: 20, isPlain: false),
  ]

  /// Returns an entity as command output with the same text in all columns.
  private static func value(_ hostile: String) -> Value {
    var entity = Entity(permID: "id" + hostile)
    (entity.refcon, entity.category, entity.summaryHeader) = (hostile, hostile, hostile)
    (entity.summary, entity.identifier) = (hostile, hostile)
    entity.properties = [Property(key: hostile, label: hostile, value: hostile)]
    entity.images = [
      EntityImage(role: .marquee, source: .address(hostile), format: hostile),
      EntityImage(role: .tiled, source: .unusable(hostile)),
    ]
    return EntityFamily(entity: entity, children: PackedTexts([hostile, "id" + hostile])).fieldValue
  }

  @Test func `a label wider than its column is printed whole, above its value`() {
    var entity = Entity(permID: "id")
    entity.properties = [
      Property(key: "A", label: "A property with accents", value: "x y"),
      Property(key: "B", label: "A label of twenty co", value: "z"), Property(key: "C", label: "Short", value: "w"),
    ]
    let value = EntityFamily(entity: entity, children: PackedTexts([String]())).fieldValue
    func lines(isPlain: Bool) -> [String] {
      EntityRenderer().render(value, for: TextRequest(width: 60, isPlain: isPlain)).lines
        .map { $0.map(\.text).joined() }
    }
    let column = String(repeating: " ", count: 20)
    let found = lines(isPlain: false)
    #expect(found.contains("A property with accents") && found.contains(column + "x y"), "\(found)")
    #expect(found.contains("A label of twenty co") && found.contains(column + "z"), "\(found)")
    #expect(found.contains("Short               w"), "\(found)")
    #expect(lines(isPlain: true).contains("A property with accents: x y"))
  }

  @Test func `hostile texts in every column are printed sanitized`() throws {
    for hostile in HostileTexts.all {
      let entity = Self.value(hostile)
      let row: Value = [
        "depth": 1, "isLast": true, "kind": "entity", "permId": .text("i" + hostile), "title": .text(hostile),
        "summary": .text(hostile), "count": .null,
      ]
      let printed: [(any TextRenderer, Value)] = [
        (EntityRenderer(), entity), (EntitiesRenderer(), [entity, entity]),
        (TreeRenderer(), [row, row]),
      ]
      for (renderer, value) in printed {
        for request in Self.requests {
          let text = try renderer.render(value, for: request)
          let lines = text.lines.map { $0.map(\.text).joined() }
          #expect(
            lines.allSatisfy { Harm.found(in: $0, allowing: ["\t"]).isEmpty },
            "\(renderer.typeName) of \(hostile.debugDescription)")
        }
      }
    }
  }
}
