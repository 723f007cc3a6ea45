import PluginAPI

/// The command that serves the cameras of this machine as sensors.
enum CameraCommand {
  private static let list = Option(flag: "list", "only tells which cameras there are")

  static let command = WSABICommand(
    CommandDescription(
      "camera", "serves the cameras of this machine as sensors until it is interrupted",
      output: .init(.text, isStream: true), effects: [.reads, .writes, .network]
    ).taking(list).explained(
      """
      Each line is the address of a camera, its device and its name. Only your own programs of this machine reach them: \
      the address holds a word that nobody else knows. A camera takes pictures only while it captures or is looked at. \
      Commands and screens serve a camera by themselves when an item has it; this command is for other programs.
      """,
      examples: [
        .init("camera --list", "the cameras there are"), .init("camera", "serves them, each at an address of its own"),
      ])
  ) { call, station in
    if call[list] {
      let found = station.cameras.found(call.context)
      if found.isEmpty { throw CameraError.none }
      for camera in found { try await call.emit(.text("\(camera.address) \(camera.place) \(camera.name)")) }
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
