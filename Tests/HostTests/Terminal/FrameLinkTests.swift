import PluginAPI
import Testing

@testable import Host

/// Links around the cells of frames.
struct FrameLinkTests {
  private static func bytes(
    _ encoder: inout FrameEncoder, _ frame: TextFrame, _ links: [FrameLink], limit: Int = .max
  ) -> (bytes: [UInt8], isWhole: Bool) {
    var content = FrameEncoder.Content(frame)
    content.links = links
    let out = TerminalBytes()
    let isWhole = encoder.encode(content, into: out, limit: limit)
    return (Array(out.bytes), isWhole)
  }

  private static func frame(_ text: String, width: Int = 40) -> TextFrame {
    var frame = TextFrame(size: Size(width: width, height: 2))
    frame.put(text, x: 0, y: 0)
    return frame
  }

  private static let link = FrameLink(row: 0, columns: 4..<15, address: "https://a.b")

  @Test func `the mark of a link begins and ends at its cells, and nothing is written for the same frame`() {
    var encoder = FrameEncoder(depth: .none)
    let frame = Self.frame("see https://a.b now")
    let first = String(decoding: Self.bytes(&encoder, frame, [Self.link]).bytes, as: UTF8.self)
    #expect(first.contains("\u{1B}]8;id=") && first.contains("now"))
    #expect(first.contains(";https://a.b\u{1B}\\https://a.b\u{1B}]8;;\u{1B}\\"))
    #expect(Self.bytes(&encoder, frame, [Self.link]).bytes.isEmpty)
  }

  @Test func `only cells whose link appears, disappears or changes are redrawn`() {
    var encoder = FrameEncoder(depth: .none)
    let frame = Self.frame("see https://a.b now")
    _ = Self.bytes(&encoder, frame, [])
    func text(_ links: [FrameLink]) -> String {
      String(decoding: Self.bytes(&encoder, frame, links).bytes, as: UTF8.self)
    }
    let come = text([Self.link])
    #expect(come.contains(";https://a.b\u{1B}\\https://a.b\u{1B}]8;;\u{1B}\\") && !come.contains("see"))
    var other = Self.link
    other.address = "https://a.b/whole"
    #expect(text([other]).contains(";https://a.b/whole\u{1B}\\https://a.b\u{1B}]8;;\u{1B}\\"))
    let gone = text([])
    #expect(gone.contains("https://a.b") && !gone.contains("]8;") && !gone.contains("now"))
  }

  @Test func `links outside the frame are left out`() {
    var encoder = FrameEncoder(depth: .none)
    let links = [
      FrameLink(row: -1, columns: 0..<4, address: "https://a"), FrameLink(row: 2, columns: 0..<4, address: "https://a"),
      FrameLink(row: 0, columns: -9..<0, address: "https://a"),
      FrameLink(row: 0, columns: 99..<120, address: "https://a"),
    ]
    let text = String(decoding: Self.bytes(&encoder, Self.frame("text"), links).bytes, as: UTF8.self)
    #expect(text.contains("text") && !text.contains("]8;"))
    var empty = FrameEncoder(depth: .none)
    #expect(!Self.bytes(&empty, TextFrame(size: Size(width: 0, height: 0)), links).bytes.contains(0x5D))
  }

  @Test func `every character has the address of the newest frame, however its parts are sent`() {
    var random = RandomFrames(seed: 21)
    var problems: [String] = []
    for round in 0..<300 {
      let size = Size(width: 4 + random.next(30), height: 1 + random.next(8))
      var terminal = LinkedTerminal(size)
      var encoder = FrameEncoder(depth: .none, isSynchronized: round % 2 == 0)
      for step in 0..<8 {
        let (frame, links) = Self.random(&random, size)
        var isWhole = false
        // Most frames are dropped before all of their parts are sent.
        while !isWhole, step == 7 || random.next(4) > 0 {
          let part = Self.bytes(&encoder, frame, links, limit: step % 3 == 0 ? .max : 1 + random.next(60))
          terminal.write(part.bytes)
          isWhole = part.isWhole
        }
        if terminal.isOpen { problems.append("round \(round), frame \(step): a link stays open") }
        if isWhole, let problem = terminal.difference(from: frame, links) {
          problems.append("round \(round), frame \(step): \(problem)")
        }
      }
    }
    #expect(problems.first == nil)
  }

