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

  private static let renderers: [any TextRenderer] = [
    AccountRenderer(), EntityRenderer(), EntitiesRenderer(), ExportRenderer(), MappingRenderer(), SyncRenderer(),
    TreeRenderer(),
  ]

  /// Returns the lines of a value, for linear reading.
  private static func plainLines(_ renderer: some TextRenderer, _ value: Value) throws -> [String] {
    try renderer.render(value, for: TextRequest(isPlain: true)).lines.map { $0.map(\.text).joined() }
  }

  @Test func `each renderer is for a model, a list of one, or data of the user`() {
    let contributions = OpenBISPlugin().contributions
    let models: [any Model.Type] = [ListedAccount.self, EntityFamily.self, SyncResult.self]
    let lists = [(OpenBISValueType.entities, EntityFamily.schema), (OpenBISValueType.tree, EntityWalk.Step.schema)]
    let names = models.map { $0.typeName } + lists.map(\.0) + [OpenBISValueType.export, OpenBISValueType.mapping]
    #expect(contributions.textRenderers.sorted() == names.sorted())
    #expect(Self.renderers.map(\.typeName).sorted() == names.sorted())
    for (name, element) in lists {
      let schemas = contributions.commands.map(\.output).filter { $0.typeName == name }.map(\.schema)
      #expect(!schemas.isEmpty && schemas.allSatisfy { $0 == .list(element) }, "\(name)")
    }
  }

  @Test func `records without fields, and with fields of another kind, are rendered`() throws {
    let entity: Value = [
      "permId": 4, "category": nil, "properties": [nil, 3], "images": [nil, "x"], "children": [nil, 4],
      "state": ["unknown", 7], "kind": "entity", "updatedAt": "today",
    ]
    for value: Value in [.null, 3, "text", [:], [nil, 5], entity, [entity, ["kind": "other"]]] {
      for renderer in Self.renderers {
        for request in Self.requests { _ = try renderer.render(value, for: request) }
      }
    }
    #expect(try Self.plainLines(AccountRenderer(), [:]).first?.hasPrefix("logged in at") == true)
    #expect(try Self.plainLines(EntityRenderer(), [:]).contains("Details are not loaded yet."))
    #expect(try Self.plainLines(EntitiesRenderer(), [:]) == ["no entities"])
    #expect(try Self.plainLines(SyncRenderer(), [:]).first == "nothing changed  in 0 ms")
    #expect(try Self.plainLines(TreeRenderer(), [["kind": "other"], nil]) == [])
  }

  @Test func `an account and a refresh are rendered with all their data`() throws {
    var account = Account(id: "anna-lab", server: ServerAddress(base: "https://lab.example"), user: "anna")
    (account.backEnd, account.dataStore) = (.native, "DSS1")
    let lines = try Self.plainLines(AccountRenderer(), ListedAccount(account: account, isCurrent: true).value)
    #expect(
      lines == [
        "anna at https://lab.example", "Account: anna-lab", "Interface: objects of V3, by a mapping file",
        "Data store: DSS1", "Run 'workbench openbis sync' to fill the cache.",
      ])
    let sync = SyncResult(
      counts: EntityCounts(entities: 5, roots: 3, navigation: 2),
      totals: SyncTotals(added: 1, changed: 2, removed: 0, skipped: 4), milliseconds: 12)
    #expect(
      try Self.plainLines(SyncRenderer(), sync.value) == [
        "1 added, 2 changed, 4 skipped  in 12 ms", "5 entities, 3 on the first screen, 2 categories",
      ])
  }

  @Test func `an entity is rendered with all its data, alone and in a list`() throws {
    var entity = Entity(permID: "P1")
    (entity.category, entity.summaryHeader, entity.summary) = ("PLATES", "Plate 1", "96 wells")
    (entity.identifier, entity.updatedAt) = ("/LAB/P1", Instant(seconds: 0))
    entity.properties = [Property(key: "A", label: "Alpha", value: "1")]
    entity.images = [
      EntityImage(role: .marquee, source: .address("a.png")), EntityImage(role: .tiled, source: .unusable("no data")),
      EntityImage(role: .tiled, source: .stored("ab")),
    ]
    entity.flags = [.rootLevel, .missingOnServer]
    let family = EntityFamily(entity: entity, children: PackedTexts((1...9).map { "W\($0)" }))
    #expect(
      try Self.plainLines(EntityRenderer(), family.value) == [
        "Plate 1", "Summary: 96 wells", "Category: PLATES", "Identifier: /LAB/P1", "PERM_ID: P1",
        "The server sent no details of it; it may have been deleted.", "", "Alpha: 1", "", "Image 1: a.png",
        "Image 2: cannot be shown: no data", "Image 3: in the cache",
        "Children: 9: W1, W2, W3, W4, W5, W6, W7, W8, …", "Updated: 1970-01-01T00:00:00Z",
      ])
    var missing = Entity(permID: "X7")
    missing.flags = .notLoaded
    #expect(
      try Self.plainLines(EntitiesRenderer(), .list([family.fieldValue, EntityFamily(entity: missing).fieldValue])) == [
        "PLATES", "  Plate 1  96 wells  P1  9 ›  (maybe deleted)", "  (not loaded)  X7",
      ])
  }

  @Test func `a tree is rendered with every kind of row`() throws {
    func step(_ kind: EntityWalk.Step.Kind, _ id: String, _ title: String?, _ depth: Int, isLast: Bool = false) -> Value
    {
      let summary = title.map {
        EntitySummary(permID: id, category: "", summaryHeader: $0, summary: "", childCount: nil, flags: [])
      }
      return EntityWalk.Step(kind: kind, permID: id, summary: summary, depth: depth, isLast: isLast).fieldValue
    }
    let steps: Value = [
      step(.entity, "P1", "Plate 1", 0, isLast: true), step(.entity, "W1", "Well 1", 1),
      step(.deeper(4), "", nil, 2, isLast: true),
      step(.again, "P1", "Plate 1", 1), step(.notLoaded, "X7", nil, 1), step(.left(3), "", nil, 1, isLast: true),
    ]
    let lines = TreeRenderer().render(steps, for: TextRequest()).lines.map { $0.map(\.text).joined() }
    #expect(
      lines == [
        "Plate 1", "├─ Well 1", "│  └─ … 4 below", "├─ Plate 1  ↑ above", "├─ (not loaded) X7", "└─ … 3 more",
      ])
  }

  @Test func `a row of a tree that does not say whether it is the last is drawn as the last`() throws {
    let rows: Value = [
      ["kind": "entity", "permId": "P1", "title": "Plate 1", "depth": 0],
      ["kind": "entity", "permId": "W1", "title": "Well 1", "depth": 1],
      ["kind": "entity", "permId": "W2", "title": "Well 2", "depth": 1, "isLast": false],
    ]
    let lines = TreeRenderer().render(rows, for: TextRequest()).lines.map { $0.map(\.text).joined() }
    #expect(lines == ["Plate 1", "└─ Well 1", "├─ Well 2"])
  }

  @Test func `a property without a label is shown with its key`() throws {
    let entity: Value = ["permId": "P1", "properties": [["key": "OD", "value": "0.4"]]]
    #expect(try Self.plainLines(EntityRenderer(), entity).contains("OD: 0.4"))
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
