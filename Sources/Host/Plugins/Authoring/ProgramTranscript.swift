import PluginAPI

/// A recorded conversation with the program of a plugin: messages of the host, and those that the program must write.
///
/// A transcript is a file of JSON Lines. `{"send": MESSAGE}` is a message of the host, `{"receive": MESSAGE}` one of the
/// program, both without `jsonrpc`. The exchange of `hello`, whose id is 1, comes before and is not recorded; progress is
/// left out, as it may depend on the time. `$FOLDER` in a text stands for the plugin's folder.
struct ProgramTranscript: Sendable, Equatable {
  /// A message and its direction.
  enum Message: Sendable, Equatable {
    case send(Value)
    case receive(Value)
  }

  /// A message of the transcript.
  struct Step: Sendable, Equatable {
    var message: Message
    /// The line of the file, counted from 1.
    var line: Int
  }

  /// The folder of transcripts in a plugin's folder.
  static let folderName = "transcripts"
  /// The extension of their files.
  static let fileExtension = ".jsonl"
  /// The largest file in bytes.
  static let largest = 16 << 20
  /// The mark that stands for the plugin's folder.
  private static let folderMark = "$FOLDER"

  var steps: [Step]

  init(_ messages: [Message]) {
    steps = messages.enumerated().map { Step(message: $1, line: $0 + 1) }
  }

  /// Reads a file.
  init(path: String) throws {
    try self.init(HostFile.read(path, limit: Self.largest), path: path)
  }

  /// Reads JSON Lines.
  ///
  /// - Parameter path: The file, for messages.
  init(_ bytes: [UInt8], path: String) throws(ErrorReport) {
    steps = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      func bad(_ reason: String) -> ErrorReport {
        AuthorError.badTranscript(path: path, line: index + 1, reason: reason)
      }
      let document: Value
      do throws(JSONError) {
        document = try JSONReader.read(Array(line), deepest: WireValue.deepest)
      } catch {
        throw bad("\(error.problem) in column \(error.column)")
      }
      guard let fields = document.record?.fields, fields.count == 1, fields[0].value.record != nil else {
        throw bad("it is not an object with 'send' or 'receive'")
      }
      switch fields[0].name {
      case "send": steps.append(Step(message: .send(fields[0].value), line: index + 1))
      case "receive": steps.append(Step(message: .receive(fields[0].value), line: index + 1))
      default: throw bad("it has '\(fields[0].name)' instead of 'send' or 'receive'")
      }
    }
  }

  /// The content of the file.
  var bytes: [UInt8] {
    steps.flatMap { Self.bytes(of: $0.message) }
  }

  /// Returns the line of a message in the file.
  static func bytes(of message: Message) -> [UInt8] {
    let document: Value =
      switch message {
      case .send(let message): ["send": message]
      case .receive(let message): ["receive": message]
      }
    return JSONWriter.bytes(of: document) + [0x0A]
  }

  /// Returns a message with the path of the plugin's folder in place of its mark.
  static func placed(_ message: Value, in folder: String) -> Value { replaced(message, folderMark, by: folder) }

  /// Returns a message with the mark in place of the path of the plugin's folder.
  static func marked(_ message: Value, folder: String) -> Value { replaced(message, folder, by: folderMark) }

  private static func replaced(_ value: Value, _ text: String, by other: String) -> Value {
    switch value.content {
    case .text(let content): .text(BytePattern(text).replaced(by: other, in: content))
    case .list(let values): .list(values.map { replaced($0, text, by: other) })
    case .record(let record):
      .record(Record(record.fields.map { Record.Field($0.name, replaced($0.value, text, by: other)) }))
    default: value
    }
  }

  /// Returns a transcript that calls the examples of a plugin's commands which neither change anything nor use the
  /// network; the answers are missing.
  ///
  /// Files that examples name are those of the plugin's folder, if they are there.
  static func examples(of manifest: ProgramManifest, folder: String) throws -> ProgramTranscript {
    var messages: [Message] = []
    for command in manifest.contributions.commands where command.effects.isSubset(of: [.reads]) {
      let entry = CommandEntry(owner: .plugin(manifest.stamp.id), declaration: command)
      for example in command.examples {
        let commandLine = try ScriptReader.commands(of: example.line, arguments: []).first?.arguments ?? []
        var reader = ArgumentReader(entry: entry, options: GlobalOptions())
        let count = command.name.split(separator: " ").count
        var arguments = try ArgumentCheck.complete(reader.read([], commandLine.dropFirst(count)), for: command)
        for parameter in command.arguments + command.options {
          guard case .inputFile = parameter.kind, let name = arguments[parameter.name]?.text else { continue }
          if HostFile.isDocument(folder + "/" + name) { arguments[parameter.name] = .text("\(folderMark)/\(name)") }
        }
        messages.append(
          .send([
            "id": .integer(messages.count + 2), "method": "call",
            "params": [
              "command": .text(command.name), "arguments": WireValue.json(.record(arguments)),
              "presentation": ["interactive": false, "pictureSize": nil],
            ],
          ]))
      }
    }
    return ProgramTranscript(messages)
  }
}
