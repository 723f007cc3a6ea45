import Glibc
import PluginAPI

/// The state of a run, counted from its records.
struct RunSummary: Sendable, Equatable {
  /// The state of one shard.
  struct Shard: Sendable, Equatable {
    var items = 0
    var records = 0
    /// The number of records with errors, by code.
    var errors: [String: Int] = [:]
    /// The number of attempts that did not end on their own.
    var openAttempts = 0
    /// The records of one open attempt, and its seconds.
    var paceRecords = 0
    var paceSeconds = 0.0
    var isLocked = false

    var isDone: Bool { records == items }
  }

  private(set) var shards: [Int: Shard] = [:]
  private let logs: [Int: [String]]
  private let retryCount: Int

  /// Counts the records of shards.
  ///
  /// - Parameter trustsMarkers: True if shards with a fitting marker are not read.
  init(of folder: RunFolder, shards numbers: some Sequence<Int>, trustsMarkers: Bool = false) throws {
    logs = folder.logs()
    let retries = try RetryNotes(of: folder)
    retryCount = retries.count
    for number in numbers {
      let logs = self.logs[number] ?? []
      if trustsMarkers, let marked = marked(number, folder) {
        shards[number] = marked
        continue
      }
      var shard = Shard()
      try HostFile.forEachLine(of: folder.shard(number)) { if !$0.isEmpty { shard.items += 1 } }
      let records = try ShardRecords(of: folder, logs: logs, retries: retries)
      shard.records = records.stored.count
      for code in records.stored.values.compactMap(\.code) { shard.errors[code, default: 0] += 1 }
      shard.openAttempts = records.openAttempts
      if let pace = records.pace { (shard.paceRecords, shard.paceSeconds) = (pace.records, pace.seconds) }
      shard.isLocked = try ShardClaims.isLocked(number, of: folder)
      shards[number] = shard
    }
  }

  /// The number of items.
  var items: Int { shards.values.reduce(0) { $0 + $1.items } }

  /// The number of items with a record.
  var done: Int { shards.values.reduce(0) { $0 + $1.records } }

  /// The number of errors by code, sorted.
  var errors: [(code: String, count: Int)] {
    var errors: [String: Int] = [:]
    for shard in shards.values { errors.merge(shard.errors, uniquingKeysWith: +) }
    return errors.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var errorCount: Int { errors.reduce(0) { $0 + $1.count } }

  /// The attempts that did not end on their own, beside those that are alive.
  private var lost: Int { shards.values.reduce(0) { $0 + max(0, $1.openAttempts - ($1.isLocked ? 1 : 0)) } }

  /// Marks a shard as done, if it is.
  func mark(_ number: Int, _ folder: RunFolder) throws {
    guard let shard = shards[number], shard.isDone else { return }
    unlink(folder.marker(number))
    let errors = Record(shard.errors.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    try folder.mark(
      number,
      [
        "items": .integer(shard.items), "errors": .record(errors), "lost": .integer(shard.openAttempts),
        "logs": .record(try sizes(number, folder)), "retries": .integer(retryCount),
      ])
  }

  /// Returns the state in a shard's marker; nil if the logs are not those that it was made for.
  private func marked(_ number: Int, _ folder: RunFolder) -> Shard? {
    guard let value = try? JSONReader.read(try HostFile.read(folder.marker(number))),
      let items = value["items"].integer,
      value["retries"].integer == retryCount, let sizes = try? sizes(number, folder), value["logs"].record == sizes
    else { return nil }
    let errors = value["errors"].record?.fields.compactMap { field in field.value.integer.map { (field.name, $0) } }
    return Shard(
      items: items, records: items, errors: Dictionary(errors ?? []) { first, _ in first },
      openAttempts: value["lost"].integer ?? 0)
  }

  /// Returns the sizes of a shard's logs by name.
  private func sizes(_ number: Int, _ folder: RunFolder) throws -> Record {
    let fields = try (logs[number] ?? []).map { name in
      guard let bytes = HostFile.size(folder.log(name)) else {
        throw HostFileError.cannot(.read, folder.log(name), code: ENOENT)
      }
      return Record.Field(name, .integer(bytes))
    }
    return Record(fields)
  }

  private var runningShards: Int { shards.values.count { !$0.isDone && $0.isLocked } }

  private var itemsPerSecond: Double? {
    let rate = shards.values.filter { $0.isLocked && $0.paceSeconds > 0 }
      .reduce(0.0) { $0 + Double($1.paceRecords) / $1.paceSeconds }
    return rate > 0 ? rate : nil
  }

  private var secondsLeft: Double? { itemsPerSecond.map { Double(items - done) / $0 } }

  /// The summary as `batch status` prints it.
  ///
  /// - Parameters:
  ///   - engine: The state of the run's jobs; nil if there are none.
  ///   - gathering: The results that the follow-up job writes; nil for none.
  func value(
    _ plan: RunPlan, _ folder: RunFolder, _ engine: EngineState? = nil, _ gathering: GatherState? = nil
  ) -> Value {
    let doneShards = shards.values.count(where: \.isDone)
    return [
      "run": .text(plan.id), "state": .text(state(folder).rawValue), "items": .integer(items), "done": .integer(done),
      "errors": .record(Record(errors.map { .init($0.code, .integer($0.count)) })),
      "lost": .integer(lost),
      "shards": [
        "waiting": .integer(shards.count - doneShards - runningShards), "running": .integer(runningShards),
        "done": .integer(doneShards),
      ],
      "itemsPerSecond": .optional(itemsPerSecond), "secondsLeft": .optional(secondsLeft),
      "prediction": plan.prediction?.value ?? .null, "gather": gathering?.value ?? .null,
      "engine": engine?.value ?? .null,
    ]
  }

  enum State: String {
    case planned, running, stopped, canceled, done
  }

  func state(_ folder: RunFolder) -> State {
    if shards.values.allSatisfy(\.isDone) { return .done }
    if runningShards > 0 { return .running }
    if folder.isCanceled { return .canceled }
    return logs.values.allSatisfy { $0.allSatisfy(RunFolder.isPlanLog) } ? .planned : .stopped
  }

  /// The summary as a line, such as `running: 120 of 1000 items, 3 in error, 0:05:52 left`.
  func line(_ folder: RunFolder) -> String {
    var parts = ["\(state(folder).rawValue): \(done) of \(items) items"]
    if errorCount > 0 { parts.append("\(errorCount) in error") }
    if let secondsLeft {
      let seconds = Int(min(secondsLeft, 1e9))
      let clock = [seconds / 60 % 60, seconds % 60].map { ($0 < 10 ? ":0" : ":") + String($0) }.joined()
      parts.append("\(seconds / 3600)\(clock) left")
    }
    return parts.joined(separator: ", ")
  }
}
