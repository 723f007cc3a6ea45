import CCamera
import PluginAPI
import PluginText

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

  init(_ path: String, _ system: CameraSystem) throws(ErrorReport) {
    let (name, sizes) = try CameraDevice.open(path, system) { device throws(ErrorReport) in
      (device.name, device.sizes)
    }
    if sizes.isEmpty { throw CameraError.noFormat(path) }
    (self.path, self.sizes) = (path, sizes)
    self.name = name.contains { !$0.isWhitespace } ? name : path
  }
}

/// The format of a camera's pictures.
struct CameraSize: Sendable, Hashable {
  enum Form: Sendable {
    case jpeg
    /// Two pixels in four bytes: brightness, blue difference, brightness, red difference.
    case yuyv
  }

  var form: Form
  /// In pixels.
  var width: Int
  var height: Int

  fileprivate init(_ size: camera_size) {
    form = size.form == CAMERA_JPEG ? .jpeg : .yuyv
    (width, height) = (Int(size.width), Int(size.height))
  }

  init(_ form: Form, width: Int, height: Int) { (self.form, self.width, self.height) = (form, width, height) }

  fileprivate var size: camera_size {
    camera_size(form: form == .jpeg ? CAMERA_JPEG : CAMERA_YUYV, width: Int32(width), height: Int32(height))
  }
}

/// A picture as a camera gave it.
struct CameraFrame: Sendable {
  /// From 1, never reused, not even after the camera restarted.
  var number: Int
  /// The number of the frame since the camera started, from 1; the first ones are too dark.
  var age: Int
  var bytes: [UInt8]
  var size: CameraSize
  /// The number of bytes per row; 0 for JPEG.
  var stride: Int
}

/// The access to cameras.
struct CameraSystem: Sendable {
  // A table of functions that is never changed.
  nonisolated(unsafe) let table: camera_system
  /// The owner of the table's context, kept while a camera is open.
  var owner: (any AnyObject & Sendable)?

  /// The devices of this machine.
  static let linux = CameraSystem(table: camera_of_linux())
}

/// An open camera, for one thread.
struct CameraDevice {
  let path: String
  private let opened: OpaquePointer
  private let system: CameraSystem

  /// Opens a camera for the duration of a call; it takes no pictures yet, and its light stays off.
  ///
  /// After the return, other programs can open the camera.
  /// - Throws: ``CameraError``, including errors thrown by the call.
  static func open<Result>(
    _ path: String, _ system: CameraSystem, _ body: (CameraDevice) throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    let device = try CameraDevice(path, system)
    defer { camera_close(device.opened) }
    return try body(device)
  }

  private init(_ path: String, _ system: CameraSystem) throws(ErrorReport) {
    var opened: OpaquePointer?
    let problem = withUnsafePointer(to: system.table) { camera_open($0, path, &opened) }
    guard problem == CAMERA_OK, let opened else { throw Self.error(problem, path) }
    (self.path, self.opened, self.system) = (path, opened, system)
  }

  /// The sanitized name of the camera.
  var name: String {
    let name = String(cString: camera_name(opened))
    return SanitizedText.line(name, limit: 32)
  }

  /// The sizes of its pictures, largest first, JPEG before other formats of the same size.
  var sizes: [CameraSize] {
    let room = Int(CAMERA_SIZES)
    var sizes = [camera_size](repeating: camera_size(), count: room)
    let count = Int(camera_sizes(opened, &sizes, Int32(room)))
    return sizes.prefix(count).map(CameraSize.init).sorted { left, right in
      let (first, second) = (left.width * left.height, right.width * right.height)
      return first == second ? left.form == .jpeg && right.form == .yuyv : first > second
    }
  }

  /// Checks whether the camera can take pictures now.
  func check(_ size: CameraSize) throws(ErrorReport) { try hold(camera_try(opened, size.size)) }

  /// Starts taking pictures.
  ///
  /// - Returns: The size the driver chose, and the number of bytes per row, 0 for JPEG.
  func start(_ size: CameraSize) throws(ErrorReport) -> (size: CameraSize, stride: Int) {
    var actual = camera_size()
    var stride = 0
    try hold(camera_start(opened, size.size, &actual, &stride))
    return (CameraSize(actual), stride)
  }

  /// The result of one wait.
  enum Waited {
    case frame([UInt8])
    case nothing
    /// A frame that is damaged or not whole.
    case spoilt
  }

