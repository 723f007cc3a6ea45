public import PluginAPI
internal import PluginText

/// An operation of a simulated service, by its name in fault scripts.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 6; the asynchronous captures and the status of the
///   sensor as NIST's Java service has them; `rawDownload` is that service's own.
enum SimulatedOperation: String, CaseIterable, Sendable {
  case register, unregister, tryLock, stealLock, unlock, getServiceInfo, initialize, uninitialize, getConfiguration
  case setConfiguration, capture, beginCapture, endCapture, getSensorStatus, download, getDownloadInfo, thriftyDownload
  case rawDownload, cancel, stream

  /// True if the sensor itself does the work, one operation at a time.
  var isOfSensor: Bool {
    switch self {
    case .initialize, .uninitialize, .getConfiguration, .setConfiguration, .capture, .beginCapture, .endCapture: true
    case .register, .unregister, .tryLock, .stealLock, .unlock, .getServiceInfo, .getSensorStatus, .download,
      .getDownloadInfo, .thriftyDownload, .rawDownload, .cancel, .stream:
      false
    }
  }

  /// True if the session must hold the lock.
  var needsLock: Bool { isOfSensor || self == .cancel }
}

/// The version of the protocol that a simulated service speaks.
public enum SimulatedNamespace: String, CaseIterable, Sendable, ParameterValue {
  case preRelease = "pre-release"
  case nist, biometrics, bioserv

  /// The namespace of its documents.
  var urn: String {
    switch self {
    case .preRelease: "urn:oid:2.16.840.1.101.3.9.3.0"
    case .nist: "urn:oid:2.16.840.1.101.3.9.3.1"
    case .biometrics: "http://docs.oasis-open.org/biometrics/ns/ws-bd-1.0"
    case .bioserv: "http://docs.oasis-open.org/bioserv/ns/wsbd-1.0"
    }
  }
}

/// The modality of a simulated sensor.
public enum SimulatedModality: String, CaseIterable, Sendable, ParameterValue {
  case finger, face, iris, ear, vein, retina, foot, other

  /// The word on the wire.
  var word: String { self == .other ? "Voice" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The words of what such a sensor can capture, in the order of the standard.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), appendix of modalities.
  var submodalities: [String] {
    switch self {
    case .finger:
      ["Right", "Left"].flatMap { side in
        ["Rolled", "Flat"].flatMap { manner in SimulatedFingers.names.map { side + $0 + manner } }
      } + ["LeftSlap", "RightSlap", "ThumbsSlap"]
    case .face: ["Face2d", "Face3d"]
    case .iris: ["LeftIris", "RightIris", "BothIrises"]
    case .ear: ["LeftEar", "RightEar", "BothEars"]
    case .vein: ["LeftVein", "RightVein", "Palm", "BackOfHand", "Wrist"]
    case .retina: ["LeftRetina", "RightRetina", "BothRetinas"]
    case .foot: ["LeftFoot", "RightFoot", "BothFeet"]
    case .other: ["Voice"]
    }
  }
}

/// The fingers that a capture shows, by the word of its submodality.
enum SimulatedFingers {
  static let names = ["Thumb", "Index", "Middle", "Ring", "Little"]

  /// Returns the fingers from left to right, 1 (right thumb) to 10 (left little finger); empty if it shows none.
  ///
  /// - Parameter submodality: The word, of any case.
  static func positions(_ submodality: String) -> [Int] {
    let word = submodality.lowercased()
    switch word {
    // On the left hand the little finger is leftmost.
    case "leftslap": return [10, 9, 8, 7]
    case "rightslap", "unknownslap": return [2, 3, 4, 5]
    case "thumbsslap": return [6, 1]
    case "twofingerslap": return [2, 3]
    case "unknownflat", "unknownrolled": return [2]
    default:
      for (side, first) in [("right", 1), ("left", 6)] {
        for (index, name) in names.enumerated()
        where ["flat", "rolled"].contains(where: {
          word == side + name.lowercased() + $0
        }) {
          return [first + index]
        }
      }
      return []
    }
  }

  /// Returns the words of the single fingers of a slap; empty for anything else.
  static func segments(_ submodality: String) -> [String] {
    switch submodality {
    case "LeftSlap": names.dropFirst().map { "Left\($0)Flat" }
    case "RightSlap": names.dropFirst().map { "Right\($0)Flat" }
    case "ThumbsSlap": ["LeftThumbFlat", "RightThumbFlat"]
    default: []
    }
  }
}

/// The operation that an address and a method select.
struct SimulatedRoute: Sendable {
  var operation: SimulatedOperation
  var session: String?
  var capture: String?
  var maximumSize: String?
  var stream: String?

  enum Outcome: Sendable {
    case found(SimulatedRoute)
    /// The address is known, but not with that method.
    case wrongMethod
    case unknown
  }

  /// Parses the path below the base address of a service.
  static func read(_ method: String, _ parts: [String]) -> Outcome {
    guard let (operations, route) = operations(parts) else { return .unknown }
    guard let operation = operations.first(where: { $0.method == method })?.operation else { return .wrongMethod }
    var found = route
    found.operation = operation
    return .found(found)
  }

  private typealias Choice = (method: String, operation: SimulatedOperation)

  private static func operations(_ parts: [String]) -> ([Choice], SimulatedRoute)? {
    var route = SimulatedRoute(operation: .getServiceInfo)
    guard let first = parts.first else { return nil }
    if parts.count == 1 {
      switch first {
      case "register": return ([("POST", .register)], route)
      case "info": return ([("GET", .getServiceInfo)], route)
      case "status": return ([("GET", .getSensorStatus)], route)
      default: return nil
      }
    }
    if first == "stream", parts.count <= 3 {
      route.stream = parts[1]
      route.session = parts.count == 3 ? parts[2] : nil
      return ([("GET", .stream)], route)
    }
    if first == "download" { return download(parts) }
    route.session = parts[1]
    if parts.count == 3, first == "capture", parts[2] == "async" {
      return ([("POST", .beginCapture), ("PUT", .endCapture)], route)
    }
    guard parts.count == 2, let choices = withSession[first] else { return nil }
    return (choices, route)
  }

  private static let withSession: [String: [Choice]] = [
    "register": [("DELETE", .unregister)],
    "lock": [("POST", .tryLock), ("PUT", .stealLock), ("DELETE", .unlock)],
    "initialize": [("POST", .initialize), ("DELETE", .uninitialize)],
    "configure": [("GET", .getConfiguration), ("POST", .setConfiguration)],
    "capture": [("POST", .capture)],
    "cancel": [("POST", .cancel)],
  ]

  private static func download(_ parts: [String]) -> ([Choice], SimulatedRoute)? {
    var route = SimulatedRoute(operation: .download, capture: parts[1])
    switch (parts.count, parts.last) {
    case (2, _): return ([("GET", .download)], route)
    case (3, "info"?): return ([("GET", .getDownloadInfo)], route)
    case (3, "raw"?): return ([("GET", .rawDownload)], route)
    case (3, let size?):
      route.maximumSize = size
      return ([("GET", .thriftyDownload)], route)
    default: return nil
    }
  }
}
