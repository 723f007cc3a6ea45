import PluginAPI
import PluginText

/// A renderer of a list of entities: one line each.
struct EntitiesRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.entities }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    var category: String?
    let entities = ModelRecord<EntityFamily>.list(value)
    for entity in entities {
      let next = SanitizedText.line(entity[\.entity.category])
      if next != category, !next.isEmpty { text.add(.init(next, .heading)) }
      category = next
      // Counted without a copy of their ids.
      let children = entity.value["children"].list?.count ?? 0
      let header = SanitizedText.line(entity[\.entity.summaryHeader])
      let id = SanitizedText.line(entity[\.entity.permID])
      let flags = entity[\.entity.flags]
      let name = flags.contains(.notLoaded) ? "(not loaded)" : header
      let summary = SanitizedText.line(entity[\.entity.summary], limit: 200)
      let count = children > 0 ? "  \(children) ›" : ""
      let details = [summary, id == header ? "" : id].filter { !$0.isEmpty }.joined(separator: "  ")
      let mark = flags.contains(.missingOnServer) ? "  (maybe deleted)" : ""
      text.add(.init("  " + (name.isEmpty ? id : name)), .init("  " + details + count + mark, .secondary))
    }
    if entities.isEmpty { text.add(.init("no entities", .secondary)) }
    return text
  }
}

/// A renderer of all data of an entity.
struct EntityRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.entity }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let entity = ModelRecord<EntityFamily>(value)
    var page = FieldPage(request)
    let header = SanitizedText.line(entity[\.entity.summaryHeader])
    let id = SanitizedText.line(entity[\.entity.permID])
    page.heading(header.isEmpty ? id : header)
    page.field("Summary", SanitizedText.block(entity[\.entity.summary]))
    page.field("Category", SanitizedText.line(entity[\.entity.category]))
    page.field("Identifier", entity[\.entity.identifier].map { SanitizedText.line($0) })
    page.field("PERM_ID", id)
    let flags = entity[\.entity.flags]
    for (flag, note) in Self.notes where flags.contains(flag) { page.note(note) }
    addProperties(entity[\.entity.properties], &page, request)
    addImages(entity[\.entity.images] ?? [], &page)
    if let children = entity[\.children], !children.isEmpty {
      let first = children.prefix(8).map { SanitizedText.line($0) }.joined(separator: ", ")
      page.field("Children", "\(children.count): " + first + (children.count > 8 ? ", …" : ""))
    }
    page.field("Updated", entity[\.entity.updatedAt].map { "\($0)" })
    return page.text
  }

  private static let notes: [(EntityFlags, String)] = [
    (.notLoaded, "Only its id is known; 'drill' with the id of its parent loads it."),
    (.childrenUnreadable, "The server's last list of its children could not be read; the former one is shown."),
    (.missingOnServer, "The server sent no details of it; it may have been deleted."),
  ]

  /// The widest label beside its value, with a gap between them: ``FieldPage`` has 20 columns for labels.
  private static let widestLabel = 19

  private func addProperties(
    _ properties: [ModelRecord<Property>]?, _ page: inout FieldPage, _ request: TextRequest
  ) {
    guard let properties else { return page.note("Details are not loaded yet.") }
    if !properties.isEmpty { page.gap() }
    for property in properties {
      let name = property[\.label]
      let label = SanitizedText.line(name.isEmpty ? property[\.key] : name)
      let limit = request.detail == .full ? nil : ShownValue.usualLimit
      let shown = ShownValue(property[\.value], limit: limit)
      let hasOwnLine = !request.isPlain && TextWidth.columns(label) > Self.widestLabel
      if hasOwnLine { page.paragraph(label) }
      if shown.text.contains("\n") {
        if !hasOwnLine { page.field(label, " ") }
        for line in shown.text.split(separator: "\n", omittingEmptySubsequences: false) { page.paragraph("  " + line) }
      } else {
        page.field(hasOwnLine ? "" : label, shown.text.isEmpty ? "–" : shown.text)
      }
    }
    if !properties.isEmpty { page.gap() }
  }

  private func addImages(_ images: [ModelRecord<EntityImage>], _ page: inout FieldPage) {
    for (index, image) in images.enumerated() {
      let source =
        image[\.problem].map { "cannot be shown: " + SanitizedText.line($0) }
        ?? image[\.address].map { SanitizedText.line($0) } ?? "in the cache"
      page.field("Image \(index + 1)", source)
    }
  }
}

/// A renderer of the outcome of a refresh.
struct SyncRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.sync }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let sync = ModelRecord<SyncResult>(value)
    var text = StyledText()
    let changes = [
      (sync[\.totals.added], "added"), (sync[\.totals.changed], "changed"), (sync[\.totals.removed], "removed"),
      (sync[\.totals.skipped], "skipped"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    text.add(
      .init(changes.isEmpty ? "nothing changed" : changes.joined(separator: ", ")),
      .init("  in \(sync[\.milliseconds]) ms", .secondary))
    let (entities, roots, categories) = (sync[\.counts.entities], sync[\.counts.roots], sync[\.counts.navigation])
    text.add(
      .init("\(entities) entities, \(roots) on the first screen, \(categories) categories", .secondary))
    return text
  }
}

