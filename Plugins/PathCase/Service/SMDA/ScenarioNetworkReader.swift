import PluginAPI
import PluginJSON

/// Reads scenario analysis networks with their observations from JSON.
///
/// ```json
/// {"name": "chain", "labels": ["U", "A", "C"],
///  "pools": [{"id": "a", "kind": "boundary"}, {"id": "b", "kind": "internal"}],
///  "processes": [{"id": "r", "reversible": false, "in": ["a"], "out": ["b"],
///    "inhibitors": [{"pool": "b", "trigger": "C"}], "activators": []}],
///  "observations": [{"pool": "b", "label": "C"}, {"pool": "a", "label": ["A", "C"]}]}
/// ```
/// Other fields are ignored.
struct ScenarioNetworkReader {
  private var numbers: [Identifier: Int] = [:]
  private var network = ScenarioNetwork()

  /// The maximum file size in bytes.
  private static let limitInBytes = 64 << 20

  /// Reads a network.
  ///
  /// - Throws: ``ScenarioFileError``, ``ObservationError``.
  static func read(_ bytes: [UInt8]) throws -> ScenarioNetwork {
    let value: Value
    do {
      value = try Value(json: bytes, depth: 64, sizeInBytes: limitInBytes)
    } catch {
      throw Self.fault("", "it is not JSON: \(error.report.message)")
    }
    var reader = ScenarioNetworkReader()
    return try reader.read(value)
  }

  private mutating func read(_ value: Value) throws -> ScenarioNetwork {
    guard case .record(let record) = value.content else {
      throw Self.fault("", "it is not an object with pools and processes")
    }
    if case .text(let name)? = record["name"]?.content { network.name = name }
    if let labels = record["labels"] { network.rules.levels = try ScenarioRulesReader.levels(labels, kind: "network") }
    for (index, pool) in try ScenarioRecords(record["pools"], "pools").rows.enumerated() { try add(pool: pool, index) }
    var seen: Set<Identifier> = []
    for row in try ScenarioRecords(record["processes"], "processes").rows {
      let process = try process(row)
      guard seen.insert(process.id).inserted else {
        throw Self.fault(row.location, "process '\(process.id)' occurs twice")
      }
      network.processes.append(process)
    }
    guard let observations = record["observations"] else { return network }
    return try network.observing(try ObservationReader.rows(observations, at: "observations"))
  }

  private mutating func add(pool row: ScenarioRecord, _ index: Int) throws {
    let id = try row.identifier("id")
    let kind = try row.text("kind") ?? "internal"
    guard ["internal", "boundary"].contains(kind) else {
      throw Self.fault("\(row.location).kind", "'\(kind)' is not a kind of pool", "use internal or boundary")
    }
    guard numbers.updateValue(index, forKey: id) == nil else {
      throw Self.fault(row.location, "pool '\(id)' occurs twice")
    }
    network.pools.append(ScenarioPool(id: id, isBoundary: kind == "boundary"))
  }

  private func process(_ row: ScenarioRecord) throws -> ScenarioProcess {
    var process = ScenarioProcess(id: try row.identifier("id"))
    switch row.record["reversible"]?.content {
    case .bool(let flag)?: process.isReversible = flag
    case nil: break
    default: throw Self.fault("\(row.location).reversible", "it is neither true nor false")
    }
    process.inputs = try conditions(row, "in", network.rules.inputTrigger)
    process.outputs = try conditions(row, "out", .available).map(\.pool)
    process.inhibitors = try conditions(row, "inhibitors", network.rules.inhibitorTrigger)
    process.activators = try conditions(row, "activators", network.rules.activatorTrigger)
    return process
  }

