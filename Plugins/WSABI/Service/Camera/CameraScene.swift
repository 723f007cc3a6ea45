import PluginAPI
import PluginStore
import Synchronization
import WSABISimulator

/// A camera of this machine as a sensor for faces.
struct CameraScene: SensorScene {
  /// The number of pictures a camera takes before its exposure is right.
  static let warmUp = 10
  /// The number of damaged pictures before a capture fails.
  private static let tries = 5

  let camera: LocalCamera
  let system: CameraSystem
  let reel: CameraReel

  init(_ camera: LocalCamera, _ system: CameraSystem) {
    (self.camera, self.system) = (camera, system)
    reel = CameraReel(camera.path, system)
  }

  /// The settings of the sensor: the size, and the type of the file.
  var profile: SensorProfile {
    let types = camera.sizes.contains { $0.form == .jpeg } ? ["image/jpeg", "image/png"] : ["image/png"]
    return SensorProfile(
      .face, submodalities: ["Face2d"],
      settings: [
        .choice("imageContentType", types),
        .choice("imageSize", camera.sizes.map { SceneOrder.Size(width: $0.width, height: $0.height) }),
        .fixed("camera", text: camera.name),
      ])
  }

  /// Returns the ordered size, or the largest one if none or an unknown one was ordered.
  private func size(_ order: SceneOrder) -> CameraSize {
    let wanted = order.size.flatMap { wanted in
      camera.sizes.first { $0.width == wanted.width && $0.height == wanted.height }
    }
    return wanted ?? camera.sizes[0]
  }

  func check() async throws {
    // With viewers it already works.
    if reel.isRunning { return }
    let (camera, system) = (camera, system)
    try await OwnThread.value { _ in
      try CameraDevice.open(camera.path, system) { device throws(CameraError) in try device.check(camera.sizes[0]) }
    }
  }

  func make(_ order: SceneOrder) async throws -> SceneCapture {
    reel.begin()
    defer { reel.end() }
    let size = size(order)
    // Only pictures taken after the request count.
    var (number, damaged) = (reel.newestNumber, 0)
    while damaged < Self.tries {
      let frame = try await reel.frame(after: number, size)
      number = frame.number
      if frame.age <= Self.warmUp { continue }
      guard let picture = try? await Self.picture(frame, isPNG: order.contentType == "image/png") else {
        damaged += 1
        continue
      }
      return await SceneCapture(
        picture.bytes, size: .init(width: picture.width, height: picture.height), contentType: picture.contentType)
    }
    throw CameraError.spoilt(camera.path)
  }

  private static func picture(_ frame: CameraFrame, isPNG: Bool) async throws -> CameraPicture {
    try await OwnThread.value { _ in try CameraPicture(frame, isPNG: isPNG) }
  }

  func preview(_ order: SceneOrder) async throws -> any PreviewReel {
    reel.begin()
    return CameraPreview(reel: reel, size: size(order))
  }
}

/// The current picture of a camera, for one viewer.
private final class CameraPreview: PreviewReel {
  let reel: CameraReel
  let size: CameraSize
  private let last = Mutex(0)

  init(reel: CameraReel, size: CameraSize) { (self.reel, self.size) = (reel, size) }

  func frame(_ number: Int) async throws -> (bytes: [UInt8], contentType: String) {
    let frame = try await reel.frame(after: last.withLock { $0 }, size, takesAny: true)
    last.withLock { $0 = frame.number }
    return (try CameraPicture.preview(frame), CameraPicture.previewType(frame.size.form))
  }

  func end() { reel.end() }
}
