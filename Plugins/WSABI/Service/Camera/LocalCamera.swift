/// A camera of this machine.
struct LocalCamera: Sendable, Hashable {
  /// Such as `/dev/video0`.
  var path: String
  var name: String
  /// The largest first; at least one.
  var sizes: [CameraSize]

  /// Such as `video0`.
  var word: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The kernel numbers video devices from 0 to 63 first.
  private static let usualPaths = (0..<64).map { "/dev/video\($0)" }

  /// Returns the device of a word, such as `video0`; nil if it is not a camera.
  static func path(ofWord word: String) -> String? { usualPaths.first { $0 == "/dev/\(word)" } }

  /// Returns the cameras that can be used now, in the order of their numbers.
  ///
  /// Each device is opened and queried; none takes a picture. Many cameras have a second device for metadata, which
  /// does not count.
  static func all(_ system: CameraSystem, _ paths: [String] = usualPaths) -> [LocalCamera] {
    paths.compactMap { path in try? LocalCamera(path, system) }
  }

  init(_ path: String, _ system: CameraSystem) throws(CameraError) {
    let (name, sizes) = try CameraDevice.open(path, system) { device throws(CameraError) in
      (device.name, device.sizes)
    }
    if sizes.isEmpty { throw .noFormat(path) }
    (self.path, self.sizes) = (path, sizes)
    self.name = name.contains { !$0.isWhitespace } ? name : path
  }
}
