import PluginAPI
import Synchronization

/// Writes a command's output to standard output, in the requested format.
///
/// Long results are rendered, encoded and written off the loop.
final class ResultPrinter: CommandOutput {
  /// A function that renders a value of a type as text; it returns nil for an unknown type.
  typealias Renderer = @Sendable (String, Value, TextRequest) async throws -> StyledText?

  private struct State {
    var count = 0
    /// True once the JSON list of a stream has an element.
    var hasElements = false
    var held: [Value] = []
    /// The pictures of a stream that go into one file.
    var frames: [Picture] = []
    /// The widths of the columns in the text of a streamed table so far.
    var columnWidths: [String: Int] = [:]
    var rows: DelimitedWriter
  }

  private let options: GlobalOptions
  private let output: CommandDescription.Output
  private let streams: StandardStreams
  private let messages: MessagePrinter
  private let renderer: Renderer
  private let pictures: PictureResult
  private let trace: TraceFile?
  private let takesMoreAfterCancel: Bool
  /// The writer of an Arrow stream; nil for other forms.
  private let arrow: ArrowOutput?
  private let state: Mutex<State>

  /// Creates a printer.
  ///
  /// - Parameter takesMoreAfterCancel: True if a canceled command may still report what it did.
  init(
    _ output: CommandDescription.Output, options: GlobalOptions, streams: StandardStreams, pictures: PictureResult,
    trace: TraceFile?, takesMoreAfterCancel: Bool = false, renderer: @escaping Renderer
  ) {
    self.options = options
    self.output = output
    self.streams = streams
    self.renderer = renderer
    self.pictures = pictures
    self.trace = trace
    self.takesMoreAfterCancel = takesMoreAfterCancel
    messages = MessagePrinter(streams: streams, options: options)
    arrow = options.format == .arrow ? ArrowOutput(output, to: streams.output) : nil
    let separator: DelimitedWriter.Separator = options.format == .tsv ? .tab : .comma
    state = Mutex(State(rows: DelimitedWriter(separator)))
  }

  /// Refuses a form that no result of the command can have, before the command runs.
  func prepare() throws {
    if arrow == nil { return }
    if refusesBinary { throw OutputError.binaryOnTerminal }
    switch output.schema {
    case .picture: throw Self.noRows("picture")
    case .text: throw Self.noRows("text")
    default: break
    }
  }

  func emit(_ value: Value) async throws {
    if !takesMoreAfterCancel { try Task.checkCancellation() }
    messages.clearProgress()
    trace?.add("value", ["size": .integer(Self.size(of: value))])
    if output.isStream, isEncoded, let picture = value.picture {
      state.withLock { $0.frames.append(picture) }
      return
    }
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    switch options.format {
    case .text: try await write(text: value, number: number)
    case .json: try write(json: value, number: number)
    case .jsonLines: try write(jsonLines: value, number: number)
    case .csv, .tsv: try write(rows: value)
    case .arrow: try write(arrow: value)
    }
    if output.isStream, options.format != .json, arrow == nil { try streams.output.flush() }
  }

  func report(_ progress: Progress) {
    trace?.add("progress", progress.value.record ?? [:])
    messages.show(progress)
  }

  func warn(_ diagnostic: Diagnostic) {
    trace?.add("diagnostic", diagnostic.value.record ?? [:])
    messages.write(diagnostic)
  }

  func request(_ request: CommandRequest) async throws -> Value {
    switch request {
    case .prompt(let prompt): return .optional(try await answer(prompt))
    case .inputLine: return .optional(try await InputLines.line(isShown: true, nil))
    case .key: return .bool(streams.inputIsTerminal && !options.noInput ? try await InputLines.key() : false)
    @unknown default: return .null
    }
  }

  private func answer(_ request: PromptRequest) async throws -> String? {
    streams.progress.hold(on: streams)
    defer { streams.progress.release() }
    guard streams.inputIsTerminal, !options.noInput else { return nil }
    try streams.error.write(request.title + (request.title.hasSuffix("?") ? " " : ": "))
    try streams.error.flush()
    return try await InputLines.line(isShown: !request.isSecret, streams.error)
  }

  /// Ends the result: closes a JSON document, and writes buffered output.
  ///
  /// - Parameter failed: True if the command threw; the values emitted before are still written, if there are any.
  func finish(failed: Bool) async throws {
    messages.clearProgress()
    if !failed { try writeAnimation() }
    try arrow?.finish(failed: failed)
    guard options.format == .json else { return }
    let (count, held) = state.withLock { state in
      // Nothing is written again after a failed write; large values are freed here, not by the owner of the printer.
      defer { (state.count, state.held) = (0, []) }
      return (state.count, state.held)
    }
    if output.isStream {
      if count > 0 || !failed { try streams.output.write(count == 0 ? "[]\n" : "]\n") }
    } else if count > 0 || !failed {
      let value: Value = held.count == 1 ? held[0] : held.isEmpty ? .null : .list(held)
      try streams.output.write(JSONWriter.bytes(of: value) + [0x0A])
    }
  }

  /// Writes the pictures of a stream as one animated picture, if there are any.
  private func writeAnimation() throws {
    let frames = state.withLock { $0.frames }
    guard let first = frames.first else { return }
    guard let file = pictureFile else { return try write(raw: try pictures.animate(frames)) }
    let record = try pictures.record(animating: frames, to: file)
    switch options.format {
    case .json:
      let isFirst = state.withLock { state in
        state.count += 1
        return state.count == 1
      }
      try streams.output.write([UInt8(ascii: isFirst ? "[" : ",")] + JSONWriter.bytes(of: .record(record)))
    case .jsonLines: try streams.output.write(JSONWriter.bytes(of: .record(record)) + [0x0A])
    default:
      let sentence = "wrote '\(file)', \(frames.count) pictures of \(first.width)×\(first.height) pixels"
      messages.write(Diagnostic(.note, code: "host.picture-written", sentence))
    }
  }

