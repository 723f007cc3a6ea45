import PluginAPI
import Synchronization

/// The cameras of this machine, served by this process once one of their addresses is used.
///
/// So a camera has an address like any sensor, and works in every run, with or without the command that serves cameras
/// for others.
final class LocalCameras: Sendable {
  private struct State {
    var serving = Serving.none
    var place: CameraPlace?
  }

  private enum Serving {
    case none
    /// Another process has the port.
    case refused(ErrorReport)
    case running(CameraService)
  }

  private let state = Mutex(State())
  private let system: CameraSystem

  init(_ system: CameraSystem = .linux) { self.system = system }

  /// Returns the place where this user's cameras are served.
  ///
  /// - Throws: ``CameraError``.
  func place(_ context: any PluginContext) throws(ErrorReport) -> CameraPlace {
    if let known = state.withLock({ $0.place }) { return known }
    let place = try CameraPlace(folder: context.folders.data, port: context[WSABISettings.cameraPort])
    state.withLock { $0.place = place }
    return place
  }

  /// Returns the connected cameras, as sensors; none is served or takes a picture.
  func found(_ context: any PluginContext) -> [DiscoveredSensor] {
    let cameras = LocalCamera.all(system)
    guard !cameras.isEmpty, let place = try? place(context) else { return [] }
    return cameras.map { camera in
      DiscoveredSensor(
        name: camera.name, address: place.address(of: camera), modality: Modality.face.title, source: .camera,
        interface: camera.path)
    }
  }

  /// Returns the upkeep of a camera, done before each request; nil for an address that does not belong to a camera.
  ///
  /// Only the requested camera is checked, and only until it is served.
  func upkeep(_ address: SensorAddress, _ context: any PluginContext) -> ServiceUpkeep? {
    // Other addresses cost almost nothing.
    guard address.host == "127.0.0.1", address.port == context[WSABISettings.cameraPort],
      let place = CameraPlace(knownIn: context.folders.data, port: address.port),
      address.text.hasPrefix(place.base + "/")
    else { return nil }
    let word = address.text.utf8.dropFirst(place.base.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }
    guard let path = LocalCamera.path(ofWord: String(word) ?? "") else { return nil }
    return ServiceUpkeep(
      prepare: { [weak self] in self?.serve(path, place).map { .unreachable(reason: $0.description) } },
      explain: { [weak self] kind in self?.explained(kind, path) ?? kind })
  }

  /// Serves a camera unless it is already served.
  ///
  /// Returns the reason it cannot be served; nil also if another process has the port, which then gets the request.
  private func serve(_ path: String, _ place: CameraPlace) -> ErrorReport? {
    state.withLock { state in
      do throws(ErrorReport) {
        if case .running(let service) = state.serving {
          try service.serve(path)
          return nil
        }
        // The port comes first: a process that does not get it does not search for cameras.
        let service = try CameraService([], at: place, system)
        state.serving = .none
        try service.serve(path)
        state.serving = .running(service)
        return nil
      } catch {
        guard CameraError.notServed ~= error else { return error }
        if case .running = state.serving { return nil }
        state.serving = .refused(error)
        return nil
      }
    }
  }

  /// Returns the reason a camera is not found at a port that another process has.
  private func explained(_ kind: SensorFault.Kind, _ path: String) -> SensorFault.Kind {
    guard case .refused(let refusal) = state.withLock(\.serving) else { return kind }
    switch kind {
    case .unreachable, .cut, .status, .notAService, .otherNamespace, .malformed, .incomplete, .redirected:
      let text = "cannot reach the camera '\(path)': \(refusal.report.message)"
      return .unreachable(
        reason: "\(text); end the program that uses the port, or choose another port with the setting 'camera-port'")
    case .offline, .forbidden, .notTrusted, .otherKey, .timedOut, .tooSlow, .tooLarge, .refused, .brokenData, .notKept,
      .cancelled, .unaskable, .failed:
      return kind
    }
  }

  /// Serves the cameras until it is stopped.
  ///
  /// - Throws: ``CameraError``.
  func service(_ context: any PluginContext) throws(ErrorReport) -> CameraService {
    let cameras = LocalCamera.all(system)
    if cameras.isEmpty { throw CameraError.none }
    return try CameraService(cameras, at: place(context), system)
  }
}

/// The command that serves the cameras of this machine as sensors.
enum CameraCommand {
  private static let list = Option(flag: "list", "List the cameras and exit")

  static let command = WSABICommand(
    CommandDescription(
      "camera", "Serve the cameras of this machine as sensors until interrupted",
      output: .init(.text, isStream: true), effects: [.reads, .writes, .network]
    ).taking(list).explained(
      """
      Prints the address, device and name of each camera. Addresses contain a secret, so that only your own programs \
      on this machine can use them. A camera takes pictures only during a capture or preview. Commands and screens \
      start this service themselves when an item uses a camera; this command is for other programs.
      """,
      examples: [
        .init("camera --list", "List the cameras"), .init("camera", "Serve each camera at its own address"),
      ])
  ) { call, station in
    if call[list] {
      let found = station.cameras.found(call.context)
      if found.isEmpty { throw CameraError.none }
      for camera in found { try await call.emit(.text("\(camera.address) \(camera.interface) \(camera.name)")) }
      return
    }
    let service = try station.cameras.service(call.context)
    do {
      for (camera, address) in zip(service.cameras, service.addresses) {
        try await call.emit(.text("\(address) \(camera.path) \(camera.name)"))
      }
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch {
      await service.stop()
      throw error
    }
  }
}
