import Glibc
import PluginAPI

/// The outputs for results and messages, and the known facts about their readers.
struct StandardStreams: Sendable {
  private(set) var output: ByteSink
  let error: ByteSink
  /// A Boolean value indicating whether a person can be asked.
  let inputIsTerminal: Bool
  let environment: [String: String]
  /// The progress line at the end of standard error while a command works.
  let progress = ProgressLine()
  /// The files to remove when the process ends.
  let temporary = TemporaryFiles()
  /// The statement of the script that runs.
  private(set) var scriptPlace = ScriptPlace()

  /// Creates streams.
  init(output: ByteSink, error: ByteSink, inputIsTerminal: Bool, environment: [String: String]) {
    self.output = output
    self.error = error
    self.inputIsTerminal = inputIsTerminal
    self.environment = environment
  }

  /// Returns the streams of the process.
  static func process(environment: [String: String]) -> StandardStreams {
    StandardStreams(
      output: ByteSink(descriptor: StandardOutput.descriptor), error: ByteSink(descriptor: STDERR_FILENO),
      inputIsTerminal: isatty(STDIN_FILENO) == 1, environment: environment)
  }

  /// Returns streams that record everything, for tests.
  static func memory(environment: [String: String] = [:]) -> StandardStreams {
    StandardStreams(
      output: ByteSink(descriptor: nil), error: ByteSink(descriptor: nil), inputIsTerminal: false,
      environment: environment)
  }

  /// Returns the same streams for one of several tasks: its output is held until ``ByteSink/take()``.
  func holdingOutput() -> StandardStreams {
    var copy = self
    copy.output = ByteSink(descriptor: nil, isTerminal: output.isTerminal)
    copy.scriptPlace = ScriptPlace(isNamedByCrashes: false)
    return copy
  }

  /// The folder for temporary files.
  var temporaryFolder: String { environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp" }

  /// Returns the requested form of text on standard output.
  func textRequest(_ options: GlobalOptions) -> TextRequest {
    TextRequest(
      width: width, colorDepth: options.isPlain ? .none : colorDepth(options.color, on: output),
      isPlain: options.isPlain)
  }

  /// Returns the number of colors that a stream can show.
  func colorDepth(_ choice: GlobalOptions.ColorChoice, on sink: ByteSink) -> ColorDepth {
    ColorDepth.chosen(choice, environment: environment, isTerminal: sink.isTerminal)
  }

  /// Returns the background of a stream's text by the setting or the environment, without querying the terminal.
  func background(_ choice: GlobalOptions.BackgroundChoice, on sink: ByteSink) -> Color {
    TerminalBackground.chosen(choice, reported: nil, environment: sink.isTerminal ? environment : [:])
  }

  /// The columns of standard output's terminal; unlimited for anything but a terminal.
  var width: Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard output.isTerminal, ioctl(StandardOutput.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return output.isTerminal ? 80 : 10_000
    }
    return Int(size.ws_col)
  }
}
