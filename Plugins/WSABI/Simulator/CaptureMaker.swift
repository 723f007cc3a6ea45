import PluginText
import Synchronization

/// The scene in front of a served sensor: a simulation, or a camera of this machine.
public protocol SensorScene: Sendable {
  /// Checks whether a capture is possible now, when the sensor is initialized.
  ///
  /// - Throws: Why it could not; that is a failure of the sensor.
  func check() async throws

  /// Makes a capture; yields to others while it computes.
  ///
  /// - Throws: As for a check.
  func make(_ order: SceneOrder) async throws -> SceneCapture

  /// Returns the frames of the live preview.
  ///
  /// - Throws: As for a check.
  func preview(_ order: SceneOrder) async throws -> any PreviewReel
}

/// The pictures of a live preview, one after the other, for one viewer.
public protocol PreviewReel: Sendable {
  /// Returns the picture of a number, from 0, with its type; waits until it is available.
  ///
  /// - Throws: The reason there is none.
  func frame(_ number: Int) async throws -> (bytes: [UInt8], contentType: String)

  /// Ends the viewing.
  func end()
}

/// Pictures that are shown in a loop.
struct PreviewLoop: PreviewReel {
  let frames: [[UInt8]]

  func frame(_ number: Int) async throws -> (bytes: [UInt8], contentType: String) {
    (frames[number % frames.count], "image/bmp")
  }
  func end() {}
}

/// The parameters of a capture.
public struct SceneOrder: Sendable, Hashable {
  var sensor: Int
  var modality: SimulatedModality
  var submodality: String
  var person: Int
  /// The number of the capture at its sensor: each differs a little.
  var impression: Int
  public internal(set) var contentType: String
  /// For faces and irises, in pixels; nil for the natural one.
  public internal(set) var size: Size?
  var pixelsPerInch: Int

  /// A size in pixels.
  public struct Size: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }
}

/// A finished capture.
public struct SceneCapture: Sendable {
  var data: SimulatedData
  /// Nil for data that has no picture to make smaller.
  var image: SimulatedImage?
  var sha256: String
  /// Nil for that of the image.
  var size: SceneOrder.Size?
  /// The type of the data; nil for the ordered one.
  var contentType: String?
}

extension SceneCapture {
  /// Creates a capture of a sensor that is not simulated; it yields to others while it computes the hash.
  public init(_ bytes: [UInt8], size: SceneOrder.Size, contentType: String) async {
    let data = SimulatedData(bytes)
    self.init(data: data, image: nil, sha256: await data.sha256(), size: size, contentType: contentType)
  }
}

/// A maker of captured data: synthetic fingers, faces and eyes, or what tests need instead.
///
/// A finger's ridges are grown once per person; each capture is another impression of them. The computation runs in
/// slices of a few milliseconds and yields in between.
final class CaptureMaker: SensorScene {
  private let configuration: SimulatorConfiguration
  /// By person and finger; a task that grows them is shared by all waiting callers.
  private let masters = Mutex<[Int: Task<FingerMaster, Never>]>([:])
  /// The last preview of each sensor, and its subject.
  private let previews = Mutex<[Int: (order: SceneOrder, frames: [[UInt8]])]>([:])
  /// The number of fingers kept.
  private static let masterLimit = 100

  init(_ configuration: SimulatorConfiguration) { self.configuration = configuration }

  /// Does nothing: a simulated scene is always present.
  func check() async {}

  /// Makes a capture; yields to others while it computes.
  func make(_ order: SceneOrder) async -> SceneCapture {
    if let size = configuration.captureSizeInBytes {
      var chance = SeededChance(configuration.seed, order.sensor &* 100_003 &+ order.impression)
      let mark = Array("\(chance.identifier()) of sensor \(order.sensor)".utf8)
      let data = SimulatedData(noiseOfBytes: size, mark: mark)
      return SceneCapture(data: data, image: nil, sha256: await data.sha256())
    }
    let image = configuration.pictures == .quick ? quickImage(order) : await syntheticImage(order)
    let data = SimulatedData(image.file(contentType: order.contentType))
    return SceneCapture(data: data, image: image, sha256: await data.sha256())
  }

  func preview(_ order: SceneOrder) async -> any PreviewReel { PreviewLoop(frames: await previewFrames(order)) }

  /// Returns the frames of a live preview.
  private func previewFrames(_ order: SceneOrder) async -> [[UInt8]] {
    guard configuration.pictures == .synthetic else { return PreviewFrames.rings }
    // Pictures of one size do for all previews.
    var order = order
    order.size = nil
    let known = previews.withLock { $0[order.sensor] }
    if let known, known.order == order { return known.frames }
    let frames = PreviewFrames.frames(of: await syntheticImage(order))
    previews.withLock { $0[order.sensor] = (order, frames) }
    return frames
  }

  /// Returns a small pattern unique to this capture.
  private func quickImage(_ order: SceneOrder) -> SimulatedImage {
    var chance = SeededChance(configuration.seed, order.sensor &* 100_003 &+ order.impression &* 31 &+ order.person)
    var image = SimulatedImage(width: 96, height: 128)
    let (a, b) = (chance.below(13) + 3, chance.below(13) + 3)
    for y in 0..<image.height {
      for x in 0..<image.width { image.pixels[y * image.width + x] = UInt8(truncatingIfNeeded: (x * a) ^ (y * b)) }
    }
    for index in 0..<min(64, image.pixels.count) { image.pixels[index] = UInt8(chance.below(256)) }
    return image
  }

