import PluginAPI

/// The state of a web page as text, with its scroll position and its selected link.
///
/// In the text a number in brackets after a word is the number of its link.
struct WebPageState: Equatable, Sendable {
  struct Link: Equatable, Sendable {
    /// The number in the text, from 1.
    var number: Int
    var text: String
    var address: String
  }

  /// A part of a line: text, or a link with its mark.
  struct Piece: Equatable, Sendable {
    var text: String
    /// The number of the link; nil for text.
    var link: Int?
    var style = Style.plain
  }

  let title: String
  let address: String
  let links: [Link]
  /// The number of the selected link.
  private(set) var selected: Int?
  /// The first visible line.
  private(set) var top = 0
  /// The lines, wrapped to the width.
  private(set) var lines: [[Piece]] = []
  private var width = 0
  private let paragraphs: [Piece]

  /// Creates the state of a page from the result of the command `page`.
  init(_ page: Value) {
    title = page["title"].text ?? ""
    address = page["address"].text ?? page["url"].text ?? ""
    links = (page["links"].list ?? []).enumerated().compactMap { index, link in
      guard let address = link["address"].text ?? link["url"].text ?? link.text else { return nil }
      return Link(number: link["number"].integer ?? index + 1, text: link["text"].text ?? "", address: address)
    }
    var paragraphs = [Piece(text: title, style: .heading), Piece(text: address, style: .secondary), Piece(text: "")]
    func add(_ text: String?) {
      guard let text, !text.isEmpty else { return }
      paragraphs += text.split(separator: "\n", omittingEmptySubsequences: false).map { Piece(text: String($0)) }
      paragraphs.append(Piece(text: ""))
    }
    let text = page["text"].text
    // The web page usually contains the abstract.
    if text?.isEmpty ?? true { add(page["abstract"].text) }
    add(text)
    self.paragraphs = paragraphs
  }

  /// Wraps the lines to a width.
  mutating func layOut(width: Int) {
    let width = max(1, width)
    if width == self.width { return }
    self.width = width
    lines = paragraphs.flatMap { paragraph in
      let wrapped = StyledText(paragraph.text).wrapped(to: width).lines.map { $0.map(\.text).joined() }
      let broken = wrapped.isEmpty ? [""] : wrapped
      return broken.map { paragraph.style == .plain ? pieces(of: $0) : [Piece(text: $0, style: paragraph.style)] }
    }
  }

  /// Splits a line at the marks of links; words before a mark that belong to the link are part of it.
  private func pieces(of line: String) -> [Piece] {
    var pieces: [Piece] = []
    var plain = Substring()
    var rest = Substring(line)
    func flush() { if !plain.isEmpty { pieces.append(Piece(text: String(plain))) } }
    while let open = rest.firstIndex(of: "[") {
      plain += rest[..<open]
      let digits = rest[rest.index(after: open)...].prefix { $0.isASCII && $0.isNumber }
      let close = digits.endIndex
      if close < rest.endIndex, rest[close] == "]", let number = Int(digits),
        let link = links.first(where: { $0.number == number })
      {
        let mark = rest[open...close]
        let own = !link.text.isEmpty && plain.hasSuffix(link.text) ? link.text : ""
        plain = plain.dropLast(own.count)
        flush()
        plain = ""
        pieces.append(Piece(text: "\(own)\(mark)", link: number))
        rest = rest[rest.index(after: close)...]
      } else {
        plain.append("[")
        rest = rest[rest.index(after: open)...]
      }
    }
    plain += rest
    flush()
    return pieces
  }

  /// Scrolls by a number of lines within a height.
  mutating func scroll(by count: Int, height: Int) {
    top = min(max(0, top + count), max(0, lines.count - height))
  }

  /// Selects the next or previous link from the visible part, cyclically, and scrolls to it.
  mutating func selectLink(step: Int, height: Int) {
    let placed = lines.enumerated().flatMap { index, line in
      line.compactMap { $0.link.map { (line: index, number: $0) } }
    }
    guard !placed.isEmpty else { return }
    let seen = top..<top + max(1, height)
    let next: Int
    if let current = placed.firstIndex(where: { $0.number == selected }), seen.contains(placed[current].line) {
      next = (current + step + placed.count) % placed.count
    } else if step > 0 {
      next = placed.firstIndex { $0.line >= top } ?? 0
    } else {
      next = placed.lastIndex { $0.line < seen.upperBound } ?? placed.count - 1
    }
    selected = placed[next].number
    let line = placed[next].line
    if !seen.contains(line) { top = max(0, min(line - height / 3, max(0, lines.count - height))) }
  }

  mutating func select(_ number: Int) { selected = number }

  /// Returns the address of a link; nil if there is none of that number.
  func address(of number: Int) -> String? { links.first { $0.number == number }?.address }

  /// Returns the link at a cell of the page.
  func link(x: Int, y: Int) -> Int? {
    guard lines.indices.contains(top + y), y >= 0 else { return nil }
    var column = 0
    for piece in lines[top + y] {
      column += TextWidth.columns(piece.text)
      if x < column { return piece.link }
    }
    return nil
  }
}

/// A view of a web page as text with its links, or of a message while there is none.
struct WebPageView: View {
  var page: WebPageState?
  var message: String

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    guard let page else {
      let lines = message.split(separator: "\n").flatMap { TextWidth.wrapped(String($0), to: max(1, size.width - 4)) }
      for (y, line) in lines.enumerated() { frame.put(line, x: 2, y: y + 1, .secondary) }
      return
    }
    for row in 0..<max(0, min(size.height, page.lines.count - page.top)) {
      var x = 1
      for piece in page.lines[page.top + row] {
        let style =
          piece.link == nil ? piece.style : .accent.adding(piece.link == page.selected ? .reverse : .underline)
        x = frame.put(piece.text, x: x, y: row, style)
      }
    }
    frame.scrollBar(x: size.width - 1, rows: 0..<size.height, top: page.top, count: page.lines.count)
  }

  var outline: Outline {
    guard let page else { return Outline(title: "Web page", text: [message]) }
    return Outline(
      title: page.title, text: page.lines.dropFirst().map { $0.map(\.text).joined() },
      items: page.links.map { link in
        Outline.Item(
          id: "\(link.number)", text: "[\(link.number)] \(link.text.isEmpty ? link.address : link.text)",
          action: ActionInvocation(PageAction.follow.rawValue, [MoleculeArgument.link.name: .integer(link.number)]))
      })
  }
}
