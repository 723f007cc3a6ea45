/// A picture computed pixel by pixel, a few rows at a time, so that its caller can yield in between.
protocol GradualPicture: Sendable {
  /// Returns the gray value at a point, 0 black … 255 white.
  func grey(_ x: Float, _ y: Float) -> Float
}

extension GradualPicture {
  /// Draws rows into a picture.
  func draw(into image: inout GreyImage, rows: Range<Int>) {
    for row in rows {
      for column in 0..<image.width {
        let grey = grey(Float(column), Float(row))
        image.pixels[row * image.width + column] = UInt8(max(0, min(255, grey)))
      }
    }
  }
}
