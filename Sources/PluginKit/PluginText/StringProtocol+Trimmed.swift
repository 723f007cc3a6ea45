extension StringProtocol where UTF8View: BidirectionalCollection {
  /// Returns the text without white space at both ends: ASCII spaces, tabs and line ends.
  ///
  /// Spaces of other scripts stay, as in XML and other file formats.
  /// - Complexity: linear in the white space.
  public func trimmed() -> String {
    guard let first = utf8.firstIndex(where: { !isWhiteSpace($0) }),
      let last = utf8.lastIndex(where: { !isWhiteSpace($0) })
    else { return "" }
    if first == startIndex, utf8.index(after: last) == endIndex { return String(self) }
    return String(self[first...last])
  }

  /// Returns the text without trailing white space; leading white space stays.
  ///
  /// - Complexity: linear in the white space.
  public func trimmedAtEnd() -> String {
    utf8.lastIndex { !isWhiteSpace($0) }.map { String(self[...$0]) } ?? ""
  }
}

private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
