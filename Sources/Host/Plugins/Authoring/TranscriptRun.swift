import Glibc
import PluginAPI
import Synchronization

/// A replay of a transcript's conversation with the program.
final class TranscriptRun: ProgramProcess.Reader {
  /// The outcome of a conversation.
  struct Outcome: Sendable, Equatable {
    /// The first difference from the transcript, with its line; nil if there is none.
    var difference: String?
    /// The conversation as it was held.
    var recorded: ProgramTranscript
  }

  private let transcript: ProgramTranscript
  private let folder: String
  private let isRecording: Bool
  private let settings: [String: Value]
  private let process: ProgramProcess
  private let queue = WorkQueue("workbench.transcript")
  private var splitter = LineSplitter(limit: ProgramLimits().lineBytes)
  private var next = 0
  /// A Boolean value indicating whether the program answered `hello`.
  private var isGreeted = false
  /// A Boolean value indicating whether the program was asked to end, after the last message.
  private var isDone = false
  /// The id of the request that the program has not answered; nil if there is none.
  private var open: Value?
  private var recorded: [ProgramTranscript.Message] = []
  /// The size of the recorded messages in bytes.
  private var recordedBytes = 0
  /// The first difference from the transcript, after which the program is killed.
  private var difference: String?
  private var lastError: [UInt8] = []

  /// Starts the program.
  private init(
    _ transcript: ProgramTranscript, _ source: ProgramService.Source, isRecording: Bool
  ) throws {
    self.transcript = transcript
    self.isRecording = isRecording
    folder = FilePath.folder(of: source.path)
    settings = source.contributions.settings.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
    let launch = try source.launch()
    do throws(ProgramProcess.SystemError) {
      process = try ProgramProcess(launch)
    } catch {
      throw ProgramError.notStarted(plugin: source.id, program: launch.program, reason: error.message)
    }
  }

  /// Replays a conversation; blocks the thread until the program ended.
  ///
  /// - Parameters:
  ///   - source: The program, which is started for this conversation.
  ///   - isRecording: True to record the answers of the program to the requests of the transcript.
  ///   - scratch: A folder for the data, state and cache of the plugin.
  ///   - seconds: The time limit of the conversation.
  static func hold(
    _ transcript: ProgramTranscript, with source: ProgramService.Source, isRecording: Bool = false, scratch: String,
    seconds: Double = 60
  ) throws -> Outcome {
    let run = try TranscriptRun(transcript, source, isRecording: isRecording)
    let isLate = Atomic(false)
    let timer = WorkSource(.timer(afterSeconds: seconds, everySeconds: nil), on: run.queue)
    let process = run.process
    timer.start {
      isLate.store(true, ordering: .releasing)
      process.kill()
    }
    defer { timer.cancel() }
    run.greet(source, scratch)
    let end = run.process.follow(run)
    run.judge(end, isLate: isLate.load(ordering: .acquiring), seconds)
    return Outcome(difference: run.difference, recorded: ProgramTranscript(run.recorded))
  }

  private func greet(_ source: ProgramService.Source, _ scratch: String) {
    let folders = PluginFolders(
      resources: folder + "/resources", data: scratch + "/data", state: scratch + "/state", cache: scratch + "/cache")
    write(["id": 1, "method": "hello", "params": ProgramSession.hello(source.id, isOffline: true, folders)])
  }

  private func write(_ message: Value) {
    let document = Record([Record.Field("jsonrpc", "2.0")] + (message.record?.fields ?? []))
    process.write(JSONWriter.bytes(of: .record(document)) + [0x0A])
  }

  /// Ends the conversation at the first difference: a program that writes without end would fill the memory.
  private func fail(_ difference: String) {
    self.difference = difference
    process.kill()
  }

  // MARK: Output of the program

  var takesOutput: Bool { true }

  func receive(_ output: [UInt8]) {
    // The pipe of a killed program may hold more.
    if difference != nil { return }
    guard let lines = splitter.add(output) else { return fail("it wrote a line that is too long") }
    for line in lines where difference == nil { take(line) }
  }

  func log(_ errors: [UInt8]) { lastError = Array((lastError + errors).suffix(4096)) }

  func outputEnded() {}

