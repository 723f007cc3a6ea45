import PluginAPI

extension Size {
  /// Returns the largest size in whole cells that fits an area and keeps a picture's proportions.
  ///
  /// - Parameters:
  ///   - room: The number of cells.
  ///   - pixelsPerCell: The number of pixels of a cell.
  func cells(in room: Size, pixelsPerCell: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return Size(width: 0, height: 0) }
    let (wide, high) = (room.width * max(1, pixelsPerCell.width), room.height * max(1, pixelsPerCell.height))
    let scale = min(Double(wide) / Double(width), Double(high) / Double(height))
    return Size(
      width: min(room.width, max(1, Int((Double(width) * scale / Double(max(1, pixelsPerCell.width))).rounded()))),
      height: min(room.height, max(1, Int((Double(height) * scale / Double(max(1, pixelsPerCell.height))).rounded()))))
  }
}
