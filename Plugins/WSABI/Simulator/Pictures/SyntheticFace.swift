/// The picture of a face, from the front: a shaded head of a few simple shapes, that of no person.
///
/// - Source: Lambert's law for the shading: the light that comes back goes with the cosine of its angle to the surface.
struct SyntheticFace: GradualPicture {
  private let middle: (x: Float, y: Float)
  /// Half the height of the head, in pixels: the unit of all below.
  private let unit: Float
  private let headWidth: Float
  private let eyeDistance: Float
  private let eyeHeight: Float
  private let noseLength: Float
  private let mouthWidth: Float
  private let browWeight: Float
  private let hairline: Float
  private let hairLength: Float
  private let skinGray: Float
  private let hairGray: Float
  private let turn: Float
  private let lightSide: Float
  private let noise: SmoothNoise
  private let moment: SmoothNoise

  /// - Parameter impression: The number of the capture.
  init(seed: UInt64, person: Int, impression: Int, width: Int, height: Int) {
    var face = SeededChance(seed, person &* 29 &+ 11)
    headWidth = face.between(0.7, 0.8)
    eyeDistance = face.between(0.27, 0.33)
    eyeHeight = face.between(-0.16, -0.08)
    noseLength = face.between(0.2, 0.3)
    mouthWidth = face.between(0.19, 0.26)
    browWeight = face.between(0.018, 0.04)
    hairline = face.between(-0.72, -0.55)
    hairLength = face.between(-0.1, 0.75)
    skinGray = face.between(120, 215)
    hairGray = face.between(25, min(150, skinGray - 30))
    noise = SmoothNoise(seed, person)
    var now = SeededChance(seed, person &* 10_009 &+ impression)
    moment = SmoothNoise(now.next())
    unit = Float(min(height, width)) * 0.31 * now.between(0.96, 1.04)
    middle = (
      Float(width) / 2 + unit * now.between(-0.08, 0.08), Float(height) * 0.47 + unit * now.between(-0.05, 0.05)
    )
    turn = now.between(-0.06, 0.06)
    lightSide = now.between(-0.45, 0.45)
  }

  func gray(_ x: Float, _ y: Float) -> Float {
    let (u, v) = ((x - middle.x) / unit, (y - middle.y) / unit)
    var gray = 168 - v * 18 + moment.value(x / 200, y / 200) * 5
    gray += (body(u, v) - gray) * shoulders(u, v)
    let neck = (1 - PictureMath.step(0.36, 0.39, abs(u))) * PictureMath.step(0.5, 0.52, v)
    if neck > 0, v < 1.34 + u * u { gray += (skinGray * (0.55 + 0.2 * (0.39 - abs(u))) - gray) * neck }
    let back = cover(u, v - 0.02, headWidth + 0.1, 1.06)
    if v < hairLength { gray += (hair(u, v) - gray) * back * (1 - PictureMath.step(hairLength - 0.2, hairLength, v)) }
    for side in [Float(-1), 1] {
      let ear = cover(u - side * headWidth, v - 0.02, 0.07, 0.17)
      gray += (skinGray * 0.72 - gray) * ear
    }
    gray += (front(u, v) - gray) * cover(u, v, headWidth, 1)
    return gray + moment.value(x / 1.2, y / 1.2) * 3
  }

  /// Returns the coverage of a point by an ellipse about the center.
  private func cover(_ u: Float, _ v: Float, _ halfWidth: Float, _ halfHeight: Float) -> Float {
    let distance = ((u / halfWidth) * (u / halfWidth) + (v / halfHeight) * (v / halfHeight)).squareRoot()
    return 1 - PictureMath.step(0.985, 1.01, distance)
  }

  private func shoulders(_ u: Float, _ v: Float) -> Float {
    PictureMath.step(0, 0.02, v - 1.16 - 0.12 * u * u - (abs(u) > 1.25 ? (abs(u) - 1.25) * 1.4 : 0))
  }

  private func body(_ u: Float, _ v: Float) -> Float {
    62 + 20 * (1 - abs(u) / 2) + noise.value(u * 30, v * 30) * 4 - (abs(abs(u) - 0.4) < 0.02 ? 14 : 0)
  }

  private func hair(_ u: Float, _ v: Float) -> Float {
    let strands = noise.sum(u * 26, v * 3.5, octaves: 3)
    return hairGray * (0.9 - 0.25 * abs(u)) + strands * 20
  }

  /// Returns the front of the head: skin, features and the hair above.
  private func front(_ u: Float, _ v: Float) -> Float {
    let line = hairline + 0.42 * u * u + noise.value(u * 9, 4) * 0.03
    let ofHair = 1 - PictureMath.step(line - 0.02, line + 0.04, v)
    // Features sit on the turned head; its outline stays.
    let across = u - turn * (1 - u * u)
    var gray = skinGray * shade(across, v) + noise.sum(u * 14, v * 14, octaves: 3) * 3
    gray = withBrows(across, v, withMouth(across, v, gray))
    for side in [Float(-1), 1] { gray = withEye(across - side * eyeDistance, v - eyeHeight, gray) }
    return gray + (hair(u, v) - gray) * ofHair
  }

