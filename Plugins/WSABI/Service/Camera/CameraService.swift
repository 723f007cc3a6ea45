import Glibc
import PluginAPI
import PluginServer
import PluginStore
import PluginText
import Synchronization
import WSABISimulator

/// The cameras of this machine as services of WS-BD, so that they are sensors like all others.
///
/// Such a service works like a simulated one; only its captures are real.
final class CameraService: Sendable {
  private let server: HTTPServer
  private let shelf: Shelf
  private let place: CameraPlace

  /// Starts serving; no camera takes a picture before it is requested.
  ///
  /// A camera that is plugged in later is served at its first request.
  /// - Throws: ``CameraError/notServed(reason:)``, also if another program listens at the port.
  init(_ cameras: [LocalCamera], at place: CameraPlace, _ system: CameraSystem = .linux) throws(ErrorReport) {
    let shelf = Shelf(system)
    self.shelf = shelf
    var serving = HTTPServer.Configuration()
    (serving.port, serving.connections, serving.idleInSeconds) = (place.port, 64, 300)
    serving.bodyInBytes = 1 << 20
    do throws(ServerError) {
      server = try HTTPServer(serving) { request in
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard parts.count >= 2, Self.isSame(parts[0], place.word), let service = await shelf.service(parts[1]) else {
          return ServerResponse(404)
        }
        return await service.respond(to: request, Array(parts[2...]))
      }
    } catch {
      throw CameraError.notServed(reason: error.report.message)
    }
    var actual = place
    actual.port = server.port
    self.place = actual
    shelf.place.withLock { $0 = actual }
    for camera in cameras { try shelf.add(camera) }
  }

  /// The served cameras, in the order of arrival.
  var cameras: [LocalCamera] { shelf.served.withLock { $0.map(\.camera) } }
  /// In the order of the cameras.
  var addresses: [String] { cameras.map { place.address(of: $0) } }

  /// Serves a camera, if it is not served yet.
  ///
  /// - Throws: ``CameraError``, as that it is not there.
  func serve(_ path: String) throws(ErrorReport) { try shelf.add(path) }

  /// Stops serving.
  func stop() async {
    for served in shelf.served.withLock({ $0 }) { served.service.restart() }
    await server.stop(deadlineInSeconds: 0)
  }

  /// The served cameras, each with its own service: ids of one are independent of another's.
  private final class Shelf: Sendable {
    struct Served: Sendable {
      let camera: LocalCamera
      let service: SensorService
    }

    let served = Mutex<[Served]>([])
    let place = Mutex<CameraPlace?>(nil)
    private let system: CameraSystem

    init(_ system: CameraSystem) { self.system = system }

    /// Returns the service of a camera; nil if the camera is not there.
    func service(_ word: String) async -> SensorService? {
      if let known = known(word) { return known }
      guard let path = LocalCamera.path(ofWord: word) else { return nil }
      // It opens a device, which takes time.
      return try? await OwnThread.value { [self] _ in
        try add(path)
        return known(word)
      }
    }

    private func known(_ word: String) -> SensorService? {
      served.withLock { $0.first { $0.camera.word == word }?.service }
    }

    func add(_ path: String) throws(ErrorReport) {
      if served.withLock({ $0.contains { $0.camera.path == path } }) { return }
      try add(try LocalCamera(path, system))
    }

    func add(_ camera: LocalCamera) throws(ErrorReport) {
      let scene = CameraScene(camera, system)
      // Ids of captures must never come again.
      guard let seed = RandomBytes.number() else {
        throw CameraError.notServed(reason: "the system provides no random numbers")
      }
      // Pictures are in memory until they are evicted, so the limit is what one large picture needs.
      let service = SensorService(scene, scene.profile, seed: seed, storageInBytes: 1 << 26, sessions: 64)
      if let address = place.withLock({ $0?.address(of: camera) }) { service.setAddress(address) }
      served.withLock { served in
        if served.contains(where: { $0.camera.path == camera.path }) { return }
        served.append(Served(camera: camera, service: service))
      }
    }
  }

  /// Compares two texts in constant time.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The place where this machine's cameras are served to its user: a port of the loopback interface, and a secret word.
///
/// All users of a machine reach its loopback interface. The word has 128 random bits. It is part of the addresses and
/// stored in a file of the user alone, so that no other user sees the camera's pictures. The addresses stay the same
/// over all runs.
struct CameraPlace: Sendable, Hashable {
  /// The port unless a setting names another.
  static let usualPort = 8817

  var port: Int
  /// 32 hexadecimal digits.
  var word: String

  /// Returns the address of a camera.
  func address(of camera: LocalCamera) -> String { "\(base)/\(camera.word)" }

  /// The beginning of all its addresses.
  var base: String { "http://127.0.0.1:\(port)/\(word)" }

  /// Reads the stored place, or creates it at the first use.
  ///
  /// - Parameter folder: The user's own, where its file is.
  /// - Throws: ``CameraError/notServed(reason:)``.
  init(folder: String, port: Int) throws(ErrorReport) {
    self.port = port
    let path = folder + "/\(Self.file)"
    if let known = Self.read(path) {
      word = known
      return
    }
    let made = try Self.word()
    mkdir(folder, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file >= 0 {
      let count = write(file, made, made.utf8.count)
      close(file)
      if count != made.utf8.count { unlink(path) }
    }
    // Another process may have been first.
    guard let known = Self.read(path) else { throw CameraError.notServed(reason: String(cString: strerror(errno))) }
    word = known
  }

  /// Reads the stored place; nil if cameras were never used.
  init?(knownIn folder: String, port: Int) {
    guard let known = Self.read(folder + "/\(Self.file)") else { return nil }
    (self.port, word) = (port, known)
  }

  private static let file = "camera-place"

  private static func read(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, limitInBytes: 64), bytes.count == 32,
      bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func word() throws(ErrorReport) -> String {
    guard let bytes = RandomBytes.bytes(16) else {
      throw CameraError.notServed(reason: "the system provides no random numbers")
    }
    return Hexadecimal.text(bytes)
  }
}

/// Random numbers from the system.
private enum RandomBytes {
  /// Returns unpredictable bytes; nil if the system delivers none.
  static func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return getentropy(&bytes, count) == 0 ? bytes : nil
  }

  /// Returns an unpredictable number; nil if the system delivers none.
  static func number() -> UInt64? { bytes(8)?.reduce(0) { $0 << 8 | UInt64($1) } }
}
