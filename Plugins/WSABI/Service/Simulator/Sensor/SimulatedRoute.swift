/// The operation that an address and a method select.
struct SimulatedRoute: Sendable {
  var operation: SensorOperation
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

  private typealias Choice = (method: String, operation: SensorOperation)

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
