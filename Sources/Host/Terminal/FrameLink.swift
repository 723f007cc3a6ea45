import PluginAPI

/// A web address in a row of a frame, which the terminal opens at a click.
struct FrameLink: Sendable, Hashable {
  /// The row, from 0.
  var row: Int
  /// The columns, from 0.
  var columns: Range<Int>
  /// The address, of which the columns may show a part; printable ASCII only.
  var address: String
}

/// The links of the cells on a terminal's screen, and the marks between the cells that are written.
struct CellLinks {
  private var shown: [FrameLink] = []
  /// The number of each cell's link among those shown, from 1; 0 for none.
  ///
  /// Empty if no cell has a link.
  private var numbers: [UInt16] = []
  /// The number of the link that the next character gets; 0 for none.
  private var open: UInt16 = 0

  /// A Boolean value indicating whether a character may need a mark before it.
  var isInUse: Bool { !numbers.isEmpty || open != 0 }

  /// Forgets the links of a screen that was cleared.
  mutating func clear() { (shown, numbers) = ([], []) }

  /// Sets the links of a frame; columns and rows outside it are left out.
  ///
  /// - Returns: The indices of the cells whose address differs, which must be drawn again.
  mutating func update(_ links: [FrameLink], size: Size) -> [Int] {
    if links == shown { return [] }
    let links = Array(links.prefix(Int(UInt16.max)))
    var numbers = [UInt16](repeating: 0, count: links.isEmpty ? 0 : size.width * size.height)
    for (index, link) in links.enumerated() where (0..<size.height).contains(link.row) {
      for x in link.columns.clamped(to: 0..<size.width) { numbers[link.row * size.width + x] = UInt16(index + 1) }
    }
    let changed = (0..<size.width * size.height).filter { index in
      Self.address(of: index, self.numbers, shown) != Self.address(of: index, numbers, links)
    }
    (shown, self.numbers) = (links, numbers)
    return changed
  }

  private static func address(of cell: Int, _ numbers: [UInt16], _ links: [FrameLink]) -> String? {
    if numbers.isEmpty || numbers[cell] == 0 { return nil }
    return links[Int(numbers[cell]) - 1].address
  }

  /// Writes the mark before the character of a cell, if it needs one.
  ///
  /// - Parameter room: The number of bytes to reserve for the following data.
  mutating func begin(at cell: Int, in out: TerminalBytes, reserving room: Int) {
    let number = numbers.isEmpty ? 0 : numbers[cell]
    if number == open { return }
    if number == 0 { return end(in: out, reserving: room) }
    open = number
    let address = shown[Int(number) - 1].address
    out.append(TerminalLinks.mark(address, id: Self.id(of: address)))
    out.reserve(room)
  }

  /// Writes the mark after a link, if one is open.
  ///
  /// - Parameter room: The number of bytes to reserve for the following data.
  mutating func end(in out: TerminalBytes, reserving room: Int) {
    if open == 0 { return }
    open = 0
    out.append(TerminalLinks.mark(""))
    out.reserve(room)
  }

  /// Returns the name of an address's links, so that terminals treat the parts of one, drawn at different times, alike.
  ///
  /// - Source: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a with 32 bits.
  private static func id(of address: String) -> String {
    let hash = address.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}
