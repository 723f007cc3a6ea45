import PluginAPI
import PluginImages
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
      try CameraDevice.open(camera.path, system) { device throws(ErrorReport) in try device.check(camera.sizes[0]) }
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

/// The pictures of a camera, shared by all viewers; it takes pictures only while there are viewers.
final class CameraReel: Sendable {
  /// The duration of one wait for a picture, in milliseconds.
  private static let waitInMilliseconds = 200
  /// The number of consecutive waits without a picture before the camera counts as silent.
  static let mostVainWaits = 25
  /// The number of consecutive damaged pictures that are tolerated.
  private static let mostSpoilt = 60

  private struct State {
    var users = 0
    var isRunning = false
    var wanted: CameraSize?
    var newest: CameraFrame?
    var count = 0
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    var after: Int
    /// Nil for any.
    var size: CameraSize?
    var continuation: CheckedContinuation<CameraFrame, any Error>
  }

  let path: String
  private let system: CameraSystem
  private let state = Mutex(State())

  init(_ path: String, _ system: CameraSystem) { (self.path, self.system) = (path, system) }

  /// Adds a viewer; each call needs one of ``end()``.
  func begin() { state.withLock { $0.users += 1 } }

  /// Removes a viewer; the last one closes the camera.
  func end() { state.withLock { $0.users -= 1 } }

  /// The number of the newest picture; pictures taken later have higher ones.
  var newestNumber: Int { state.withLock { $0.count } }

  /// True if the camera takes pictures, or is about to.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Waits for the first picture after a number; for viewers only.
  ///
  /// - Parameters:
  ///   - size: The size that is wanted.
  ///   - takesAny: True to accept another size while another viewer requests it.
  /// - Throws: ``CameraError``; the next call starts again.
  func frame(after number: Int, _ size: CameraSize, takesAny: Bool = false) async throws -> CameraFrame {
    try await withCheckedThrowingContinuation { continuation in
      let outcome: (frame: CameraFrame?, isToStart: Bool) = state.withLock { state in
        let isFit = state.isRunning && (takesAny || state.wanted == size)
        if isFit, let newest = state.newest, newest.number > number { return (newest, false) }
        state.waiters.append(Waiter(after: number, size: takesAny ? nil : size, continuation: continuation))
        if !isFit { (state.wanted, state.newest) = (size, nil) }
        defer { state.isRunning = true }
        return (nil, !state.isRunning)
      }
      if let frame = outcome.frame { continuation.resume(returning: frame) }
      if outcome.isToStart { OwnThread.run { [self] in run() } }
    }
  }

  // MARK: The thread

  private func run() {
    do throws(ErrorReport) {
      // A viewer who came while the camera was being closed has it opened again, so that users never find their own
      // camera busy.
      repeat { try takePictures() } while !isOver()
    } catch {
      let waiters = state.withLock { state in
        (state.isRunning, state.newest) = (false, nil)
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }
  }

  /// Returns the requested size; nil if there are no viewers.
  private func wanted() -> CameraSize? {
    state.withLock { $0.users > 0 || !$0.waiters.isEmpty ? $0.wanted : nil }
  }

  /// Returns true if there are no viewers, which ends the thread; the camera is closed by now.
  private func isOver() -> Bool {
    state.withLock { state in
      state.newest = nil
      state.isRunning = state.users > 0 || !state.waiters.isEmpty
      return !state.isRunning
    }
  }

  private func takePictures() throws(ErrorReport) {
    try CameraDevice.open(path, system) { device throws(ErrorReport) in try takePictures(device) }
  }

  private func takePictures(_ device: CameraDevice) throws(ErrorReport) {
    var (running, actual, stride): (CameraSize?, CameraSize?, Int) = (nil, nil, 0)
    var (age, vain, spoilt) = (0, 0, 0)
    while let wanted = wanted() {
      if running != wanted {
        let started = try device.start(wanted)
        (running, actual, stride, age) = (wanted, started.size, started.stride, 0)
      }
      guard let actual else { return }
      switch try device.next(withinMilliseconds: Self.waitInMilliseconds) {
      case .frame(let bytes):
        (age, vain, spoilt) = (age + 1, 0, 0)
        publish(CameraFrame(number: 0, age: age, bytes: bytes, size: actual, stride: stride), wanted)
      case .nothing:
        vain += 1
        if vain > Self.mostVainWaits {
          throw CameraError.silent(path, seconds: Self.mostVainWaits * Self.waitInMilliseconds / 1000)
        }
      case .spoilt:
        spoilt += 1
        if spoilt > Self.mostSpoilt { throw CameraError.spoilt(path) }
      }
    }
  }

  private func publish(_ frame: CameraFrame, _ size: CameraSize) {
    let ready = state.withLock { state -> [(CheckedContinuation<CameraFrame, any Error>, CameraFrame)] in
      guard state.wanted == size else { return [] }
      state.count += 1
      var numbered = frame
      numbered.number = state.count
      state.newest = numbered
      let isFor: (Waiter) -> Bool = { ($0.size == nil || $0.size == size) && $0.after < numbered.number }
      defer { state.waiters.removeAll(where: isFor) }
      return state.waiters.filter(isFor).map { ($0.continuation, numbered) }
    }
    for (continuation, frame) in ready { continuation.resume(returning: frame) }
  }
}

/// A camera's picture as a file.
private struct CameraPicture: Sendable {
  var bytes: [UInt8]
  var contentType: String
  /// In pixels.
  var width: Int
  var height: Int

