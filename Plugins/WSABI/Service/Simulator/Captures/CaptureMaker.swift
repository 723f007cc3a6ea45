import Synchronization

/// A maker of captured data: synthetic fingers, faces and eyes, or what tests need instead.
///
/// A finger's ridges are grown once per person; each capture is another impression of them. The computation runs in
/// slices of a few milliseconds and yields in between.
final class CaptureMaker: SensorScene {
  /// The parameters of a capture.
  struct Order: Sendable, Hashable {
    var sensor: Int
    var modality: Modality
    var submodality: String
    var person: Int
    /// The number of the capture at its sensor: each differs a little.
    var impression: Int
    var contentType: String
    /// For faces and irises, in pixels; nil for the natural one.
    var size: Size?
    var pixelsPerInch: Int

    struct Size: Sendable, Hashable {
      var width: Int
      var height: Int
    }
  }

  /// A finished capture.
  struct Made: Sendable {
    var data: SimulatedData
    /// Nil for data that has no picture to make smaller.
    var image: GreyImage?
    var sha256: String
    /// In pixels; nil for that of the image.
    var size: Order.Size?
    /// The type of the data; nil for the ordered one.
    var contentType: String?
  }

  private let configuration: SimulatorConfiguration
  /// By person and finger; a task that grows them is shared by all waiting callers.
  private let masters = Mutex<[Int: Task<FingerMaster, Never>]>([:])
  /// The last preview of each sensor, and its subject.
  private let previews = Mutex<[Int: (order: Order, frames: [[UInt8]])]>([:])
  /// The number of fingers kept.
  private static let masterLimit = 100

  init(_ configuration: SimulatorConfiguration) { self.configuration = configuration }

  /// Does nothing: a simulated scene is always present.
  func check() async {}

  /// Makes a capture; yields to others while it computes.
  func make(_ order: Order) async -> Made {
    if let size = configuration.captureSizeInBytes {
      var chance = SeededChance(configuration.seed, order.sensor &* 100_003 &+ order.impression)
      let mark = Array("\(chance.identifier()) of sensor \(order.sensor)".utf8)
      let data = SimulatedData(noiseOfBytes: size, mark: mark)
      return Made(data: data, image: nil, sha256: await data.sha256())
    }
    let image = configuration.pictures == .quick ? quickImage(order) : await syntheticImage(order)
    let data = SimulatedData(file(of: image, contentType: order.contentType))
    return Made(data: data, image: image, sha256: await data.sha256())
  }

  /// Returns an image as a file of a type: a PNG, or a bitmap for any other type.
  func file(of image: GreyImage, contentType: String) -> [UInt8] {
    contentType == "image/png" ? GreyPNGFile.bytes(of: image) : BitmapFile.bytes(of: image)
  }

  func preview(_ order: Order) async -> any PreviewReel { PreviewLoop(frames: await previewFrames(order)) }

  /// Returns the frames of a live preview.
  private func previewFrames(_ order: Order) async -> [[UInt8]] {
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
  private func quickImage(_ order: Order) -> GreyImage {
    var chance = SeededChance(configuration.seed, order.sensor &* 100_003 &+ order.impression &* 31 &+ order.person)
    var image = GreyImage(width: 96, height: 128)
    let (a, b) = (chance.below(13) + 3, chance.below(13) + 3)
    for y in 0..<image.height {
      for x in 0..<image.width { image.pixels[y * image.width + x] = UInt8(truncatingIfNeeded: (x * a) ^ (y * b)) }
    }
    for index in 0..<min(64, image.pixels.count) { image.pixels[index] = UInt8(chance.below(256)) }
    return image
  }

  // MARK: Synthetic pictures

  /// Returns the sensor's view of the person; each sensor sees another placement.
  private func syntheticImage(_ order: Order) async -> GreyImage {
    let impression = order.sensor &* 7919 &+ order.impression
    let submodality = Submodality(wire: order.submodality)
    if var fingers = SyntheticFingers(
      submodality, seed: configuration.seed, impression: impression, pixelsPerInch: order.pixelsPerInch)
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
    return await drawn(scene(order, submodality, impression, width, height), width, height)
  }

  private func scene(
    _ order: Order, _ submodality: Submodality, _ impression: Int, _ width: Int, _ height: Int
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

  private func drawn(_ scene: any GradualPicture, _ width: Int, _ height: Int) async -> GreyImage {
    var image = GreyImage(width: width, height: height, pixelsPerInch: 96)
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