  // MARK: Synthetic pictures

  /// Returns the sensor's view of the person; each sensor sees another placement.
  private func syntheticImage(_ order: SceneOrder) async -> SimulatedImage {
    let impression = order.sensor &* 7919 &+ order.impression
    if var fingers = SyntheticFingers(
      order.submodality, seed: configuration.seed, impression: impression, pixelsPerInch: order.pixelsPerInch)
    {
      var masters: [FingerMaster] = []
      for position in fingers.positions { masters.append(await master(person: order.person, position: position)) }
      while !fingers.isDone {
        fingers.draw(masters)
        await Task.yield()
      }
      return fingers.image
    }
    let (width, height) = (order.size?.width ?? 640, order.size?.height ?? 480)
    return await drawn(scene(order, impression, width, height), width, height)
  }

  private func scene(
    _ order: SceneOrder, _ impression: Int, _ width: Int, _ height: Int
  ) -> any GradualPicture {
    let (seed, person) = (configuration.seed, order.person)
    switch order.modality {
    case .face:
      return SyntheticFace(seed: seed, person: person, impression: impression, width: width, height: height)
    case .iris:
      return SyntheticIris(
        seed: seed, person: person, isLeft: order.submodality.hasPrefix("Left"), impression: impression,
        width: width, height: height)
    default:
      let part = order.submodality.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
      return SyntheticTissue(
        seed: seed, person: person, part: part, impression: impression, width: width, height: height)
    }
  }

  private func drawn(_ scene: any GradualPicture, _ width: Int, _ height: Int) async -> SimulatedImage {
    var image = SimulatedImage(width: width, height: height, pixelsPerInch: 96)
    for row in stride(from: 0, to: height, by: 16) {
      scene.draw(into: &image, rows: row..<min(height, row + 16))
      await Task.yield()
    }
    return image
  }

  private func master(person: Int, position: Int) async -> FingerMaster {
    let seed = configuration.seed
    let task = masters.withLock { masters in
      let key = person &* 16 &+ position
      if let known = masters[key] { return known }
      if masters.count >= Self.masterLimit { masters = [:] }
      let task = Task {
        var growth = FingerMaster.growth(seed: seed, person: person, position: position)
        while !growth.isDone {
          growth.step()
          await Task.yield()
        }
        return FingerMaster(growth, seed: seed, person: person, position: position)
      }
      masters[key] = task
      return task
    }
    return await task.value
  }
}

/// The frames of a live preview: one second of them, shown in a loop.
enum PreviewFrames {
  static let count = 20
  static let width = 160
  static let height = 120

  /// Rings that grow, for sensors without pictures of people.
  static let rings: [[UInt8]] = (0..<count).map { number in
    var image = SimulatedImage(width: width, height: height, pixelsPerInch: 96)
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (x - width / 2, y - height / 2)
        let distance = Double(dx * dx + dy * dy).squareRoot()
        let ring = (Int(distance) + 40 - 2 * number) % 40
        image.pixels[y * width + x] = UInt8(ring < 20 ? 255 - 10 * ring : 55 + 10 * (ring - 20))
      }
    }
    return image.bitmap
  }

  /// Returns frames of a picture that moves a little, as people do in front of a sensor.
  static func frames(of picture: SimulatedImage) -> [[UInt8]] {
    let canvas = canvas(picture)
    return (0..<count).map { number in
      let angle = 2 * PolynomialMath.pi * Float(number) / Float(count)
      let left = 20 + Int((16 * PolynomialMath.cos(angle)).rounded())
      let top = 15 + Int((11 * PolynomialMath.sin(2 * angle)).rounded())
      var frame = SimulatedImage(width: width, height: height, pixelsPerInch: 96)
      for row in 0..<height {
        let start = (row + top) * canvas.width + left
        frame.pixels.replaceSubrange(row * width..<(row + 1) * width, with: canvas.pixels[start..<start + width])
      }
      return frame.bitmap
    }
  }

  /// Returns the image scaled to fit, centered in the canvas that frames are cut from.
  private static func canvas(_ picture: SimulatedImage) -> SimulatedImage {
    let (fullWidth, fullHeight) = (width + 40, height + 30)
    let isWide = picture.width * fullHeight > picture.height * fullWidth
    let edge = isWide ? fullWidth : fullHeight * max(picture.width, picture.height) / picture.height
    let small = picture.reduced(toLongestEdge: edge)
    var canvas = SimulatedImage(width: fullWidth, height: fullHeight, gray: small.pixels.first ?? 255)
    let (left, top) = ((fullWidth - small.width) / 2, (fullHeight - small.height) / 2)
    for row in max(0, -top)..<min(small.height, fullHeight - top) {
      for column in max(0, -left)..<min(small.width, fullWidth - left) {
        canvas.pixels[(row + top) * fullWidth + column + left] = small.pixels[row * small.width + column]
      }
    }
    return canvas
  }
}
