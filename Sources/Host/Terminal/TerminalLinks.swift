import PluginAPI

/// Finds web addresses in printed text, which terminals open at a click.
///
/// - Source: Egmont Koblinger, Hyperlinks in terminal emulators (OSC 8), 2017;
///   https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
enum TerminalLinks {
  /// A piece of a line, which is an address or other text.
  struct Piece: Sendable, Hashable {
    var text: String
    var isAddress: Bool
  }

  /// The bytes after which terminals drop an address.
  private static let longest = 2000
  private static let schemes = ["https://", "http://"].map { Array($0.utf8) }

  /// True if a terminal is known to support links, by its environment.
  ///
  /// Multiplexers are not: the terminal outside decides, and it is unknown.
  static func areKnown(in environment: [String: String]) -> Bool {
    if environment["TMUX"] != nil || environment["STY"] != nil { return false }
    if ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby"].contains(environment["TERM_PROGRAM"] ?? "") {
      return true
    }
    // VTE since 0.50, Konsole since 20.12.
    if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
    if let version = environment["KONSOLE_VERSION"].flatMap({ Int($0) }) { return version >= 201200 }
    if environment["WT_SESSION"] != nil || environment["KITTY_WINDOW_ID"] != nil { return true }
    let term = environment["TERM"] ?? ""
    return ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"].contains { term.hasPrefix($0) }
  }

  /// Splits text without control characters at its addresses.
  ///
  /// An address that was cut off, which an ellipsis follows, is not one.
  static func pieces(of text: String) -> [Piece] {
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var start = 0
    func add(_ range: Range<Int>, isAddress: Bool) {
      if !range.isEmpty {
        pieces.append(Piece(text: String(decoding: bytes[range], as: UTF8.self), isAddress: isAddress))
      }
    }
    for range in addresses(in: bytes, isCut: { bytes[$0...].starts(with: "…".utf8) }) {
      add(start..<range.lowerBound, isAddress: false)
      add(range, isAddress: true)
      start = range.upperBound
    }
    add(start..<bytes.count, isAddress: false)
    return pieces
  }

  /// Returns the offsets of the addresses in text, in order.
  ///
  /// - Parameters:
  ///   - bytes: The text, without control characters.
  ///   - isCut: Returns true if text was cut off at an offset, so that an address before it is incomplete.
  static func addresses(in bytes: [UInt8], isCut: (Int) -> Bool) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "h"), let scheme = schemes.first(where: { bytes[index...].starts(with: $0) })
      else {
        index += 1
        continue
      }
      let runEnd = runEnd(of: bytes, from: index)
      let end = isCut(runEnd) ? runEnd : end(of: bytes[index..<runEnd])
      if end > index + scheme.count, end - index <= longest, !isCut(end) { found.append(index..<end) }
      index = end
    }
    return found
  }

  /// Returns the offset after the characters from an offset that addresses may have.
  ///
  /// - Source: RFC 3986, section 2: the characters of addresses.
  static func runEnd(of bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while end < bytes.count, (0x21...0x7E).contains(bytes[end]), !"\"<>\\^`{|}".utf8.contains(bytes[end]) { end += 1 }
    return end
  }

  /// Returns the offset after an address, without the punctuation of the sentence around it.
  private static func end(of run: ArraySlice<UInt8>) -> Int {
    var end = run.endIndex
    let opening = run.firstIndex(of: UInt8(ascii: "(")) ?? end
    while end > run.startIndex, ".,;:!?'*)]".utf8.contains(run[end - 1]) {
      // A parenthesis that the address itself opened belongs to it.
      if run[end - 1] == UInt8(ascii: ")"), opening < end { break }
      end -= 1
    }
    return end
  }

  /// Returns the sequence that begins a link; an empty address ends it.
  ///
  /// - Parameter id: The name that parts of a link share, such as those of an address on several rows.
  static func mark(_ address: String, id: String = "") -> String {
    "\u{1B}]8;\(id.isEmpty ? "" : "id=" + id);\(address)\u{1B}\\"
  }
}

extension StandardStreams {
  /// True if addresses in results on standard output are marked as links.
  func marksLinks(_ options: GlobalOptions) -> Bool {
    if options.isPlain { return false }
    return switch options.links {
    case .always: true
    case .never: false
    case .auto: output.isTerminal && TerminalLinks.areKnown(in: environment)
    }
  }
}
