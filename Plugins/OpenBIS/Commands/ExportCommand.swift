import PluginAPI

/// The command that writes an entity and all below it into a file.
enum ExportCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "export", "writes an entity and all that is cached below it", output: .init(.any), effects: [.reads, .writes]
    ).taking(
      [OpenBISCommand.entity],
      options: [
        Parameter("format", .choice(["json", "csv", "html"]), "the form", defaultValue: "json"),
        Parameter("output", .outputFile, "the file, pipe or device, not '-': the text is the result without it"),
        Parameter("depth", .integer(minimum: 0, maximum: .max), "how deep it goes; all by default"),
        OpenBISCommand.account,
      ]
    ).explained(
      """
      JSON keeps everything, REFCON byte for byte; CSV has a row for each entity and a column for each property; HTML is \
      one page with the images in it. Each entity is written once. Of what is cached: 'sync' and 'detail' fetch.
      """,
      examples: [
        .init("export PROBES --format csv --output probes.csv", "a table"),
        .init("export 20130115-1 --format html --output probe.html", "a page to be printed or sent"),
      ])
  ) { call, laboratory in
    if let output = call["output"].text { try OutputFile.check(output) }
    let browser = try await LabBrowser(call, laboratory)
    let id = call.text("perm-id")
    guard let entity = try await browser.cache.entity(id) else { throw try await browser.unknown(id) }
    let origin = ExportOrigin(
      root: id, title: entity.title, server: browser.account.server.base, madeAt: "\(call.context.now())")
    let (format, path, depth) = (call.text("format"), call.text("output"), call["depth"].integer)
    let cache = browser.cache
    let result = try await call.compute("exporting") { progress in
      let sink = try ExportSink(path)
      let job = ExportJob(cache: cache, root: id, depth: depth, progress: progress)
      try job.run(format, origin, sink)
      return try sink.finish()
    }
    guard let result = result as? Value else { preconditionFailure("computed work gives what it returned") }
    try await call.emit(result)
  }
}

/// Where an export goes: a file, or the result.
private final class ExportSink {
  private let path: String
  private let file: OutputFile.Writer?
  private var bytes: [UInt8] = []
  private(set) var entities = 0

  init(_ path: String) throws {
    self.path = path
    file = path.isEmpty ? nil : try OutputFile.Writer(path)
  }

  func take(_ more: [UInt8]) throws {
    bytes += more
    if let file, bytes.count > 1 << 16 {
      try file.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  func countEntity() { entities += 1 }

  func finish() throws -> Value {
    guard let file else { return .text(String(decoding: bytes, as: UTF8.self)) }
    try file.write(bytes)
    try file.close()
    return ["file": .text(path), "entities": .integer(entities)]
  }
}

/// Walks what is below an entity and writes it; on a thread of its own.
private struct ExportJob {
  let cache: EntityStore
  let root: String
  let depth: Int?
  let progress: any WorkProgress

  func run(_ format: String, _ origin: ExportOrigin, _ sink: ExportSink) throws {
    switch format {
    case "csv":
      var columns = CSVExport.Columns()
      try forEach { columns.add($0.properties ?? []) }
      var export = CSVExport(columns)
      try write(&export, sink)
    case "html":
      var export = HTMLExport(origin)
      try write(&export, sink, hasImages: true)
    default:
      var export = JSONExport(origin)
      try write(&export, sink)
    }
  }

  private func write(_ export: inout some EntityExport, _ sink: ExportSink, hasImages: Bool = false) throws {
    try sink.take(export.begin())
    var export = export
    try walk { step in
      guard let entity = try cache.entityAndWait(step.permID) else { return }
      var exported = ExportedEntity(entity)
      exported.depth = step.depth
      exported.children = try cache.childIDsAndWait(of: step.permID)
      let first = Array(exported.children.prefix(200))
      exported.childTitles = zip(first, try cache.summariesAndWait(first)).map { $1?.title ?? $0 }
      exported.images = try (entity.images ?? []).map { image in
        ExportedEntity.Image(image: image, bytes: hasImages ? try bytes(of: image) : nil)
      }
      try sink.take(export.add(exported))
      sink.countEntity()
      if sink.entities % 64 == 0 { progress.report(Progress("exporting: \(sink.entities) entities")) }
    }
    try sink.take(export.end())
  }

  private func bytes(of image: EntityImage) throws -> [UInt8]? {
    switch image.source {
    case .stored(let hash): try cache.imageAndWait(hash)
    case .address(let address): try cache.imageHashAndWait(for: address).flatMap { try cache.imageAndWait($0) }
    case .bytes(let bytes): bytes
    case .unusable: nil
    }
  }

  private func forEach(_ body: (Entity) throws -> Void) throws {
    try walk { step in
      if let entity = try cache.entityAndWait(step.permID) { try body(entity) }
    }
  }

  private func walk(_ body: (EntityWalk.Step) throws -> Void) throws {
    _ = try EntityWalk.from(root, cache.graph(), limits: .init(depth: depth)) { step in
      try progress.checkCancellation()
      if step.kind == .entity { try body(step) }
    }
  }
}
