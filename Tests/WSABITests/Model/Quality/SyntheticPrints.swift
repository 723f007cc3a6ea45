import Synchronization

@testable import WSABI
@testable import WSABISimulator

/// Impressions of synthetic fingers, each finger grown once for all tests.
enum SyntheticPrints {
  #if DEBUG
    static let isOptimised = false
  #else
    static let isOptimised = true
  #endif

  private static let masters = Mutex<[Int: FingerMaster]>([:])

  static func master(person: Int, position: Int) -> FingerMaster {
    masters.withLock { masters in
      let key = person * 16 + position
      if let master = masters[key] { return master }
      var growth = FingerMaster.growth(seed: 11, person: person, position: position)
      while !growth.isDone { growth.step() }
      let master = FingerMaster(growth, seed: 11, person: person, position: position)
      masters[key] = master
      return master
    }
  }

  /// Returns a sensor's image of a submodality.
  ///
  /// - Parameter fingers: The fingers on the sensor, from left to right; nil for those of the submodality.
  static func image(_ word: String, person: Int, impression: Int, fingers: [Int]? = nil) -> GrayImage {
    guard
      var picture = SyntheticFingers(
        word, seed: UInt64(person * 100 + 77), impression: impression, pixelsPerInch: 500)
    else { preconditionFailure("'\(word)' shows no finger") }
    let masters = (fingers ?? picture.positions).map { master(person: person, position: $0) }
    while !picture.isDone { picture.draw(masters) }
    return GrayImage(picture.image)
  }
}

extension GrayImage {
  /// Creates the image that a simulated sensor made.
  init(_ image: SimulatedImage) {
    self.init(width: image.width, height: image.height, pixels: image.pixels, pixelsPerInch: image.pixelsPerInch)
  }
}