  /// Returns the share of light reflected at a point, by the slope of the surface.
  private func shade(_ u: Float, _ v: Float) -> Float {
    let step: Float = 0.01
    let (slopeU, slopeV) = (
      (relief(u + step, v) - relief(u - step, v)) / (2 * step), (relief(u, v + step) - relief(u, v - step)) / (2 * step)
    )
    let length = (slopeU * slopeU + slopeV * slopeV + 1).squareRoot()
    let light = (-slopeU * lightSide - slopeV * -0.45 + 0.85) / (length * 1.06)
    return 0.3 + 0.78 * max(0, light)
  }

  /// Returns the height of the surface at a point.
  private func relief(_ u: Float, _ v: Float) -> Float {
    func bump(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> Float {
      PictureMath.exp(-((u - x) / width) * ((u - x) / width) - ((v - y) / height) * ((v - y) / height))
    }
    let inside = 1 - (u / headWidth) * (u / headWidth) - v * v
    // Near its outline the surface falls straight on, so that no rim is lit.
    let round = (inside > 0.02 ? inside.squareRoot() : 0.141_4 + (inside - 0.02) * 3.5) * 0.62
    let tip = eyeHeight + 0.08 + noseLength
    let bridge = PictureMath.exp(-(u / 0.065) * (u / 0.065)) * 0.13
    let nose = bridge * PictureMath.step(eyeHeight - 0.15, tip, v) * (1 - PictureMath.step(tip, tip + 0.08, v))
    let wings = (bump(-0.085, tip - 0.01, 0.05, 0.045) + bump(0.085, tip - 0.01, 0.05, 0.045)) * 0.05
    let sockets = (bump(-eyeDistance, eyeHeight, 0.16, 0.1) + bump(eyeDistance, eyeHeight, 0.16, 0.1)) * -0.09
    let cheeks = (bump(-0.38, 0.2, 0.16, 0.16) + bump(0.38, 0.2, 0.16, 0.16)) * 0.035
    let mouth = mouthHeight
    let lips =
      bump(0, mouth - 0.03, mouthWidth * 0.6, 0.03) * 0.035 + bump(0, mouth + 0.04, mouthWidth * 0.5, 0.035) * 0.045
    return round + nose + wings + sockets + cheeks + lips + bump(0, 0.78, 0.16, 0.1) * 0.05
      - bump(0, mouth + 0.12, 0.14, 0.04) * 0.025
  }

  private var mouthHeight: Float { eyeHeight + 0.08 + noseLength + 0.23 }

  private func withMouth(_ u: Float, _ v: Float, _ gray: Float) -> Float {
    let side = u / mouthWidth
    guard abs(side) < 1 else { return gray }
    let taper = 1 - side * side
    let down = v - mouthHeight - 0.02 * side * side
    let upper =
      PictureMath.step(-0.05 * taper - 0.004, -0.045 * taper, down) * (1 - PictureMath.step(0.0, 0.006, down))
    let lower = PictureMath.step(0, 0.006, down) * (1 - PictureMath.step(0.06 * taper, 0.066 * taper + 0.004, down))
    let line = PictureMath.exp(-(down / 0.009) * (down / 0.009)) * taper
    return gray * (1 - 0.34 * upper - 0.24 * lower) * (1 - 0.6 * line)
  }

  private func withBrows(_ u: Float, _ v: Float, _ gray: Float) -> Float {
    let across = (abs(u) - eyeDistance) / 0.17
    guard abs(across) < 1 else { return gray }
    let arch = eyeHeight - 0.15 + 0.03 * across * across - 0.012 * across
    let thick = browWeight * (1.1 - 0.5 * max(0, across))
    let brow =
      (1 - PictureMath.step(thick * 0.6, thick * 1.3, abs(v - arch))) * (1 - PictureMath.step(0.8, 1, abs(across)))
    return gray + (min(hairGray, gray * 0.6) + noise.value(u * 90, v * 40) * 10 - gray) * brow * 0.85
  }

  private func withEye(_ du: Float, _ dv: Float, _ gray: Float) -> Float {
    let across = du / 0.135
    guard abs(across) < 1.2 else { return gray }
    let opening = max(0, 1 - across * across)
    let (upper, lower) = (-0.058 * opening, 0.042 * opening)
    let isOpen =
      PictureMath.step(upper - 0.004, upper + 0.004, dv) * (1 - PictureMath.step(lower - 0.004, lower + 0.004, dv))
    let radius = (du * du + dv * dv).squareRoot()
    var eye: Float = 205 - abs(across) * 45
    eye += (70 - eye) * (1 - PictureMath.step(0.05, 0.056, radius))
    eye += (12 - eye) * (1 - PictureMath.step(0.02, 0.026, radius))
    let spot = ((du + 0.016) * (du + 0.016) + (dv + 0.018) * (dv + 0.018)).squareRoot()
    eye += (245 - eye) * (1 - PictureMath.step(0.006, 0.013, spot))
    let lash = PictureMath.exp(-((dv - upper) / 0.012) * ((dv - upper) / 0.012)) * (abs(across) < 1 ? 1 : 0)
    return (gray + (eye - gray) * isOpen * (abs(across) < 1 ? 1 : 0)) * (1 - 0.65 * lash)
  }
}
