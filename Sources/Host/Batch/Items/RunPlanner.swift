import Glibc
import PluginAPI

/// Plans a run: lists its items, divides them among shards and writes the plan.
struct RunPlanner: Sendable {
  /// The choices of the user.
  struct Choices: Sendable {
    var limits: RunPlan.Limits
    var seed = 0
    var options = RunPlan.Options()
    /// The number of shards; nil for as many as the workers need.
    var shardCount: Int?
    var workers: ShardPlanner.Workers
    /// A Boolean value indicating whether even a short run is predicted.
    var isPredictionWanted = false
  }

  let folder: RunFolder
  let command: [String]
  let choices: Choices
  let versions: RunVersions
  /// The facts about the child that runs items of the probe.
  let launch: ChildProcess.Launch
  /// The folder with backups of stores for the run; nil for none.
  let stores: String?

  /// Plans the run, while no other process does; one that exists with the same command and items stays.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.other-plan` if the folder has another run, `batch.not-a-run` if it
  ///   has other files.
  func plan(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    // Planning a million items takes a minute.
    try HostFile.whileAlone(with: folder.plan, patienceInSeconds: 600) {
      if access(folder.plan, F_OK) == 0 {
        try folder.removeDrafts()
        return try existing(source, progress)
      }
      let names = HostFile.names(in: folder.path)
      // Without the list, these are someone else's files.
      let isAbandoned = names.contains(RunFolder.listName)
      if let other = names.first(where: { !isAbandoned || !Self.isLeftover($0) }) {
        throw BatchError.notARun(
          "'\(folder.name)' has other files, such as '\(other)'", advice: "name a new folder for the run")
      }
      return try make(source, progress)
    }
  }

  /// Returns true for the name of an entry that a killed process may leave that planned a run in the folder.
  private static func isLeftover(_ name: String) -> Bool {
    ["shards", "stores", "attempts", "done", "files"].contains(name) || RunFolder.isDraft(name)
  }

  private func existing(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    let plan = try RunPlan(reading: folder)
    guard plan.command == command else {
      throw BatchError.otherPlan(
        "'\(folder.name)' is a run of '\(plan.command.joined(separator: " "))'",
        advice: "resume it without a command, or name a new folder")
    }
    var digest = ListDigest()
    try source.forEach(begin: { _ in }) { item in
      try progress.checkCancellation()
      try digest.add(item)
    }
    guard try digest.value == plan.listDigest else {
      throw BatchError.otherPlan(
        "'\(folder.name)' is a run of other items", advice: "resume it without a list of items, or name a new folder")
    }
    return plan
  }

  /// The items of a run, whose lines are in a file.
  private struct Items {
    var fields: [String] = []
    var template: CommandTemplate?
    var costs: [Double] = []
    var digest = ListDigest()
  }

  private func make(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    do {
      // A process that was killed while it planned another run may have left records.
      try removeParts()
      let plan = try made(source, folder.list, progress)
      try folder.removeDrafts()
      return plan
    } catch {
      unlink(folder.plan)
      // If anything is left, the list is kept too, so that the next process continues the removal.
      if (try? removeParts()) != nil { try? folder.removeDrafts() }
      throw error
    }
  }

  /// Removes the files of a plan, except the list and the plan itself.
  private func removeParts() throws {
    for part in [folder.shards, folder.stores, folder.attempts, folder.done, folder.files] {
      try HostFile.remove(part)
    }
  }