  private func take(_ line: [UInt8]) {
    do throws(RPCMessage.Problem) {
      _ = try RPCMessage(line: line)
    } catch {
      return fail(error.message)
    }
    guard let document = try? JSONReader.read(line, deepest: WireValue.deepest), let record = document.record else {
      return
    }
    let message = ProgramTranscript.marked(
      .record(Record(record.fields.filter { $0.name != "jsonrpc" })), folder: folder)
    if !isGreeted {
      isGreeted = true
      guard message["id"] == 1, message["result"]["protocol"].integer == ProgramManifest.protocolVersion else {
        return fail("it answers 'hello' with " + JSONWriter.text(of: message))
      }
    } else if message["method"] != "progress" {
      if isRecording { add(message) } else { compare(message) }
    }
    if difference == nil { proceed() }
  }

  // MARK: Replaying

  private func compare(_ message: Value) {
    guard next < transcript.steps.count, case .receive(let expected) = transcript.steps[next].message else {
      return fail("it wrote one message too many: " + Self.text(message))
    }
    let line = transcript.steps[next].line
    next += 1
    if Self.text(message) != Self.text(expected) {
      fail("line \(line): expected \(Self.text(expected)), received \(Self.text(message))")
    }
  }

  /// Sends the messages up to the next one that the program must write, or ends the program.
  private func proceed() {
    while open == nil || !isRecording, next < transcript.steps.count {
      guard case .send(let message) = transcript.steps[next].message else {
        if !isRecording { return }
        next += 1
        continue
      }
      next += 1
      if isRecording {
        // Answers are recorded where the program asks.
        if message["method"].isNull { continue }
        record(.send(message))
        if !message["id"].isNull { open = message["id"] }
      }
      write(ProgramTranscript.placed(message, in: folder))
    }
    guard next == transcript.steps.count, open == nil, !isDone else { return }
    isDone = true
    process.closeInput()
    // As the host does with a program that stays.
    queue.async(afterSeconds: Self.endingSeconds) { [process] in process.kill() }
  }

  private static let endingSeconds = 2.0

  /// Returns a message with its fields sorted by name, as their order has no meaning.
  private static func text(_ message: Value) -> String { JSONWriter.text(of: sorted(message)) }

  private static func sorted(_ value: Value) -> Value {
    switch value.content {
    case .record(let record):
      .record(
        Record(
          record.fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { Record.Field($0.name, sorted($0.value)) }))
    case .list(let values): .list(values.map(sorted))
    default: value
    }
  }

  // MARK: Recording

  private func record(_ message: ProgramTranscript.Message) {
    recordedBytes += ProgramTranscript.bytes(of: message).count
    if recordedBytes > ProgramTranscript.largest {
      return fail("the transcript is larger than \(ProgramTranscript.largest >> 20) MiB")
    }
    recorded.append(message)
  }

  private func add(_ message: Value) {
    record(.receive(message))
    if difference != nil { return }
    if message["method"].isNull {
      if message["id"] == open { open = nil }
    } else if !message["id"].isNull {
      let response = response(to: message)
      record(.send(response))
      write(ProgramTranscript.placed(response, in: folder))
    }
  }

  /// Returns the answer to a request of the program: that of the transcript, or that of a host with the plugin alone.
  private func response(to message: Value) -> Value {
    for step in transcript.steps {
      if case .send(let response) = step.message, response["method"].isNull, response["id"] == message["id"] {
        return response
      }
    }
    let parameters = message["params"]
    switch message["method"].text {
    case "setting" where parameters["value"].isNull:
      return ["id": message["id"], "result": WireValue.json(settings[parameters["name"].text ?? ""] ?? .null)]
    case "setting", "notify", "subscribe", "ask": return ["id": message["id"], "result": nil]
    default:
      let failure = RPCFailure(code: RPCFailure.unknownMethod, "transcripts have no answer to this request")
      return ["id": message["id"], "error": failure.json]
    }
  }

  // MARK: The end

  private func judge(_ end: ProgramProcess.End, isLate: Bool, _ seconds: Double) {
    if isDone || difference != nil { return }
    if isLate {
      difference = "it did not respond within \(GenericText.inline(.number(seconds))) s"
    } else {
      let line = next < transcript.steps.count ? " before line \(transcript.steps[next].line)" : ""
      difference = "it ended\(line) with \(end.text)" + lastLine
    }
  }

  /// The last line that the program wrote to standard error, after a colon.
  private var lastLine: String {
    let lines = String(decoding: lastError, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map { ": " + StyledTextWriter.harmless(String($0)) } ?? ""
  }
}