  /// Waits for a picture.
  func next(withinMilliseconds limit: Int) throws(ErrorReport) -> Waited {
    let taken = TakenBytes()
    let problem = camera_frame(
      opened, Int32(limit),
      { context, bytes, count in
        guard let context, let bytes else { return }
        let taken = Unmanaged<TakenBytes>.fromOpaque(context).takeUnretainedValue()
        taken.bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
      }, Unmanaged.passUnretained(taken).toOpaque())
    switch problem {
    case CAMERA_OK: return .frame(taken.bytes)
    case CAMERA_SILENT: return .nothing
    case CAMERA_SPOILT: return .spoilt
    default: throw Self.error(problem, path)
    }
  }

  /// Stops taking pictures.
  func stop() { camera_stop(opened) }

  private func hold(_ problem: camera_problem) throws(ErrorReport) {
    if problem != CAMERA_OK { throw Self.error(problem, path) }
  }

  private static func error(_ problem: camera_problem, _ path: String) -> ErrorReport {
    switch problem {
    case CAMERA_GONE: CameraError.gone(path)
    case CAMERA_REFUSED: CameraError.refused(path)
    case CAMERA_BUSY: CameraError.busy(path)
    case CAMERA_NO_CAMERA: CameraError.noCamera(path)
    case CAMERA_NO_FORMAT: CameraError.noFormat(path)
    case CAMERA_SPOILT: CameraError.spoilt(path)
    default: CameraError.failed(path)
    }
  }
}

private final class TakenBytes {
  var bytes: [UInt8] = []
}

/// The reason a camera of this machine delivers no picture.
enum CameraError {
  private static let gone = DeclaredError("wsabi.camera-gone", .notFound, "a camera is missing or was unplugged")
  static func gone(_ path: String) -> ErrorReport {
    gone("camera '\(path)' not found", advice: "plug it in, and list the devices with 'ls /dev/video*'")
  }
  private static let refused = DeclaredError("wsabi.camera-refused", .refused, "no permission to use a camera")
  static func refused(_ path: String) -> ErrorReport {
    refused("no permission to use the camera '\(path)'", advice: "become a member of its group, usually 'video'")
  }
  private static let busy = DeclaredError("wsabi.camera-busy", .network, "another program uses a camera")
  static func busy(_ path: String) -> ErrorReport {
    busy("another program uses the camera '\(path)'", advice: "quit the other program")
  }
  private static let noCamera = DeclaredError("wsabi.camera-no-camera", .usage, "a device is not a camera")
  static func noCamera(_ path: String) -> ErrorReport {
    noCamera("'\(path)' is not a camera", advice: "list the cameras with 'workbench wsabi camera --list'")
  }
  private static let noFormat = DeclaredError(
    "wsabi.camera-no-format", .unusableInput, "a camera does not support a known picture format")
  static func noFormat(_ path: String) -> ErrorReport {
    noFormat("the camera '\(path)' supports neither JPEG nor YUYV", advice: "use another camera")
  }
  private static let silent = DeclaredError("wsabi.camera-silent", .timedOut, "a camera sent no picture in time")
  static func silent(_ path: String, seconds: Int) -> ErrorReport {
    silent("the camera '\(path)' sent no picture within \(seconds) s", advice: "unplug it and plug it in again")
  }
  private static let spoilt = DeclaredError("wsabi.camera-spoilt", .network, "a camera sends only damaged pictures")
  static func spoilt(_ path: String) -> ErrorReport {
    spoilt("the camera '\(path)' sends only damaged pictures", advice: "try another cable or a smaller size")
  }
  private static let failed = DeclaredError("wsabi.camera-failed", .network, "a camera does not work")
  static func failed(_ path: String) -> ErrorReport {
    failed("the camera '\(path)' does not work", advice: "see 'dmesg'")
  }
  private static let noneCode = DeclaredError("wsabi.camera-none", .notFound, "no camera found")
  static let none = noneCode("no camera found on this machine", advice: "plug one in")
  static let notServed = DeclaredError(
    "wsabi.camera-not-served", .network, "cannot serve the cameras of this machine")
  static func notServed(reason: String) -> ErrorReport {
    notServed("cannot serve cameras: \(reason)", advice: "choose another port with the setting 'camera-port'")
  }

  /// The stable codes.
  static let errorCodes = [gone, refused, busy, noCamera, noFormat, silent, spoilt, failed, noneCode, notServed].map(
    \.catalogueEntry)
}