  /// The file for pictures; nil if they go to standard output.
  private var pictureFile: String? { options.outputFile == "-" ? nil : options.outputFile }

  /// A Boolean value indicating whether a picture is written as PNG rather than painted with characters.
  private var isEncoded: Bool { pictureFile != nil || options.outputFile != nil && !options.format.isJSON }

  /// Writes a file to standard output as ``write(raw:)`` does, without holding up the loop.
  func write(file path: String) async throws { try write(raw: HostFile.read(path, limit: 1 << 30)) }

  /// Writes bytes to standard output as they are; to a terminal only text, unless the user insists.
  func write(raw bytes: [UInt8]) throws(OutputError) {
    if refusesBinary, !Self.isText(bytes) { throw .binaryOnTerminal }
    try streams.output.write(bytes)
  }

  /// A Boolean value indicating whether results that are not text are refused.
  private var refusesBinary: Bool { streams.output.isTerminal && !options.assumeYes }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\r" || StyledTextWriter.isHarmless($0) }
  }

  private func write(_ picture: Picture, number: Int) throws {
    if let pictureFile {
      let record = try pictures.record(picture, to: pictureFile, number: number)
      let sentence = "wrote '\(record["file"]?.text ?? "")', \(picture.width)×\(picture.height) pixels"
      messages.write(Diagnostic(.note, code: "host.picture-written", sentence))
    } else if isEncoded {
      try write(raw: try pictures.encode(picture))
    } else {
      try streams.output.write(try pictures.paint(picture, options, streams))
    }
  }

  private func write(text value: Value, number: Int) async throws {
    if let picture = value.picture { return try write(picture, number: number) }
    if options.outputFile != nil, case .bytes(let data) = value.content { return try write(raw: data) }
    if value.isNull { return }
    let request = streams.textRequest(options)
    var text: StyledText?
    if let name = value.typeName ?? output.typeName { text = try await renderer(name, value, request) }
    let bytes = StyledTextWriter.bytes(
      of: text ?? genericText(of: value, request),
      colorDepth: request.colorDepth, background: streams.background(options.background, on: streams.output),
      theme: options.theme, linkedWidth: streams.marksLinks(options) ? request.width : nil)
    try streams.output.write(bytes)
  }

  /// Returns the text of a value without a renderer; a part of a streamed table continues the text of earlier parts.
  private func genericText(of value: Value, _ request: TextRequest) -> StyledText {
    guard output.isListInParts, let table = GenericText.table(of: value, output.schema) else {
      return GenericText(request: request).render(value, schema: output.schema)
    }
    let layout = TextTable(table, after: state.withLock { $0.columnWidths })
    state.withLock { $0.columnWidths = layout.widths }
    return layout.render(width: request.width, indentation: 0, isPlain: request.isPlain)
  }

  private func write(json value: Value, number: Int) throws {
    let value = try replacingPicture(value, number: number)
    if output.isStream {
      let elements = output.isListInParts ? value.elements : [value]
      if number == 1 { try streams.output.write([UInt8(ascii: "[")]) }
      for element in elements {
        let isFirst = state.withLock { state in
          defer { state.hasElements = true }
          return !state.hasElements
        }
        try streams.output.write((isFirst ? [] : [UInt8(ascii: ",")]) + JSONWriter.bytes(of: element))
      }
    } else {
      state.withLock { $0.held.append(value) }
    }
  }

  private func write(jsonLines value: Value, number: Int) throws {
    switch value.content {
    case .list(let values):
      for element in values { try streams.output.write(JSONWriter.bytes(of: element) + [0x0A]) }
    case .table(let table):
      for row in 0..<table.rowCount {
        try streams.output.write(JSONWriter.bytes(of: .record(table.row(row))) + [0x0A])
      }
    default:
      try streams.output.write(JSONWriter.bytes(of: try replacingPicture(value, number: number)) + [0x0A])
    }
  }

  private func write(rows value: Value) throws {
    if value.picture != nil { throw Self.noRows("picture") }
    let bytes = state.withLock { state in
      state.rows.write(value, schema: output.schema)
      return state.rows.take()
    }
    try streams.output.write(bytes)
  }

  private func write(arrow value: Value) throws {
    if refusesBinary { throw OutputError.binaryOnTerminal }
    if value.picture != nil { throw Self.noRows("picture") }
    if value.text != nil { throw Self.noRows("text") }
    try arrow?.add(value)
  }

  private static func noRows(_ name: String) -> ErrorReport {
    ErrorReport(
      code: "host.no-rows", kind: .usage, "a \(name) has no rows",
      advice: name == "picture" ? "use '--json', or '--output FILE.png'" : "use '--json', or leave out '--arrow'")
  }

  private func replacingPicture(_ value: Value, number: Int) throws -> Value {
    guard let picture = value.picture else { return value }
    return .record(try pictures.record(picture, to: pictureFile, number: number))
  }

  private static func size(of value: Value) -> Int {
    switch value.content {
    case .list(let values): values.count
    case .table(let table): table.rowCount
    default: 1
    }
  }
}
