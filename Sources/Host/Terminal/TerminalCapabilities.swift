import PluginAPI

/// The capabilities that a terminal reported, beyond those that termpaint detects.
struct TerminalCapabilities: Sendable, Hashable {
  /// A Boolean value indicating whether it responds to queries at all.
  var answers = false
  /// A Boolean value indicating whether it supports synchronized output (private mode 2026).
  var synchronizesOutput = false
  /// A Boolean value indicating whether it shows pixels by the kitty graphics protocol.
  var showsKitty = false
  /// A Boolean value indicating whether it shows sixels.
  var showsSixel = false
  /// A Boolean value indicating whether it supports the kitty keyboard protocol.
  var knowsKittyKeyboard = false
  /// A Boolean value indicating whether it is known to show all colors.
  var showsTrueColor = false
  /// The pixels of a cell.
  var cellPixels: Size?
  /// The color of its background.
  var background: Color?

  /// Returns the queries; every terminal responds to the last one, whose response ends them.
  ///
  /// - Source: xterm control sequences (DECRQM, OSC 11, XTWINOPS 16, DA1); kitty graphics protocol, "Querying support";
  ///   kitty keyboard protocol, "Progressive enhancement"; https://gist.github.com/christianparpart (mode 2026).
  /// - Parameter asksModes: True if the terminal understands mode queries; old ones print their last letter, and would
  ///   print the background query too.
  static func questions(asksModes: Bool) -> [UInt8] {
    let mode = asksModes ? "\u{1B}[?2026$p\u{1B}]11;?\u{1B}\\" : ""
    return Array((mode + "\u{1B}[?u\u{1B}[16t\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c").utf8)
  }

  /// Handles a response: one complete sequence.
  ///
  /// - Returns: True if it was the last one.
  @discardableResult
  mutating func take(_ answer: [UInt8]) -> Bool {
    answers = true
    if answer.starts(with: "\u{1B}_G".utf8) {
      let text = String(decoding: answer, as: UTF8.self)
      let parts = text.dropFirst(3).split(separator: ";", maxSplits: 1)
      if parts.count == 2, parts[0].split(separator: ",").contains("i=31"), parts[1].hasPrefix("OK") {
        showsKitty = true
      }
      return false
    }
    if answer.starts(with: "\u{1B}]11;".utf8) {
      background = TerminalBackground.color(inResponse: answer) ?? background
      return false
    }
    guard answer.starts(with: "\u{1B}[".utf8), let final = answer.last else { return false }
    let numbers = Self.numbers(answer)
    switch final {
    case UInt8(ascii: "y") where numbers.first == 2026: synchronizesOutput = numbers.count > 1 && numbers[1] != 0
    case UInt8(ascii: "u"): knowsKittyKeyboard = true
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6 && numbers[1] > 1 && numbers[2] > 1:
      cellPixels = Size(width: min(numbers[2], 200), height: min(numbers[1], 200))
    case UInt8(ascii: "c") where answer.count > 2 && answer[2] == UInt8(ascii: "?"):
      showsSixel = numbers.dropFirst().contains(4)
      return true
    default: break
    }
    return false
  }

  private static func numbers(_ answer: [UInt8]) -> [Int] {
    var result: [Int] = []
    var current: Int?
    for byte in answer {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        current = min(100_000, (current ?? 0) * 10 + Int(byte - UInt8(ascii: "0")))
      } else if let number = current {
        result.append(number)
        current = nil
      }
    }
    return result
  }
}
