import CCamera
import Glibc
import PluginAPI
import PluginImages
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A camera as a sensor, with a simulated device.
@Suite(.timeLimit(.minutes(2)))
struct CameraSceneTests {
  private func scene(_ pretended: PretendedCamera) throws -> CameraScene {
    CameraScene(try LocalCamera("/dev/video0", pretended.system), pretended.system)
  }

  private static func order(_ type: String = "image/jpeg", width: Int? = nil, height: Int? = nil) -> SceneOrder {
    var order = SceneOrder(
      sensor: 1, modality: .face, submodality: "Face2d", person: 1, impression: 1, contentType: type, pixelsPerInch: 0)
    if let width, let height { order.size = .init(width: width, height: height) }
    return order
  }

  /// Returns the error a capture ends with; nil if it ends well.
  private func error(_ pretended: PretendedCamera) async -> ErrorReport? {
    do {
      _ = try await scene(pretended).make(Self.order())
      return nil
    } catch {
      return error as? ErrorReport
    }
  }

  @Test func `cameras are distinguished from other devices, and their names are sanitized`() throws {
    let camera = PretendedCamera {
      $0.paths = ["/dev/video0", "/dev/video2"]
      $0.name = "Evil\u{1B}[2J"
      $0.sizes = [
        CameraSize(.yuyv, width: 640, height: 480), CameraSize(.jpeg, width: 1920, height: 1080),
        CameraSize(.jpeg, width: 640, height: 480),
      ]
    }
    let found = LocalCamera.all(camera.system)
    #expect(found.map(\.path) == ["/dev/video0", "/dev/video2"] && found.first?.name == "Evil\u{FFFD}[2J")
    #expect(found.first?.sizes.first == CameraSize(.jpeg, width: 1920, height: 1080))
    #expect(found.first?.sizes.last == CameraSize(.yuyv, width: 640, height: 480))
    #expect(camera.log.openCount == camera.log.closeCount && camera.log.begins == 0)
    let metadata = PretendedCamera { $0.abilities = UInt32(V4L2_CAP_STREAMING) }
    #expect(LocalCamera.all(metadata.system).isEmpty)
    let formless = PretendedCamera { $0.sizes = [] }
    #expect(throws: CameraError.noFormat("/dev/video0")) { try LocalCamera("/dev/video0", formless.system) }
  }

  @Test func `a capture is the complete picture from the camera, which is closed afterwards`() async throws {
    let camera = PretendedCamera { $0.next = { _ in .frame(PretendedCamera.jpeg + [0, 0, 0]) } }
    let made = try await scene(camera).make(Self.order())
    #expect(made.data.bytes == PretendedCamera.jpeg && made.contentType == "image/jpeg")
    #expect(made.size == .init(width: 16, height: 12))
    await closed(camera)
    // The first pictures are too dark.
    #expect(camera.log.frames > CameraScene.warmUp && camera.log.mapped == 0)
  }

  /// Waits until a camera is closed by its thread.
  private func closed(_ camera: PretendedCamera) async {
    while camera.log.closeCount < camera.log.openCount { await Task.yield() }
    #expect(camera.log.begins == camera.log.ends)
  }

  @Test func `pictures of other formats and JPEGs without tables become PNGs`() async throws {
    let bare = PretendedCamera { $0.next = { _ in .frame(PretendedCamera.bareJPEG) } }
    let made = try await scene(bare).make(Self.order())
    #expect(made.contentType == "image/png")
    #expect(try ImageReader.picture(from: made.data.bytes) == ImageReader.picture(from: PretendedCamera.jpeg))
    let wanted = try await scene(PretendedCamera()).make(Self.order("image/png"))
    #expect(wanted.contentType == "image/png")
    let plain = PretendedCamera {
      $0.sizes = [CameraSize(.yuyv, width: 32, height: 24)]
      $0.next = { _ in .frame(PretendedCamera.yuyv(32, 24, light: 235)) }
    }
    let white = try await scene(plain).make(Self.order())
    let picture = try ImageReader.picture(from: white.data.bytes)
    #expect(picture.width == 32 && picture.height == 24 && Set(picture.pixels) == [255])
  }

  @Test func `the requested size is used, or else the largest`() async throws {
    let camera = PretendedCamera {
      $0.sizes = [CameraSize(.yuyv, width: 32, height: 24), CameraSize(.yuyv, width: 64, height: 48)]
      $0.next = { _ in .frame(PretendedCamera.yuyv(64, 48, light: 16)) }
    }
    let scene = try scene(camera)
    #expect(try await scene.make(Self.order()).size == .init(width: 64, height: 48))
    #expect(try await scene.make(Self.order(width: 32, height: 24)).size == .init(width: 32, height: 24))
    #expect(try await scene.make(Self.order(width: 31, height: 24)).size == .init(width: 64, height: 48))
    #expect(scene.profile.setting("imageSize")?.allowedValues.count == 2)
  }

  // MARK: Failures

