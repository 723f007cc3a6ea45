import Glibc
import PluginAPI

/// Plans a run: lists its items, divides them among shards and writes the plan.
struct RunPlanner: Sendable {
  /// The choices of the user.
  struct Choices: Sendable {
    var limits: RunPlan.Limits
    /// The number of shards; nil for 16 for each worker.
    var shardCount: Int?
    var workerCount: Int
    /// The field with the cost of an item; nil for the size of its input.
    var costField: String?
    /// A Boolean value indicating whether the checksums of inputs are computed now.
    var hashesInputs = false
  }

  /// Shards for each worker of one machine: enough that all workers end at about the same time.
  static let shardsPerWorker = 16
  /// The most shards of a run, each of which has files of its own.
  static let mostShards = 100_000

  let folder: RunFolder
  let command: [String]
  let choices: Choices
  let versions: RunVersions

  /// Plans the run, while no other process does; one that exists with the same command, items and limits stays.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.other-plan` if the folder has another run, `batch.not-a-run` if it
  ///   has other files.
  func plan(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    // Planning a million items takes a minute.
    try HostFile.whileAlone(with: folder.plan, patienceInSeconds: 600) {
      if access(folder.plan, F_OK) == 0 { return try existing(source, progress) }
      if let other = HostFile.names(in: folder.path).first(where: { !Self.isLeftover($0) }) {
        throw BatchError.notARun(
          "'\(folder.name)' has other files, such as '\(other)'", advice: "name a new folder for the run")
      }
      return try make(source, progress)
    }
  }

  private static let spoolName = "items.new"

  /// Returns true for the name of an entry that a killed process may leave that planned a run in the folder.
  private static func isLeftover(_ name: String) -> Bool {
    ["shards", "attempts", "done", spoolName].contains(name) || name.hasPrefix("run.json.")
  }

  private func existing(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    let plan = try RunPlan(reading: folder)
    guard plan.command == command else {
      throw BatchError.otherPlan(
        "'\(folder.name)' is a run of '\(plan.command.joined(separator: " "))'",
        advice: "resume it without a command, or name a new folder")
    }
    guard plan.limits == choices.limits else {
      throw BatchError.otherPlan(
        "'\(folder.name)' was planned with other limits or permissions",
        advice: "resume it without a list of items, or name a new folder")
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

  private func make(_ source: ItemSource, _ progress: any WorkProgress) throws -> RunPlan {
    let spool = folder.path + "/" + Self.spoolName
    defer { unlink(spool) }
    var digest = ListDigest()
    var costs: [Int] = []
    var fields: [String] = []
    let writer = try BufferedFile(spool)
    defer { writer.close() }
    var template: CommandTemplate?
    try source.forEach(begin: { names in
      fields = names
      template = try CommandTemplate(command, fields: names)
      if let name = choices.costField, !names.contains(name) {
        throw BatchError.unknownField("the items have no field '\(name)' for '--cost'")
      }
    }) { item in
      try progress.checkCancellation()
      try digest.add(item)
      var item = item
      item.input = try input(of: item, template)
      costs.append(try cost(of: item))
      try writer.write(JSONWriter.bytes(of: item.value) + [UInt8(ascii: "\n")])
      if costs.count % 10_000 == 0 { progress.report(Progress("planning, \(costs.count) items")) }
    }
    try writer.flush()
    guard !costs.isEmpty else { throw BatchError.noItems("the list of items is empty") }
    let wanted = choices.shardCount ?? Self.shardsPerWorker * choices.workerCount
    let shardCount = max(1, min(wanted, costs.count, Self.mostShards))
    try writeShards(spool, ShardPlanner.shards(ofCosts: costs, count: shardCount), shardCount, progress)
    let plan = RunPlan(
      id: RunFolder.uniqueName(), command: command, folder: FilePath.absolute("."), itemCount: costs.count,
      shardCount: shardCount, listDigest: try digest.value, fields: fields, limits: choices.limits,
      version: versions.program, plugin: versions.plugin)
    for name in [folder.attempts, folder.done] { try HostFile.makeFolder(name) }
    // Last: only a folder with a plan is a run.
    try HostFile.write(JSONWriter.bytes(of: plan.value, indentation: 2) + [UInt8(ascii: "\n")], to: folder.plan)
    return plan
  }

  /// Returns the first regular file that a placeholder of the command names.
  private func input(of item: BatchItem, _ template: CommandTemplate?) throws -> BatchItem.Input? {
    for path in template?.values(for: item) ?? [] {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      var input = BatchItem.Input(path: path, bytes: Int(status.st_size))
      if choices.hashesInputs { input.sha256 = try ContentHash.required(try HostFile.read(path, limit: 1 << 40)) }
      return input
    }
    return nil
  }

  private func cost(of item: BatchItem) throws -> Int {
    guard let field = choices.costField else { return (item.input?.bytes ?? 0) + ShardPlanner.itemCost }
    guard let number = item.fields[field]?.text.flatMap(Double.init), number.isFinite, number >= 0 else {
      throw BatchError.badItems("'\(field)' of item \(item.number) is not a cost: a number, 0 or more")
    }
    return Int(min(number * 1000, 1e12)) + 1
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

/// The checksum of a list of items: that of the previous checksum and the next lines, again and again.
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

  /// Writes what is still held.
  func flush() throws(HostFileError) {
    let failure = HostFile.writeAll(pending, to: descriptor)
    pending.removeAll(keepingCapacity: true)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
  }

  /// Closes the file; called once.
  func close() { Glibc.close(descriptor) }
}