  private func made(_ source: ItemSource, _ spool: String, _ progress: any WorkProgress) throws -> RunPlan {
    let items = try listed(source, in: spool, progress)
    let (outcomes, probeSeconds) = try probed(items, in: spool, progress)
    let model = model(of: outcomes, items.costs)
    let loads = items.costs.map { model?.seconds(ofCost: $0) ?? load(ofCost: $0) }
    let shardCount =
      choices.shardCount.map { ShardPlanner.shardCount(given: $0, itemCount: loads.count) }
      ?? ShardPlanner.shardCount(
        seconds: model.map { _ in loads.reduce(0, +) }, itemCount: loads.count, for: choices.workers)
    let shards = ShardPlanner.shards(ofCosts: loads, count: shardCount)
    try writeShards(spool, shards, shardCount, progress)
    let plan = RunPlan(
      id: RunFolder.uniqueName(), command: command, folder: FilePath.absolute("."), itemCount: loads.count,
      shardCount: shardCount, listDigest: try items.digest.value, fields: items.fields, limits: choices.limits,
      seed: choices.seed, options: choices.options,
      stores: try stores.map { try StoreSnapshot.add(from: $0, to: folder) } ?? [],
      prediction: model.map { model in
        RunPrediction(
          model, probed: Set(outcomes.map { $0.item.number - 1 }), probeSeconds: probeSeconds, costs: items.costs,
          shards: shards, shardCount: shardCount, workerCount: choices.workers.count)
      },
      version: versions.program, plugin: versions.plugin, plugins: versions.plugins, settings: versions.settings)
    for name in [folder.attempts, folder.done] { try HostFile.makeFolder(name) }
    for (shard, outcomes) in Dictionary(grouping: outcomes, by: { shards[$0.item.number - 1] }) {
      try AttemptLog.write(outcomes.map(\.line), of: Int(shard), in: folder, run: plan.id)
    }
    // Last: only a folder with a plan is a run.
    try HostFile.write(JSONWriter.bytes(of: plan.value, indentation: 2) + [UInt8(ascii: "\n")], to: folder.plan)
    return plan
  }

  /// Lists the items, whose lines go into a file.
  private func listed(_ source: ItemSource, in spool: String, _ progress: any WorkProgress) throws -> Items {
    var items = Items()
    let writer = try BufferedFile(spool)
    defer { writer.close() }
    try source.forEach(begin: { names in
      items.fields = names
      items.template = try CommandTemplate(command, fields: names, seed: choices.seed)
      if let name = choices.options.costField, !names.contains(name) {
        throw BatchError.unknownField("the items have no field '\(name)' for '--cost'")
      }
    }) { item in
      try progress.checkCancellation()
      try items.digest.add(item)
      var item = item
      item.input = try input(of: item, items.template)
      items.costs.append(try cost(of: item))
      try writer.write(JSONWriter.bytes(of: item.value) + [UInt8(ascii: "\n")])
      if items.costs.count % 10_000 == 0 { progress.report(Progress("planning, \(items.costs.count) items")) }
    }
    try writer.flush()
    guard !items.costs.isEmpty else { throw BatchError.noItems("the list of items is empty") }
    return items
  }

  /// Runs the items of the probe.
  ///
  /// - Returns: Their results, and the time it took.
  private func probed(
    _ items: Items, in spool: String, _ progress: any WorkProgress
  ) throws -> (outcomes: [ItemProbe.Outcome], seconds: Double) {
    let count = ItemProbe.size(
      given: choices.options.probeSize, isWanted: choices.isPredictionWanted, of: items.costs.count)
    guard let template = items.template, count > 0 else { return ([], 0) }
    let start = MonotonicClock.seconds
    let chosen = ItemProbe.choice(of: count, from: items.costs)
    var (lines, index, wanted) = ([Int: [UInt8]](), 0, Set(chosen))
    try HostFile.forEachLine(of: spool) { line in
      if wanted.remove(index) != nil { lines[index] = Array(line) }
      index += 1
    }
    let probe = ItemProbe(launch: launch, limits: choices.limits, template: template, folder: folder)
    let outcomes = try probe.run(
      chosen.compactMap { index in lines[index].flatMap { try? JSONReader.read($0) }.flatMap(BatchItem.init) }, progress
    )
    return (outcomes, MonotonicClock.seconds - start)
  }