  /// Returns a list of pools: ids, or objects with a trigger; a repeated pool counts once.
  private func conditions(
    _ row: ScenarioRecord, _ field: String, _ trigger: MetaboliteLevel
  ) throws -> [ScenarioProcess.Condition] {
    guard let value = row.record[field] else { return [] }
    guard case .list(let values) = value.content else {
      throw Self.fault("\(row.location).\(field)", "it is not a list")
    }
    var conditions: [ScenarioProcess.Condition] = []
    for (index, value) in values.enumerated() {
      let location = "\(row.location).\(field)[\(index)]"
      let condition = try condition(value, location, trigger)
      if !conditions.contains(where: { $0.pool == condition.pool }) { conditions.append(condition) }
    }
    return conditions
  }

  private func condition(
    _ value: Value, _ location: String, _ trigger: MetaboliteLevel
  ) throws -> ScenarioProcess.Condition {
    var condition = ScenarioProcess.Condition(pool: 0, trigger: trigger, isUsual: true)
    let id: Identifier
    switch value.content {
    case .text(let text): id = Identifier(text)
    case .record(let record):
      let row = ScenarioRecord(location: location, record: record)
      id = try row.identifier("pool")
      if let letter = try row.text("trigger") {
        guard let level = MetaboliteLevel(letter: letter), Int(level.rawValue) < network.rules.levels else {
          throw Self.fault("\(location).trigger", "'\(letter)' is not a level")
        }
        condition.trigger = level
        condition.isUsual = false
      }
    default: throw Self.fault(location, "it is neither a pool nor an object with one")
    }
    guard let pool = numbers[id] else { throw Self.fault(location, "pool '\(id)' does not exist") }
    condition.pool = pool
    return condition
  }

  private static func fault(_ location: String, _ reason: String, _ advice: String? = nil) -> ScenarioFileError {
    ScenarioFileError(kind: "network", location: location, reason: reason, advice: advice)
  }
}

/// A list of objects of a document.
struct ScenarioRecords {
  var rows: [ScenarioRecord] = []

  init(_ value: Value?, _ location: String, kind: String = "network") throws {
    guard case .list(let values)? = value?.content else {
      throw ScenarioFileError(
        kind: kind, location: location, reason: value == nil ? "it is missing" : "it is not a list")
    }
    for (index, value) in values.enumerated() {
      guard case .record(let record) = value.content else {
        throw ScenarioFileError(kind: kind, location: "\(location)[\(index)]", reason: "it is not an object")
      }
      rows.append(ScenarioRecord(location: "\(location)[\(index)]", record: record, kind: kind))
    }
  }
}

/// An object of a document, with its position.
struct ScenarioRecord {
  var location: String
  var record: Record
  var kind = "network"

  /// Returns a text; nil if there is none.
  func text(_ field: String) throws -> String? {
    switch record[field]?.content {
    case nil, .null?: return nil
    case .text(let text)?: return text
    default: throw ScenarioFileError(kind: kind, location: "\(location).\(field)", reason: "it is not text")
    }
  }

  /// Returns a required id.
  func identifier(_ field: String) throws -> Identifier {
    guard let text = try text(field), !text.isEmpty else {
      throw ScenarioFileError(kind: kind, location: "\(location).\(field)", reason: "it is missing or empty")
    }
    return Identifier(text)
  }
}

/// The reason for which a file of scenario analysis cannot be read.
struct ScenarioFileError: Error, Equatable, ReportableError {
  /// The expected kind of file: `network`, `observations` or `rules`.
  var kind: String
  /// The position in the file, such as `processes[3].in` or `line 4`; empty for the whole file.
  var location: String
  var reason: String
  var advice: String?

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    ErrorReport(
      code: "pathcase.smda-\(kind)", kind: .unusableInput,
      location.isEmpty
        ? "the \(kind) cannot be read: \(reason)" : "the \(kind) cannot be read at \(location): \(reason)",
      advice: advice, details: ["place": .text(location)])
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.smda-network", "the file is not a network for scenario analysis, or refers to missing parts"),
    .init("pathcase.smda-observations", "the file is not a list of observations"),
    .init("pathcase.smda-rules", "the file is not a rule set for scenario analysis"),
  ]
}
