import PluginAPI

/// The results that a follow-up job is to write, and its outcome.
///
/// The job notes the outcome in `jobs/<n>.gathered.json`, or its submission does, if it is refused. Without a note the
/// job did not gather yet, or was lost.
struct GatherState: Sendable, Equatable {
  enum Outcome: Sendable, Equatable {
    case waiting, done
    case failed(String)
  }

  /// The absolute path of the file.
  var file: String
  var outcome = Outcome.waiting

  /// The shape of a state.
  static let schema: ValueSchema = .record([
    .init("file", .text), .init("outcome", .text, "waiting, done or failed"), .init("error", .optional(.text)),
  ])

  /// Reads the state of a run's last follow-up job; nil if it does not gather.
  init?(of folder: RunFolder) throws {
    guard let job = try JobNote.all(of: folder).last(where: \.shards.isEmpty), let file = job.options.gather else {
      return nil
    }
    self.file = file
    guard let note = try? JSONReader.read(try HostFile.read(folder.gatherNote(job.number))) else { return }
    outcome = note["error"].text.map { .failed($0) } ?? .done
  }

  /// Notes the outcome of a follow-up job.
  ///
  /// - Parameter error: The reason why it failed; nil if it wrote the results.
  static func note(_ error: ErrorReport?, ofJob number: Int, in folder: RunFolder) throws {
    let note: Value = ["error": .optional(error?.message)]
    try HostFile.write(JSONWriter.bytes(of: note), to: folder.gatherNote(number), makesFolder: true)
  }

  /// Refuses results that were not written, once no job is left to write them.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.gather-failed`.
  func requireDone(_ folder: RunFolder) throws(ErrorReport) {
    let advice = "repeat the command, or use 'workbench batch gather \(folder.name)'"
    switch outcome {
    case .done: return
    case .waiting:
      throw BatchError.gatherFailed("the follow-up job ended without writing '\(file)'", advice: advice)
    case .failed(let message):
      throw BatchError.gatherFailed("the follow-up job did not write '\(file)': \(message)", advice: advice)
    }
  }

  /// The state as `batch status` prints it.
  var value: Value {
    switch outcome {
    case .waiting: ["file": .text(file), "outcome": "waiting", "error": .null]
    case .done: ["file": .text(file), "outcome": "done", "error": .null]
    case .failed(let message): ["file": .text(file), "outcome": "failed", "error": .text(message)]
    }
  }
}
