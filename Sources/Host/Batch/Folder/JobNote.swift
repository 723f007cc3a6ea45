import Glibc
import PluginAPI

/// The note of a job that was submitted to a batch system: `jobs/<n>.json`.
///
/// The note is written before the job is submitted and again with the job's identifier. The job has the number of its
/// note as its comment, so that it is found even if its submission was killed in between.
struct JobNote: Sendable, Equatable {
  /// The number, counted from 1.
  var number = 0
  var executor: BatchExecutor
  /// The shards of the array's tasks, in order; none for a follow-up job.
  var shards: [Int]
  /// The number of times that missing shards were submitted, counted from 1.
  var round: Int
  var options: JobOptions
  /// The identifier assigned by the batch system; nil before the submission.
  var job: String?

  init(executor: BatchExecutor, shards: [Int], round: Int, options: JobOptions) {
    (self.executor, self.shards, self.round, self.options) = (executor, shards, round, options)
  }

  /// Reads a note.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run`.
  init(_ number: Int, in folder: RunFolder) throws {
    let path = Self.path(number, folder)
    guard let value = try? JSONReader.read(try HostFile.read(path)),
      let executor = value["executor"].text.flatMap(BatchExecutor.init), let round = value["round"].integer,
      let shards = value["shards"].list?.compactMap(\.integer)
    else { throw BatchError.brokenRun("'\(path)' is not a note of a job", advice: "remove the file") }
    self.init(executor: executor, shards: shards, round: round, options: JobOptions(value["options"]))
    (self.number, job) = (number, value["job"].text)
  }

  /// Returns all notes of a run, oldest first.
  static func all(of folder: RunFolder) throws -> [JobNote] {
    try numbers(in: folder).map { try JobNote($0, in: folder) }
  }

  private static func numbers(in folder: RunFolder) -> [Int] {
    HostFile.names(in: folder.jobs).compactMap { name in
      name.hasSuffix(".json") ? Int(name.dropLast(".json".count)) : nil
    }.sorted()
  }

  private static func path(_ number: Int, _ folder: RunFolder) -> String { folder.jobs + "/\(number).json" }

  private var bytes: [UInt8] {
    JSONWriter.bytes(of: [
      "executor": .text(executor.rawValue), "shards": .list(shards.map(Value.integer)), "round": .integer(round),
      "options": options.value, "job": .optional(job),
    ])
  }

  /// Writes a new note under the next number; processes that do so at the same time get different numbers.
  mutating func add(to folder: RunFolder) throws {
    let draft = folder.jobs + "/" + RunFolder.uniqueName() + ".new"
    try HostFile.write(bytes, to: draft, makesFolder: true)
    defer { unlink(draft) }
    number = (Self.numbers(in: folder).last ?? 0) + 1
    while link(draft, Self.path(number, folder)) != 0 {
      guard errno == EEXIST else { throw HostFileError.cannot(.write, Self.path(number, folder), code: errno) }
      number += 1
    }
    HostFile.synchronize(folder: folder.jobs)
  }

  /// Notes the identifier of the job.
  mutating func accept(_ job: String, in folder: RunFolder) throws {
    self.job = job
    try HostFile.write(bytes, to: Self.path(number, folder))
  }
}
