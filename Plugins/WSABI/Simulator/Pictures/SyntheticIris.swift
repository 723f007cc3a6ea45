import PluginText

/// A picture computed pixel by pixel, a few rows at a time, so that its caller can yield in between.
protocol GradualPicture: Sendable {
  /// Returns the gray value at a point, 0 black … 255 white.
  func gray(_ x: Float, _ y: Float) -> Float
}

extension GradualPicture {
  /// Draws rows into a picture.
  func draw(into image: inout SimulatedImage, rows: Range<Int>) {
    for row in rows {
      for column in 0..<image.width {
        let gray = gray(Float(column), Float(row))
        image.pixels[row * image.width + column] = UInt8(max(0, min(255, gray)))
      }
    }
  }
}

/// An image of an eye in near infrared: pupil, the texture of the iris, lids and lashes.
///
/// The texture belongs to the eye; light, lids and pupil belong to the moment.
struct SyntheticIris: GradualPicture {
  private let width: Float
  private let height: Float
  private let middle: (x: Float, y: Float)
  private let pupil: Float
  private let iris: Float
  private let upperLid: Float
  private let lowerLid: Float
  private let collarette: Float
  private let depth: Float
  private let texture: SmoothNoise
  private let skin: SmoothNoise
  private let moment: SmoothNoise

  /// - Parameters:
  ///   - isLeft: True for the person's left eye.
  ///   - impression: The number of the capture.
  init(seed: UInt64, person: Int, isLeft: Bool, impression: Int, width: Int, height: Int) {
    let eyeNumber = person &* 2 &+ (isLeft ? 1 : 0)
    var eye = SeededChance(seed, eyeNumber &* 17 &+ 5)
    (self.width, self.height) = (Float(width), Float(height))
    let unit = min(self.width / 640, self.height / 480)
    iris = unit * eye.between(112, 128)
    collarette = eye.between(0.24, 0.36)
    depth = eye.between(0.7, 1.1)
    texture = SmoothNoise(seed, eyeNumber &* 31 &+ 1)
    skin = SmoothNoise(seed, eyeNumber &* 31 &+ 2)
    var now = SeededChance(seed, eyeNumber &* 10_007 &+ impression)
    moment = SmoothNoise(now.next())
    pupil = iris * now.between(0.32, 0.45)
    middle = (self.width / 2 + unit * now.between(-24, 24), self.height / 2 + unit * now.between(-16, 16))
    upperLid = iris * now.between(0.72, 0.92)
    lowerLid = iris * now.between(0.86, 1.02)
  }

  func gray(_ x: Float, _ y: Float) -> Float {
    let (dx, dy) = (x - middle.x, y - middle.y)
    let radius = (dx * dx + dy * dy).squareRoot()
    let grain = moment.value(x / 1.3, y / 1.3) * 5
    // The lids are two arcs that meet at the corners of the eye.
    let (across, reach) = (dx / (iris * 2.1), iris * 2.1)
    let upper = -upperLid + across * across * upperLid * 1.05
    let lower = lowerLid - across * across * lowerLid * 1.1
    let outside = max(upper - dy, dy - lower)
    var gray = abs(dx) < reach ? eyeball(dx, dy, radius) : 150
    let lid = PictureMath.step(-1.5, 2.5, outside)
    gray += (lidGray(x, y, outside, fold: dy < 0 ? 1 - PictureMath.step(0.5, 0.95, abs(across)) : 0) - gray) * lid
    gray -= lashes(dx, dy - upper) * 90
    return gray * light(x, y) + grain
  }

  /// Returns the gray value of pupil, iris or sclera.
  private func eyeball(_ dx: Float, _ dy: Float, _ radius: Float) -> Float {
    let white = 196 + skin.sum(dx / 30, dy / 30, octaves: 2) * 12 - abs(dx) / iris * 10
    let inIris = 1 - PictureMath.step(iris - 4, iris + 5, radius)
    let inPupil = 1 - PictureMath.step(pupil - 1.5, pupil + 1.5, radius)
    var gray = white + (texture(dx, dy, radius) - white) * inIris
    gray += (18 - gray) * inPupil
    // The lamps of the camera are seen in the pupil.
    for spot in [(Float(-9), Float(-7)), (9, -7)] {
      let (sx, sy) = (dx - spot.0, dy - spot.1)
      gray += (250 - gray) * (1 - PictureMath.step(2.5, 5, (sx * sx + sy * sy).squareRoot()))
    }
    return gray
  }

