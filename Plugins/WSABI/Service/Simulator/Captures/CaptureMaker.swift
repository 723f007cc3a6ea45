/// Makes the data of captures.
final class CaptureMaker: Sendable {
  /// What is to be captured.
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

  /// What was captured.
  struct Made: Sendable {
    var data: SimulatedData
    /// Nil for data that has no picture to make smaller.
    var image: GreyImage?
    var sha256: String
  }

  private let configuration: SimulatorConfiguration

  init(_ configuration: SimulatorConfiguration) { self.configuration = configuration }

  /// Makes a capture; gives way to others while it computes.
  func make(_ order: Order) async -> Made {
    if let size = configuration.captureSizeInBytes {
      var chance = SimulatedChance(configuration.seed, order.sensor &* 100_003 &+ order.impression)
      let mark = Array("\(chance.identifier()) of sensor \(order.sensor)".utf8)
      let data = SimulatedData(noiseOfBytes: size, mark: mark)
      return Made(data: data, image: nil, sha256: await data.sha256())
    }
    let image = quickImage(order)
    let data = SimulatedData(file(of: image, contentType: order.contentType))
    return Made(data: data, image: image, sha256: await data.sha256())
  }

  /// A picture as a file of a type; a bitmap unless it is PNG.
  func file(of image: GreyImage, contentType: String) -> [UInt8] {
    contentType == "image/png" ? GreyPNGFile.bytes(of: image) : BitmapFile.bytes(of: image)
  }

  /// A small pattern that only this capture has.
  private func quickImage(_ order: Order) -> GreyImage {
    var chance = SimulatedChance(configuration.seed, order.sensor &* 100_003 &+ order.impression &* 31 &+ order.person)
    var image = GreyImage(width: order.size?.width ?? 96, height: order.size?.height ?? 128)
    let (a, b) = (chance.below(13) + 3, chance.below(13) + 3)
    for y in 0..<image.height {
      for x in 0..<image.width { image.pixels[y * image.width + x] = UInt8(truncatingIfNeeded: (x * a) ^ (y * b)) }
    }
    for index in 0..<min(64, image.pixels.count) { image.pixels[index] = UInt8(chance.below(256)) }
    return image
  }
}
