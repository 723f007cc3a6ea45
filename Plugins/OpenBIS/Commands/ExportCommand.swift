import PluginAPI

/// The command that writes an entity and everything below it into a file.
enum ExportCommand {
  /// The form of an export.
  fileprivate enum Format: String, CaseIterable, ParameterValue {
    case json, csv, html
  }

  private static let format = Option("format", "Format of the export", default: Format.json)
  private static let output = Option(
    "output", String.self, kind: .outputFile, "Output file, pipe or device; without it the export is the result")
  private static let depth = Option(
    "depth", Int.self, kind: .integer(minimum: 0, maximum: .max), "Number of levels; all by default")

  static let command = OpenBISCommand(
    CommandDescription(
      "export", "Export an entity and all cached entities below it", output: .init(.any), effects: [.reads, .writes]
    ).taking(LabInputs.entity, format, output, depth, LabInputs.account).explained(
      """
      JSON holds all data, including REFCON byte for byte. CSV has a row for each entity and a column for each \
      property. HTML is one page with the images in it. Each entity is written once. Without '--output' the export is \
      the result: '--json' gives the document itself, '--format csv --csv' the rows. Only cached data is exported; \
      'sync' and 'detail' fetch more.
      """,
      examples: [
        .init("export PROBES --format csv --output probes.csv", "A table"),
        .init("export 20130115-1 --format html --output probe.html", "A page to print or send"),
      ])
  ) { call, laboratory in
    let path = call[output]
    if let path { try OutputFile.check(path) }
    let browser = try await LabBrowser(call, laboratory)
    let id = call[LabInputs.entity]
    guard let entity = try await browser.cache.entity(id) else { throw try await browser.unknown(id) }
    let origin = ExportOrigin(
      root: id, title: entity.title, server: browser.account.server.base, madeAt: "\(call.context.now())")
    let exported = try await call.compute("exporting") { progress in
      let job = ExportJob(cache: browser.cache, root: id, depth: call[depth], progress: progress)
      return if let path {
        try job.write(call[format], origin, to: path)
      } else {
        try job.result(call[format], origin)
      }
    }
    if exported.left > 0 {
      call.warn(
        Diagnostic(
          .warning, code: "openbis.columns-left-out",
          "\(exported.left) values are left out: a table holds at most \(CSVExport.Columns.most) columns of properties",
          advice: "use '--format json' for all values"))
    }
    try await call.emit(exported.value)
  }
}

/// The outcome of an export.
private struct Exported: Sendable {
  var value: Value
  /// The number of property values for which there was no column.
  var left = 0
}

/// A traversal of the entities below a root that writes them, on a thread of its own.
private struct ExportJob {
  let cache: EntityStore
  let root: String
  let depth: Int?
  let progress: any WorkProgress

  /// Returns the export as the command's result: the document's own members, the table's rows, or the page's text.
  func result(_ format: ExportCommand.Format, _ origin: ExportOrigin) throws -> Exported {
    var exported = Exported(value: .null)
    switch format {
    case .csv:
      let columns = try columns()
      let export = CSVExport(columns)
      var values = Array(repeating: [String](), count: export.names.count)
      try forEach { entity in
        for (index, field) in export.fields(of: entity).enumerated() { values[index].append(CSVExport.safe(field)) }
      }
      let filled = zip(export.names, values).map { Table.Column(CSVExport.safe($0), .texts($1)) }
      exported = Exported(value: .table(Table(columns: filled)), left: columns.left)
    case .html:
      var (export, bytes) = (HTMLExport(origin), [UInt8]())
      bytes += export.begin()
      try forEach(isPage: true) { bytes += export.add($0) }
      bytes += export.end()
      exported.value = .text(String(decoding: bytes, as: UTF8.self))
    case .json:
      var record = JSONExport.head(origin)
      var entities: [Value] = []
      try forEach { entities.append(.record(JSONExport.record($0))) }
      record["entities"] = .list(entities)
      exported.value = .record(record)
    }
    exported.value = exported.value.typed(OpenBISValueType.export)
    return exported
  }

  /// Writes the export into a file.
  func write(_ format: ExportCommand.Format, _ origin: ExportOrigin, to path: String) throws -> Exported {
    var (count, left) = (0, 0)
    switch format {
    case .csv:
      let columns = try columns()
      left = columns.left
      var export = CSVExport(columns)
      count = try write(&export, to: path)
    case .html:
      var export = HTMLExport(origin)
      count = try write(&export, to: path, isPage: true)
    case .json:
      var export = JSONExport(origin)
      count = try write(&export, to: path)
    }
    return Exported(value: ["file": .text(path), "entities": .integer(count)], left: left)
  }

  /// Writes the entities one by one, and returns their number.
  private func write(_ export: inout some EntityExport, to path: String, isPage: Bool = false) throws -> Int {
    let file = try OutputFile.Writer(path)
    var bytes = export.begin()
    var count = 0
    try forEach(isPage: isPage) { entity in
      bytes += export.add(entity)
      count += 1
      if bytes.count > 1 << 16 {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try file.write(bytes + export.end())
    try file.close()
    return count
  }

  private func columns() throws -> CSVExport.Columns {
    var columns = CSVExport.Columns()
    let traversal = StoredTraversal(EntityWalk(from: root, limits: .init(depth: depth)))
    while let lists = try cache.blockingRead({ try traversal.nextProperties($0) }) {
      try progress.checkCancellation()
      for properties in lists { columns.add(properties) }
    }
    return columns
  }

  /// Calls `body` with each entity and its exported data.
  ///
  /// - Parameter isPage: True to include the bytes of images and the titles of children.
  private func forEach(isPage: Bool = false, _ body: (EntityFamily) throws -> Void) throws {
    var count = 0
    try forEachFamily { family in
      var exported = family
      if isPage, let children = family.children, !children.isEmpty {
        let first = Array(children.prefix(200))
        let summaries = try cache.blockingRead { try $0.summaries(of: first) }
        exported.childTitles = zip(first, summaries).map { $1?.title ?? $0 }
      }
      exported.images = try family.entity.images?.map { image in
        EntityFamily.Image(image: image, bytes: isPage ? try cache.imageBytes(of: image.source) : nil)
      }
      try body(exported)
      count += 1
      if count % 1024 == 0 { progress.report(Progress("exporting: \(count) entities")) }
    }
  }

  /// Calls `body` with each entity and its children, depth first.
  private func forEachFamily(_ body: (EntityFamily) throws -> Void) throws {
    let traversal = StoredTraversal(EntityWalk(from: root, limits: .init(depth: depth)))
    while let families = try cache.blockingRead({ try traversal.nextFamilies($0) }) {
      try progress.checkCancellation()
      for family in families { try body(family) }
    }
  }
}