  /// Returns a frame of few letters, some of them links to few addresses, so that frames have much in common.
  private static func random(_ random: inout RandomFrames, _ size: Size) -> (TextFrame, [FrameLink]) {
    var frame = TextFrame(size: size)
    var links: [FrameLink] = []
    for row in 0..<size.height where random.next(4) > 0 {
      let start = random.next(size.width)
      let length = 1 + random.next(size.width - start)
      frame.put(String(repeating: random.next(2) == 0 ? "a" : "b", count: size.width / 2), x: 0, y: row)
      frame.put(String(repeating: random.next(2) == 0 ? "a" : "b", count: length), x: start, y: row)
      if random.next(2) == 0 {
        links.append(
          FrameLink(row: row, columns: start..<start + length, address: "https://\(random.next(3))"))
      }
    }
    return (frame, links)
  }
}

/// A terminal that knows the address of each character, for what the encoder writes of ASCII without styles.
private struct LinkedTerminal {
  private struct Place: Equatable {
    var character: UInt8 = 0x20
    var address = ""
  }

  private let size: Size
  private var places: [Place]
  private var (x, y) = (0, 0)
  private var address = ""

  init(_ size: Size) {
    self.size = size
    places = Array(repeating: Place(), count: size.width * size.height)
  }

  var isOpen: Bool { !address.isEmpty }

  mutating func write(_ bytes: [UInt8]) {
    var remaining = bytes[...]
    while let byte = remaining.popFirst() {
      switch byte {
      case 0x0D: x = 0
      case 0x0A: y += 1
      case 0x1B: readSequence(&remaining)
      default:
        if x < size.width { places[y * size.width + x] = Place(character: byte, address: address) }
        x += 1
      }
    }
  }

  private mutating func readSequence(_ bytes: inout ArraySlice<UInt8>) {
    if bytes.popFirst() == UInt8(ascii: "]") {
      let text = bytes.prefix { $0 != 0x1B }
      bytes = bytes.dropFirst(text.count + 2)
      // The address follows the parameters: `8;id=x;https://a`.
      let parts = String(decoding: text, as: UTF8.self).split(
        separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
      address = String(parts[2])
      return
    }
    let parameters = bytes.prefix { !(0x40...0x7E).contains($0) }
    bytes = bytes.dropFirst(parameters.count)
    let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
    switch bytes.popFirst() {
    case UInt8(ascii: "H"): (x, y) = ((numbers.dropFirst().first ?? 1) - 1, (numbers.first ?? 1) - 1)
    case UInt8(ascii: "C"): x += numbers.first ?? 1
    case UInt8(ascii: "J"): erase(0..<places.count)
    case UInt8(ascii: "K"): erase(y * size.width + x..<(y + 1) * size.width)
    default: break
    }
  }

  private mutating func erase(_ range: Range<Int>) {
    for index in range { places[index] = Place(address: address) }
  }

  /// Returns a description of the first cell that differs from the frame; nil if there is none.
  func difference(from frame: TextFrame, _ links: [FrameLink]) -> String? {
    for row in 0..<size.height {
      for column in 0..<size.width {
        let glyph = frame.cells[row * size.width + column].glyph
        let link = links.first { $0.row == row && $0.columns.contains(column) }
        let wanted = Place(
          character: glyph == 0 ? 0x20 : UInt8(truncatingIfNeeded: glyph), address: link?.address ?? "")
        let place = places[row * size.width + column]
        if place != wanted { return "row \(row), column \(column): \(place) in the place of \(wanted)" }
      }
    }
    return nil
  }
}
