/// The scene in front of a served sensor: a simulation, or a camera of this machine.
protocol SensorScene: Sendable {
  /// Checks whether a capture is possible now, when the sensor is initialized.
  ///
  /// - Throws: Why it could not; that is a failure of the sensor.
  func check() async throws

  /// Makes a capture; yields to others while it computes.
  ///
  /// - Throws: As for a check.
  func make(_ order: CaptureMaker.Order) async throws -> CaptureMaker.Made

  /// Returns the frames of the live preview.
  ///
  /// - Throws: As for a check.
  func preview(_ order: CaptureMaker.Order) async throws -> any PreviewReel

  /// Returns an image as a file of a type.
  func file(of image: GreyImage, contentType: String) -> [UInt8]
}

/// The pictures of a live preview, one after the other, for one viewer.
protocol PreviewReel: Sendable {
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
