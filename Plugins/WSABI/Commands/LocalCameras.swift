import PluginAPI
import Synchronization

/// The cameras of this machine, served by this process as soon as somebody uses one of their addresses.
///
/// So the address of a camera is one like those of all sensors, and works in every run, with and without the command
/// that serves cameras for others.
final class LocalCameras: Sendable {
  private struct State {
    var service: CameraService?
    var place: CameraPlace?
  }

  private let state = Mutex(State())
  private let system: CameraSystem

  init(_ system: CameraSystem = .linux) { self.system = system }

  /// Where this user's cameras are served.
  ///
  /// - Throws: ``CameraError``.
  func place(_ context: any PluginContext) throws(CameraError) -> CameraPlace {
    if let known = state.withLock({ $0.place }) { return known }
    let place = try CameraPlace(folder: context.folders.data, port: Self.port(context))
    state.withLock { $0.place = place }
    return place
  }

  private static func port(_ context: any PluginContext) -> Int {
    context.setting(WSABISettings.cameraPort).integer ?? CameraPlace.usualPort
  }

  /// The cameras that are there, as sensors; none is served or takes a picture.
  func found(_ context: any PluginContext) -> [DiscoveredSensor] {
    let cameras = LocalCamera.all(system)
    guard !cameras.isEmpty, let place = try? place(context) else { return [] }
    return cameras.map { camera in
      DiscoveredSensor(
        name: camera.name, address: place.address(of: camera), modality: Modality.face.title, source: .camera,
        place: camera.path)
    }
  }

  /// Serves the cameras if an address is one of theirs and nobody serves them yet.
  func serve(_ address: SensorAddress, _ context: any PluginContext) {
    // Other addresses cost next to nothing.
    guard address.host == "127.0.0.1", address.port == Self.port(context),
      let place = CameraPlace(knownIn: context.folders.data, port: address.port),
      address.text.hasPrefix(place.base + "/")
    else { return }
    state.withLock { state in
      guard state.service == nil else { return }
      let cameras = LocalCamera.all(system)
      // Where another process serves them already that one is asked; where nobody can, the sensor is not found.
      if !cameras.isEmpty { state.service = try? CameraService(cameras, at: place, system) }
    }
  }

  /// Serves the cameras until it is stopped.
  ///
  /// - Throws: ``CameraError``.
  func service(_ context: any PluginContext) throws(CameraError) -> CameraService {
    let cameras = LocalCamera.all(system)
    if cameras.isEmpty { throw .none }
    return try CameraService(cameras, at: place(context), system)
  }

  func stop() async {
    let service = state.withLock { state in
      defer { state.service = nil }
      return state.service
    }
    await service?.stop()
  }
}