/// A renderer of a tree of entities.
struct TreeRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.tree }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    var tree = TreeText(isPlain: request.isPlain)
    for step in ModelRecord<EntityWalk.Step>.list(value).compactMap(Self.step) { text.add(.init(tree.line(step))) }
    return text
  }

  private static func step(_ row: ModelRecord<EntityWalk.Step>) -> EntityWalk.Step? {
    let count = row[\.kind.count] ?? 0
    let kind: EntityWalk.Step.Kind
    switch row[\.kind.name] {
    case .entity: kind = .entity
    case .again: kind = .again
    case .notLoaded: kind = .notLoaded
    case .left: kind = .left(count)
    case .deeper: kind = .deeper(count)
    case nil: return nil
    }
    let id = row[\.permID]
    let summary = EntitySummary(
      permID: id, category: "", summaryHeader: row[\.title], summary: row[\.secondLine], childCount: nil, flags: [])
    // A row without the field counts as the last of its siblings; the typed field would be false.
    let isLast = row.value["isLast"].bool ?? true
    // The value may be another plugin's.
    let depth = min(max(0, row[\.depth]), 1 << 30)
    return EntityWalk.Step(kind: kind, permID: id, summary: summary, depth: depth, isLast: isLast)
  }
}

/// A renderer of the data of an account.
struct AccountRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.account }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    let account = ModelRecord<ListedAccount>(value)
    var page = FieldPage(request)
    let user = account[\.account.user]
    page.heading("\(user.isEmpty ? "logged in" : user) at \(account[\.account.server.base])")
    page.field("Account", account[\.account.id])
    page.field("Interface", account[\.account.backEnd].map(Self.text))
    page.field("Data store", account[\.account.dataStore])
    page.note("Run 'workbench openbis sync' to fill the cache.")
    return page.text
  }

  private static func text(_ backEnd: Account.BackEnd) -> String {
    switch backEnd {
    case .tablesV1: "tables of the read service, by V1"
    case .tablesV3: "tables of the read service, by V3"
    case .native: "objects of V3, by a mapping file"
    }
  }
}

/// A renderer of an export as the text of its file.
struct ExportRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.export }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    switch value.content {
    case .table(let table):
      Self.add(CSVExport.line(table.columns.map(\.name)), &text)
      for row in 0..<table.rowCount {
        Self.add(CSVExport.line(table.columns.map { $0.values[row].text ?? "" }), &text)
      }
    case .record(let record):
      var out = JSONTextWriter()
      out.open("{")
      for field in record.fields {
        out.name(field.name)
        guard let entities = field.value.list else {
          out.value(field.value)
          continue
        }
        // One line per entity, so that two exports can be compared.
        out.raw("[\n")
        for (index, entity) in entities.enumerated() {
          out.value(entity)
          out.raw(index < entities.count - 1 ? ",\n" : "\n")
        }
        out.raw("]")
      }
      out.close("}")
      Self.add(String(decoding: out.bytes, as: UTF8.self), &text)
    default: Self.add(value.text ?? "", &text)
    }
    return text
  }

  /// Adds lines; the writer ends the last one.
  private static func add(_ lines: String, _ text: inout StyledText) {
    text.add(StyledText(lines.utf8.last == 0x0A ? String(lines.dropLast()) : lines))
  }
}

/// A renderer of a mapping as a file to start from.
struct MappingRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.mapping }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    Self.add(value, before: "", after: "", depth: 0, &text)
    return text
  }

  /// Adds a value, on one line if it fits.
  private static func add(
    _ value: Value, before: String, after: String, depth: Int, _ text: inout StyledText
  ) {
    let indent = String(repeating: "  ", count: depth)
    let line = indent + before + json(value) + after
    if line.utf8.count <= 100, depth > 0 { return text.add(.init(line)) }
    switch value.content {
    case .record(let record) where !record.fields.isEmpty:
      text.add(.init(indent + before + "{"))
      for (index, field) in record.fields.enumerated() {
        add(
          field.value, before: json(.text(field.name)) + ": ", after: index < record.fields.count - 1 ? "," : "",
          depth: depth + 1, &text)
      }
      text.add(.init(indent + "}" + after))
    case .list(let values) where !values.isEmpty:
      text.add(.init(indent + before + "["))
      for (index, value) in values.enumerated() {
        add(value, before: "", after: index < values.count - 1 ? "," : "", depth: depth + 1, &text)
      }
      text.add(.init(indent + "]" + after))
    default: text.add(.init(line))
    }
  }

  private static func json(_ value: Value) -> String {
    var out = JSONTextWriter()
    out.value(value)
    return String(decoding: out.bytes, as: UTF8.self)
  }
}