  @Test func `a missing, refused or busy camera is reported as such`() async throws {
    let path = "/dev/video0"
    for (error, expected) in [
      (ENODEV, CameraError.gone(path)), (EACCES, CameraError.refused(path)), (EBUSY, CameraError.busy(path)),
      (EINVAL, CameraError.failed(path)),
    ] {
      let camera = PretendedCamera()
      let scene = try scene(camera)
      camera.change { $0.openError = error }
      await #expect(throws: expected) { try await scene.make(Self.order()) }
      await #expect(throws: expected) { try await scene.check() }
    }
    for request in [camera_set_form, camera_request_buffers, camera_begin] {
      let camera = PretendedCamera { $0.errors[request] = EBUSY }
      #expect(await error(camera) == CameraError.busy(path))
      await closed(camera)
      #expect(camera.log.mapped == 0)
    }
  }

  @Test func `unplugging a camera during a capture ends the capture`() async throws {
    let camera = PretendedCamera { $0.next = { $0 < 5 ? .frame(PretendedCamera.jpeg) : .gone } }
    #expect(await error(camera) == CameraError.gone("/dev/video0"))
    let late = PretendedCamera { $0.errors[camera_take_buffer] = ENODEV }
    #expect(await error(late) == CameraError.gone("/dev/video0"))
    for camera in [camera, late] { await closed(camera) }
  }

  @Test func `a camera that delivers no pictures is reported as silent`() async throws {
    let camera = PretendedCamera { $0.next = { _ in .nothing } }
    #expect(await error(camera) == CameraError.silent("/dev/video0", seconds: 5))
    #expect(camera.log.frames == CameraReel.mostVainWaits + 1)
    await closed(camera)
  }

  @Test func `damaged pictures are skipped, and too many end the capture`() async throws {
    let half = Array(PretendedCamera.jpeg.prefix(PretendedCamera.jpeg.count / 2))
    let some = PretendedCamera { $0.next = { $0 % 3 == 0 ? .frame(PretendedCamera.jpeg) : .marked(half) } }
    #expect(try await scene(some).make(Self.order()).data.bytes == PretendedCamera.jpeg)
    let broken = PretendedCamera { $0.next = { $0 < 12 ? .frame(half) : .frame(PretendedCamera.jpeg) } }
    #expect(try await scene(broken).make(Self.order()).data.bytes == PretendedCamera.jpeg)
    for next in [PretendedCamera.Next.marked(PretendedCamera.jpeg), .frame([]), .frame(half), .frame([0xFF, 0xD8])] {
      let camera = PretendedCamera { $0.next = { _ in next } }
      #expect(await error(camera) == CameraError.spoilt("/dev/video0"))
      await closed(camera)
    }
    let short = PretendedCamera {
      $0.sizes = [CameraSize(.yuyv, width: 64, height: 48)]
      $0.next = { _ in .frame(PretendedCamera.yuyv(64, 47, light: 99)) }
    }
    #expect(await error(short) == CameraError.spoilt("/dev/video0"))
  }

  @Test func `wrong buffer numbers and sizes from a driver are rejected`() async throws {
    let foreign = PretendedCamera { $0.claimedBuffer = 99 }
    #expect(await error(foreign) == CameraError.failed("/dev/video0"))
    let long = PretendedCamera { $0.claimedCount = UInt32.max }
    #expect(await error(long) == CameraError.spoilt("/dev/video0"))
    let few = PretendedCamera { $0.bufferCount = 0 }
    #expect(await error(few) == CameraError.failed("/dev/video0"))
    let many = PretendedCamera { $0.bufferCount = 1000 }
    #expect(await error(many) == nil)
    for camera in [foreign, long, few, many] {
      await closed(camera)
      #expect(camera.log.mapped == 0)
    }
  }

  @Test func `a capture after a failure starts over`() async throws {
    let camera = PretendedCamera { $0.next = { _ in .gone } }
    let scene = try scene(camera)
    await #expect(throws: CameraError.gone("/dev/video0")) { try await scene.make(Self.order()) }
    camera.change { $0.next = { _ in .frame(PretendedCamera.jpeg) } }
    #expect(try await scene.make(Self.order()).contentType == "image/jpeg")
  }

  @Test func `preview and capture share the camera, which is closed after the last`() async throws {
    let camera = PretendedCamera()
    let scene = try scene(camera)
    let opened = camera.log.openCount
    let preview = try await scene.preview(Self.order())
    #expect(try await preview.frame(0) == (PretendedCamera.jpeg, "image/jpeg"))
    #expect(try await scene.make(Self.order()).contentType == "image/jpeg")
    try await scene.check()
    #expect(try await preview.frame(1).bytes == PretendedCamera.jpeg)
    #expect(camera.log.openCount == opened + 1)
    preview.end()
    await closed(camera)
  }

  @Test func `consecutive captures never find their own camera busy`() async throws {
    let camera = PretendedCamera()
    let scene = try scene(camera)
    for _ in 0..<60 { #expect(try await scene.make(Self.order()).contentType == "image/jpeg") }
    await closed(camera)
  }

  @Test func `bytes after a JPEG are removed, and missing tables are detected`() {
    let jpeg = PretendedCamera.jpeg
    #expect(CameraJPEG.trimmed(jpeg) == jpeg && CameraJPEG.trimmed(jpeg + [0, 0]) == jpeg)
    #expect(CameraJPEG.trimmed([]).isEmpty && CameraJPEG.trimmed([0, 0, 0]) == [0, 0, 0])
    #expect(CameraJPEG.hasTables(jpeg) && !CameraJPEG.hasTables(PretendedCamera.bareJPEG))
    for count in 0..<jpeg.count { _ = CameraJPEG.hasTables(Array(jpeg.prefix(count))) }
  }
}
