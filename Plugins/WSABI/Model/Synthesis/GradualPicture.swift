/// A picture whose pixels are computed one by one, some rows at a time, so that whoever draws it can give way.
protocol GradualPicture: Sendable {
  /// The grey of a place, 0 black … 255 white.
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
