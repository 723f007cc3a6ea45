import PluginAPI

/// The reason a camera of this machine delivers no picture.
enum CameraError: Error, Equatable, ReportableError {
  /// There is no camera with that path, or it was unplugged.
  case gone(String)
  /// The user may not use it.
  case refused(String)
  /// Another program uses it.
  case busy(String)
  /// The device is not a camera.
  case noCamera(String)
  /// It has no pictures in a form that can be read.
  case noFormat(String)
  /// No picture arrived in time.
  case silent(String, seconds: Int)
  /// Only damaged pictures arrived.
  case spoilt(String)
  /// Its driver misbehaves.
  case failed(String)
  /// There is no camera at all.
  case none
  /// Another program listens where cameras are served on this machine, or listening failed.
  case notServed(reason: String)

  var report: ErrorReport {
    switch self {
    case .gone(let path): make("gone", .notFound, "the camera '\(path)' is not there", "plug it in; 'ls /dev/video*'")
    case .refused(let path):
      make("refused", .refused, "the camera '\(path)' may not be used", "become a member of its group, mostly 'video'")
    case .busy(let path):
      make("busy", .network, "somebody else uses the camera '\(path)'", "end the other program")
    case .noCamera(let path):
      make("no-camera", .usage, "'\(path)' is no camera that takes pictures", "see 'workbench wsabi camera --list'")
    case .noFormat(let path):
      make("no-format", .unusableInput, "the camera '\(path)' has no pictures in JPEG or YUYV", "use another camera")
    case .silent(let path, let seconds):
      make(
        "silent", .timedOut, "the camera '\(path)' gave no picture within \(seconds) s", "unplug it and plug it in")
    case .spoilt(let path):
      make(
        "spoilt", .network, "the camera '\(path)' gives damaged pictures only", "try another cable or a smaller size")
    case .failed(let path): make("failed", .network, "the camera '\(path)' does not work", "see 'dmesg'")
    case .none: make("none", .notFound, "this machine has no camera that can be used", "plug one in")
    case .notServed(let reason):
      make("not-served", .network, "cameras cannot be served: \(reason)", "choose another port by 'camera-port'")
    }
  }

  /// The problem and the advice, in one sentence.
  var words: String {
    let report = report
    return report.message + (report.advice.map { "; \($0)" } ?? "")
  }

  private func make(_ code: String, _ kind: ErrorReport.Kind, _ message: String, _ advice: String) -> ErrorReport {
    ErrorReport(code: "wsabi.camera-\(code)", kind: kind, message, advice: advice)
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.camera-gone", "a camera is not there, or no more"),
    .init("wsabi.camera-refused", "a camera may not be used"),
    .init("wsabi.camera-busy", "somebody else uses a camera"),
    .init("wsabi.camera-no-camera", "a device is no camera"),
    .init("wsabi.camera-no-format", "a camera has no pictures in a form that can be read"),
    .init("wsabi.camera-silent", "a camera gave no picture in time"),
    .init("wsabi.camera-spoilt", "a camera gives damaged pictures only"),
    .init("wsabi.camera-failed", "a camera does not work"),
    .init("wsabi.camera-none", "there is no camera"),
    .init("wsabi.camera-not-served", "cameras cannot be served on this machine"),
  ]
}
