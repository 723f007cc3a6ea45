import Dispatch
import PluginAPI
import Testing

@testable import Host

/// The appearance of messages and the progress line in a terminal.
struct ProgressLineTests {
  private let streams = StandardStreams(
    output: ByteSink(descriptor: nil), error: ByteSink(descriptor: nil, isTerminal: true), inputIsTerminal: false,
    environment: ["TERM": "xterm"])

  private func printer() -> MessagePrinter { MessagePrinter(streams: streams, options: GlobalOptions()) }

  private func warning(_ number: Int) -> Diagnostic { Diagnostic(.warning, code: "test.dust", "dust \(number)") }

  /// The lines of the terminal: the text after the last erased line.
  private var shown: [String] {
    streams.error.contents.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let last = line.split(separator: "\r", omittingEmptySubsequences: false).last ?? ""
      return String(last.hasPrefix("\u{1B}[K") ? last.dropFirst(3) : last)
    }
  }

  @Test func `messages of any writer appear above the progress line`() {
    var options = GlobalOptions()
    options.color = .never
    let (command, other) = (
      MessagePrinter(streams: streams, options: options), MessagePrinter(streams: streams, options: options)
    )
    command.show(Progress("counting rocks", fraction: 0.5))
    #expect(shown == ["counting rocks 50%"])
    command.write(warning(1))
    #expect(shown == ["warning: dust 1", "counting rocks 50%"])
    other.write(warning(2))
    #expect(shown == ["warning: dust 1", "warning: dust 2", "counting rocks 50%"])
    other.write(ErrorReport(code: "test.gone", kind: .failure, "the rocks are gone"))
    #expect(shown.suffix(2) == ["workbench: the rocks are gone", "counting rocks 50%"])
    command.clearProgress()
    #expect(shown.last == "")
    other.write(warning(3))
    #expect(shown.suffix(2) == ["warning: dust 3", ""])
  }

  @Test func `messages of many threads stay complete beside the progress line`() {
    var options = GlobalOptions()
    options.color = .never
    let printers = (0..<4).map { _ in MessagePrinter(streams: streams, options: options) }
    DispatchQueue.concurrentPerform(iterations: 400) { number in
      let printer = printers[number % printers.count]
      switch number % 5 {
      case 0: printer.show(Progress("counting rocks", fraction: 0.25))
      case 1: printer.clearProgress()
      default: printer.write(warning(number))
      }
    }
    let written = shown.dropLast()
    let expected = (0..<400).filter { $0 % 5 > 1 }.map { "warning: dust \($0)" }
    #expect(written.sorted() == expected.sorted())
  }

  @Test func `an open question hides the progress line`() {
    let printer = printer()
    printer.show(Progress("counting rocks"))
    streams.progress.hold(on: streams)
    #expect(shown == [""])
    printer.show(Progress("counting rocks"))
    #expect(shown == [""])
    streams.progress.release()
    printer.show(Progress("counting rocks"))
    #expect(shown == ["counting rocks"])
  }
}
