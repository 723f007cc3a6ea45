/// The placement of one finger on a sensor; no two impressions are the same.
struct FingerImpression: Sendable {
  /// The middle of the finger in the picture, in 500ths of an inch.
  var x: Float
  var y: Float
  /// The rotation, in radians.
  var turn: Float
  /// The half extents of the area that touches the glass, in 500ths of an inch from the center.
  var halfWidth: Float
  var halfHeight: Float
  /// The pressure, -1 … 1; higher pressure widens the ridges.
  var pressure: Float
  let noiseSeed: UInt64

  /// Creates an impression around a point.
  init(x: Float, y: Float, turn: Float, halfWidth: Float, halfHeight: Float, _ chance: inout SeededChance) {
    self.x = x + chance.between(-14, 14)
    self.y = y + chance.between(-16, 16)
    self.turn = turn + chance.between(-0.12, 0.12)
    self.halfWidth = halfWidth * chance.between(0.94, 1.03)
    self.halfHeight = halfHeight * chance.between(0.95, 1.03)
    pressure = chance.between(-0.6, 0.6)
    noiseSeed = chance.next()
  }

  /// Draws rows of it into a picture, darker where ridges touch.
  ///
  /// - Parameter scale: Pixels of the picture for a 500th of an inch.
  func draw(_ master: FingerMaster, into image: inout GreyImage, rows: Range<Int>, scale: Float) {
    let (cosine, sine) = (SynthesisMath.cos(turn), SynthesisMath.sin(turn))
    let (bend, skin, edge) = (SmoothNoise(noiseSeed, 1), SmoothNoise(noiseSeed, 2), SmoothNoise(noiseSeed, 3))
    let reach = (max(halfWidth, halfHeight) + 30) * scale
    let columns = max(0, Int(x * scale - reach))..<max(0, min(image.width, Int(x * scale + reach)))
    for row in rows where abs(Float(row) - y * scale) < reach {
      for column in columns {
        let (dx, dy) = (Float(column) / scale - x, Float(row) / scale - y)
        let (across, down) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
        let contact = contact(across, down, edge)
        if contact <= 0 { continue }
        // Skin distorts: the same ridges are at slightly different positions each time.
        let shift = (bend.value(across / 110, down / 110) * 4, bend.value(down / 110 + 40, across / 110) * 4)
        let ridge = master.ridge((across + shift.0) / 2, (down + shift.1) / 2)
        let moisture = skin.sum(across / 45, down / 45, octaves: 3) * 0.75 + pressure * 0.4
        let fine = skin.value(across / 1.7 + 300, down / 1.7) * 0.5
        let ink = SynthesisMath.step(-0.45, 0.5, ridge + moisture + fine * 0.6) * contact
        let grey = 243 - ink * (188 + fine * 50)
        let place = row * image.width + column
        image.pixels[place] = UInt8(max(0, min(Float(image.pixels[place]), grey)))
      }
    }
  }

  /// Returns the contact of a point with the glass, 0 … 1: an oval that is flatter below, with a ragged edge.
  private func contact(_ across: Float, _ down: Float, _ edge: SmoothNoise) -> Float {
    let height = down > 0 ? halfHeight * 1.02 : halfHeight
    let (u, v) = (across / halfWidth, down / height)
    // Between an ellipse and a rectangle; below the joint the finger does not taper.
    let squared = u * u * (down > 0 ? 1 - 0.1 * v : 1)
    let distance = squared * squared * 0.35 + squared * 0.65 + v * v * v * v * 0.5 + v * v * 0.5
    let ragged = edge.sum(across / 16, down / 16, octaves: 2) * 0.1
    return 1 - SynthesisMath.step(0.86, 1.0, distance + ragged)
  }
}
