import PluginJSON

/// A parser of CHILDREN cells: a list of ids, as JSON in a text.
enum ChildrenCell {
  /// Returns the ids, and the number of elements left out because they are not ids.
  static func read(_ cell: UnsafeBufferPointer<UInt8>) -> (EntityRow.Children, dropped: Int) {
    if cell.allSatisfy(isBlank) { return (.ids([]), 0) }
    if let plain = plainList(cell) { return (.ids(plain), 0) }
    return anyList(cell)
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D && byte != 0x0B }

  /// Parses a list of texts without escapes, the usual case; returns nil for anything else.
  private static func plainList(_ cell: UnsafeBufferPointer<UInt8>) -> PackedTexts? {
    var ids = PackedTexts()
    var place = 0
    func skipBlanks() { while place < cell.count, isBlank(cell[place]) { place += 1 } }
    func take(_ mark: UInt8) -> Bool {
      guard place < cell.count, cell[place] == mark else { return false }
      place += 1
      return true
    }
    skipBlanks()
    guard take(UInt8(ascii: "[")) else { return nil }
    skipBlanks()
    var isFirst = true
    while !take(UInt8(ascii: "]")) {
      if !isFirst {
        guard take(UInt8(ascii: ",")) else { return nil }
        skipBlanks()
      }
      isFirst = false
      guard take(UInt8(ascii: "\"")) else { return nil }
      let start = place
      while place < cell.count, cell[place] != UInt8(ascii: "\"") {
        if cell[place] == UInt8(ascii: "\\") || cell[place] < 0x20 { return nil }
        place += 1
      }
      guard place < cell.count, place > start else { return nil }
      ids.append(UnsafeBufferPointer(rebasing: cell[start..<place]))
      place += 1
      skipBlanks()
    }
    skipBlanks()
    return place == cell.count ? ids : nil
  }

  /// Parses any JSON as a stream.
  private static func anyList(_ cell: UnsafeBufferPointer<UInt8>) -> (EntityRow.Children, dropped: Int) {
    var ids = PackedTexts()
    var (isOpen, dropped) = (false, 0)
    do {
      let reader = try JSONReader { event in
        guard isOpen else {
          guard case .beginArray = event else { throw UselessResult("it is no list") }
          isOpen = true
          return .more
        }
        switch event {
        case .text(let text) where !text.bytes.isEmpty: ids.append(text.bytes)
        case .beginArray, .beginObject:
          dropped += 1
          return .skip
        case .endArray: break
        default: dropped += 1
        }
        return .more
      }
      try reader.push(UnsafeRawBufferPointer(cell))
      try reader.finish()
    } catch {
      return (.unreadable, 0)
    }
    return (.ids(ids), dropped)
  }
}