  /// The most pixels of a camera that are believed.
  private static let mostPixels = 64_000_000

  /// Creates the complete picture of a frame: the camera's own file if every program can read it, otherwise a PNG.
  ///
  /// - Parameter isPNG: True to make a PNG in any case.
  /// - Throws: ``ImageError`` for a frame that is damaged.
  init(_ frame: CameraFrame, isPNG: Bool) throws(ImageError) {
    let (picture, file) = try Self.read(frame)
    (width, height) = (picture.width, picture.height)
    if let file, !isPNG, CameraJPEG.hasTables(file) {
      (bytes, contentType) = (file, "image/jpeg")
    } else {
      (bytes, contentType) = (try PNGWriter.bytes(of: picture), "image/png")
    }
  }

  /// Returns the picture of a frame; of JPEG with the bytes that are its file.
  private static func read(_ frame: CameraFrame) throws(ImageError) -> (Picture, file: [UInt8]?) {
    switch frame.size.form {
    case .yuyv: return (pixels(of: frame), nil)
    case .jpeg:
      let file = CameraJPEG.trimmed(frame.bytes)
      return (try ImageReader.picture(from: file, maximumPixels: mostPixels), file)
    }
  }

  /// Returns a small picture of a frame for a preview; JPEG is passed on unchanged.
  ///
  /// - Throws: As for the whole picture.
  static func preview(_ frame: CameraFrame) throws(ImageError) -> [UInt8] {
    switch frame.size.form {
    case .jpeg: return CameraJPEG.trimmed(frame.bytes)
    case .yuyv: return try PNGWriter.bytes(of: pixels(of: frame).scaled(toFit: Size(width: 320, height: 320)))
    }
  }

  /// Returns the type of previews of a form.
  static func previewType(_ form: CameraSize.Form) -> String { form == .jpeg ? "image/jpeg" : "image/png" }

  /// Returns the colors of a frame of luminance and chrominance; a frame that is too short is refused earlier.
  ///
  /// - Source: ITU-R BT.601-7, section 2.5.2 (levels 16 to 235); Linux kernel, "V4L2_PIX_FMT_YUYV".
  static func pixels(of frame: CameraFrame) -> Picture {
    let (width, height) = (frame.size.width & ~1, frame.size.height)
    var pixels = [UInt8](repeating: 255, count: 4 * width * height)
    frame.bytes.withUnsafeBufferPointer { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        for row in 0..<height {
          for pair in 0..<(width / 2) {
            let offset = row * frame.stride + 4 * pair
            guard offset + 3 < bytes.count else { return }
            let (blue, red) = (Int(bytes[offset + 1]) - 128, Int(bytes[offset + 3]) - 128)
            for side in 0..<2 {
              let light = 298 * (Int(bytes[offset + 2 * side]) - 16) + 128
              let target = 4 * (row * width + 2 * pair + side)
              pixels[target] = UInt8(clamping: (light + 409 * red) >> 8)
              pixels[target + 1] = UInt8(clamping: (light - 100 * blue - 208 * red) >> 8)
              pixels[target + 2] = UInt8(clamping: (light + 516 * blue) >> 8)
            }
          }
        }
      }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Repairs of camera JPEG files: parts that cameras omit, and bytes that they append.
///
/// - Source: ITU-T T.81, annex B; cameras leave out the usual Huffman tables (USB Video Class, "Motion-JPEG").
enum CameraJPEG {
  /// Returns the file without the bytes that drivers leave after its end.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var end = bytes.count
    while end > 2, !(bytes[end - 2] == 0xFF && bytes[end - 1] == 0xD9) {
      // After the end there are only zeros, a few kilobytes at most; other bytes are damage.
      guard bytes[end - 1] == 0, bytes.count - end < 1 << 16 else { return bytes }
      end -= 1
    }
    return end > 2 ? Array(bytes[..<end]) : bytes
  }

  /// Returns true if the picture carries its Huffman tables, without which only some programs read it.
  static func hasTables(_ bytes: [UInt8]) -> Bool {
    var offset = 2
    while offset + 3 < bytes.count, bytes[offset] == 0xFF {
      switch bytes[offset + 1] {
      case 0xC4: return true
      case 0xDA: return false
      case 0xFF: offset += 1
      default: offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
      }
    }
    return false
  }
}