  /// Fibres from the pupil outwards, the ring of the collarette, crypts, and furrows round the edge.
  private func texture(_ dx: Float, _ dy: Float, _ radius: Float) -> Float {
    let part = min(1, max(0, (radius - pupil) / (iris - pupil)))
    let angle = PictureMath.angle(dy, dx)
    let fibers =
      texture.round(angle, radius: 16, part * 0.05) * 0.55 + texture.round(angle, radius: 34, part * 0.08) * 0.45
    let wave = collarette + texture.round(angle, radius: 5, 3) * 0.06
    let ring = PictureMath.exp(-(part - wave) * (part - wave) / 0.002)
    let crypts = PictureMath.step(0.3, 0.62, texture.value(angle * 7 + 90, part * 5 + 20) + fibers * 0.25)
    let furrows =
      PolynomialMath.sin(part * 38 + texture.round(angle, radius: 3, 7) * 2) * PictureMath.step(0.6, 0.85, part)
    let dark = PictureMath.step(0.86, 1, part) * 38 + (1 - PictureMath.step(0, 0.1, part)) * 20
    return 116 + depth * (fibers * 44 + ring * 34 - crypts * 30 * (1 - part * 0.5) + furrows * 7) - dark
  }

  private func lidGray(_ x: Float, _ y: Float, _ outside: Float, fold: Float) -> Float {
    let crease = PictureMath.exp(-(outside - iris * 0.42) * (outside - iris * 0.42) / 60) * 38 * fold
    let edge = PictureMath.exp(-outside * outside / 40) * 30
    return 158 + skin.sum(x / 45, y / 45, octaves: 4) * 22 - crease - edge - min(30, outside * 0.12)
  }

  /// Returns the coverage of a point by lashes: curved lines from the edge of the upper lid.
  private func lashes(_ dx: Float, _ above: Float) -> Float {
    let length = iris * 0.34
    guard above > -length, above < length * 0.6, abs(dx) < iris * 1.9 else { return 0 }
    let fan = dx * (1 + above / iris * 0.28)
    let strand = skin.value(fan / 4.2 + 700, above / 160)
    let fade = above < 0 ? 1 + above / length : 1 - above / (length * 0.6)
    return PictureMath.step(0.28, 0.75, strand) * fade
  }

  private func light(_ x: Float, _ y: Float) -> Float {
    let (dx, dy) = ((x - width * 0.5) / width, (y - height * 0.45) / height)
    return 1.04 - (dx * dx + dy * dy) * 0.5
  }
}

/// An image for parts without their own generator, such as a palm or a retina: tissue with darker vessels.
struct SyntheticTissue: GradualPicture {
  private let noise: SmoothNoise
  private let shift: (x: Float, y: Float)
  private let middle: (x: Float, y: Float)

  /// - Parameter part: Distinguishes the captured parts of one person.
  init(seed: UInt64, person: Int, part: Int, impression: Int, width: Int, height: Int) {
    noise = SmoothNoise(seed, person &* 53 &+ part)
    var now = SeededChance(seed, person &* 10_037 &+ part &* 101 &+ impression)
    shift = (now.between(-8, 8), now.between(-8, 8))
    middle = (Float(width) / 2, Float(height) / 2)
  }

  func gray(_ x: Float, _ y: Float) -> Float {
    let (u, v) = ((x + shift.x) / 70, (y + shift.y) / 70)
    let (dx, dy) = ((x - middle.x) / middle.x, (y - middle.y) / middle.y)
    let fall = (dx * dx + dy * dy) * 50
    // A vessel runs where the smooth noise crosses zero.
    let wide = 1 - PictureMath.step(0.02, 0.12, abs(noise.sum(u, v, octaves: 2)))
    let fine = 1 - PictureMath.step(0.01, 0.09, abs(noise.sum(u * 2.3 + 40, v * 2.3, octaves: 2)))
    return 176 - fall - wide * 66 - fine * 26 + noise.sum(u * 9, v * 9, octaves: 2) * 10
  }
}