  /// Returns the model of a probe; nil if it has too few items.
  ///
  /// The first item of a child also took the time of its start.
  private func model(of outcomes: [ItemProbe.Outcome], _ costs: [Double]) -> CostModel? {
    CostModel(
      fitting: outcomes.filter { !$0.isFirst }.map { outcome in
        CostModel.Sample(
          cost: costs[outcome.item.number - 1], seconds: outcome.seconds, mebibytes: outcome.mebibytes)
      })
  }

  /// Returns the first regular file that a placeholder of the command names.
  private func input(of item: BatchItem, _ template: CommandTemplate?) throws -> BatchItem.Input? {
    for path in template?.values(for: item) ?? [] {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      var input = BatchItem.Input(path: path, bytes: Int(status.st_size))
      if choices.options.hashesInputs {
        input.sha256 = try ContentHash.required(try HostFile.read(path, limit: 1 << 40))
      }
      return input
    }
    return nil
  }

  /// Returns the cost of an item: that of its field, or the size of its input.
  private func cost(of item: BatchItem) throws -> Double {
    guard let field = choices.options.costField else { return Double(item.input?.bytes ?? 0) }
    guard let number = item.fields[field]?.text.flatMap(Double.init), number.isFinite, number >= 0 else {
      throw BatchError.badItems("'\(field)' of item \(item.number) is not a cost: a number, 0 or more")
    }
    return number
  }

  /// Returns the load of an item without a prediction, which is more than 0 for all items.
  private func load(ofCost cost: Double) -> Double {
    choices.options.costField == nil ? cost + ShardPlanner.itemCost : cost + 0.001
  }

  /// Copies the lines of a list into the files of their shards.
  private func writeShards(
    _ spool: String, _ shards: [Int32], _ count: Int, _ progress: any WorkProgress
  ) throws {
    try HostFile.remove(folder.shards)
    try HostFile.makeFolder(folder.shards)
    var pending = [[UInt8]](repeating: [], count: count)
    var held = 0
    func flush() throws {
      for (index, bytes) in pending.enumerated() where !bytes.isEmpty {
        try HostFile.append(bytes, to: folder.shard(index + 1))
        pending[index].removeAll()
      }
      held = 0
    }
    var index = 0
    try HostFile.forEachLine(of: spool) { line in
      try progress.checkCancellation()
      pending[Int(shards[index]) - 1] += line
      pending[Int(shards[index]) - 1].append(UInt8(ascii: "\n"))
      held += line.count + 1
      index += 1
      if held > 1 << 25 { try flush() }
    }
    try flush()
    for shard in 1...count { try HostFile.synchronize(file: folder.shard(shard)) }
    HostFile.synchronize(folder: folder.shards)
  }
}

/// The checksum of a list of items, chained: each step hashes the previous checksum and the next lines.
struct ListDigest {
  private var digest = ""
  private var pending: [UInt8] = []

  mutating func add(_ item: BatchItem) throws {
    pending += JSONWriter.bytes(of: ["id": .text(item.id), "fields": .record(item.fields)]) + [UInt8(ascii: "\n")]
    if pending.count > 1 << 16 { try fold() }
  }

  private mutating func fold() throws {
    digest = try ContentHash.required(Array(digest.utf8) + pending)
    pending.removeAll(keepingCapacity: true)
  }

  /// The checksum of the items so far.
  var value: String {
    get throws {
      var copy = self
      try copy.fold()
      return copy.digest
    }
  }
}

/// A new file that is written in large pieces.
final class BufferedFile {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []

  init(_ path: String) throws(HostFileError) {
    self.path = path
    descriptor = try HostFile.open(path, O_WRONLY | O_CREAT | O_TRUNC)
  }

  func write(_ bytes: [UInt8]) throws(HostFileError) {
    pending += bytes
    if pending.count > 1 << 20 { try flush() }
  }

  /// Writes the remaining text.
  func flush() throws(HostFileError) {
    let failure = HostFile.writeAll(pending, to: descriptor)
    pending.removeAll(keepingCapacity: true)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
  }

  /// Closes the file; called once.
  func close() { Glibc.close(descriptor) }
}
