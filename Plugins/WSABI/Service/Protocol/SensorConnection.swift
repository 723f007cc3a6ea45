import PluginNet
import PluginText
import Synchronization

/// The only access to sensors: it makes every connection, as the user's settings allow.
struct SensorAccess: Sendable {
  private let isOffline: Bool
  private let allowed: AllowedHosts
  private let limits: SensorLimits

  /// - Parameters:
  ///   - isOffline: True if no requests are allowed to any host.
  ///   - allowed: The hosts on which sensors are allowed.
  init(isOffline: Bool, allowed: AllowedHosts = AllowedHosts(""), limits: SensorLimits = SensorLimits()) {
    (self.isOffline, self.allowed, self.limits) = (isOffline, allowed, limits)
  }

  /// Returns a connection with exactly the trust of the address; no request is sent yet.
  ///
  /// - Parameter upkeep: The upkeep of the service before each request; nil for services of others.
  func connection(_ address: SensorAddress, upkeep: ServiceUpkeep? = nil) -> SensorConnection {
    SensorConnection(
      address, configuration(address), limits: limits, isAllowed: allowed.allows(address.host), upkeep: upkeep)
  }

  /// Returns the certificate that a sensor presents, before it is trusted.
  ///
  /// - Throws: `SensorFault`, also for an address without encryption.
  func certificate(_ address: SensorAddress) async throws(SensorFault) -> SensorCertificate {
    let isAllowed = allowed.allows(address.host)
    guard isAllowed, address.isSecure else {
      let kind = isAllowed ? SensorFault.Kind.unaskable(reason: "its address is not an https address") : .forbidden
      throw SensorFault(kind, .notSent, .getServiceInfo, address: address.text)
    }
    do {
      let found = try await HTTPClient(configuration(address)).certificate(of: address.text)
      return SensorCertificate(
        pin: found.pin, subject: SanitizedText.line(found.subject, limit: 300),
        issuer: SanitizedText.line(found.issuer, limit: 300),
        validFrom: SanitizedText.line(found.validFrom, limit: 100),
        validUntil: SanitizedText.line(found.validUntil, limit: 100),
        problem: found.problem.map { SanitizedText.line($0, limit: 300) })
    } catch {
      throw SensorFault(error, .getServiceInfo, address: address.text)
    }
  }

  private func configuration(_ address: SensorAddress) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    configuration.connectDeadlineInSeconds = limits.connectDeadlineInSeconds
    let trust = address.trust
    if !trust.pins.isEmpty {
      configuration.pins[address.host] = .init(trust.pins, trustsAlone: trust.authorities.isEmpty)
    }
    if !trust.authorities.isEmpty { configuration.certificates = trust.authorities }
    if !trust.clientCertificate.isEmpty { configuration.clientCertificate = trust.clientCertificate }
    if !trust.clientKey.isEmpty { configuration.clientKey = trust.clientKey }
    return configuration
  }
}

/// A client of one service; a connection in the product, a script in tests.
protocol SensorCaller: Sendable {
  var address: SensorAddress { get }
  func serviceInformation(deadlineInSeconds: Double) async throws(SensorFault) -> ServiceInformation
  func ask(_ request: SensorRequest, into sink: (any DataSink)?) async throws(SensorFault) -> SensorAnswer
}

/// A client of one WS-BD service; any number of requests at once, each over its own connection.
final class SensorConnection: SensorCaller {
  let address: SensorAddress
  let limits: SensorLimits
  private let client: HTTPClient
  /// True if the deployer allows requests to this host; otherwise every request fails before it is sent.
  private let isAllowed: Bool
  /// The upkeep before each request; nil for services of others.
  private let upkeep: ServiceUpkeep?
  private let learnt = Mutex<ProtocolNamespace?>(nil)

  fileprivate init(
    _ address: SensorAddress, _ configuration: HTTPClient.Configuration, limits: SensorLimits, isAllowed: Bool,
    upkeep: ServiceUpkeep?
  ) {
    (self.address, self.limits, self.isAllowed, self.upkeep) = (address, limits, isAllowed, upkeep)
    var configuration = configuration
    configuration.staysOnHost = true
    // Repetition of requests is decided here.
    configuration.repeatLimit = 0
    client = HTTPClient(configuration)
  }

  /// The namespace the service uses; nil before its first response.
  var namespace: ProtocolNamespace? { learnt.withLock { $0 } }

  /// Returns the information that the service publishes about itself.
  ///
  /// - Parameter deadlineInSeconds: The time limit for all attempts.
  /// - Throws: ``SensorFault``, also if the service responds with a status other than success, as the response is then
  ///   of no use.
  func serviceInformation(deadlineInSeconds: Double = 30) async throws(SensorFault) -> ServiceInformation {
    let response = try await ask(SensorRequest(.getServiceInfo, deadlineInSeconds: deadlineInSeconds))
    guard response.status == .success, let parameters = response.metadata else {
      throw fault(.refused(response.status), .answered, .getServiceInfo)
    }
    return ServiceInformation(parameters, namespace: response.namespace)
  }

  /// Sends a request and returns the response, whatever its status.
  ///
  /// An idempotent request is repeated if its response was lost, a few times and within the deadline.
  /// - Parameters:
  ///   - request: The request to send.
  ///   - sink: Takes the decoded data of a download while it arrives, on one thread at a time. Its content must be kept
  ///     only if the response is a success; otherwise the caller that created the sink abandons it.
  func ask(_ request: SensorRequest, into sink: (any DataSink)? = nil) async throws(SensorFault) -> SensorAnswer {
    let end = Uptime.seconds() + request.deadlineInSeconds
    let operation = request.operation
    if !isAllowed { throw fault(.forbidden, .notSent, operation) }
    if let obstacle = upkeep?.prepare() { throw fault(obstacle, .notSent, operation) }
    if operation.bringsData, sink == nil {
      throw fault(.unaskable(reason: "it needs a destination for its data"), .notSent, operation)
    }
    let sink = operation.bringsData ? sink : nil
    let data = sink.map { DataReceiver($0, limitInBytes: limits.dataInBytes) }
    let asked = try await http(request, until: end)
    var (retries, delay, wasSent) = (0, limits.firstDelayInSeconds, false)
    while true {
      do {
        return try await once(request, asked, data, until: end)
      } catch {
        let isLast = retries >= limits.repeatLimit || Uptime.seconds() + delay >= end
        if isLast || !error.isWorthRepeating || data?.hasBegun == true {
          var fault = error
          // An attempt before may have been carried out.
          if wasSent, fault.reach == .notSent { fault.reach = .unknown }
          // Sessions and captures keep the kind, which determines whether anything happened.
          if let upkeep, operation == .getServiceInfo { fault.kind = upkeep.explain(fault.kind) }
          throw fault
        }
        wasSent = wasSent || error.reach != .notSent
      }
      try? await Task.sleep(for: .milliseconds(Int64(delay * 1000)))
      (retries, delay) = (retries + 1, delay * 2)
    }
  }

  private func once(
    _ request: SensorRequest, _ asked: HTTPRequest, _ data: DataReceiver?, until end: Double
  ) async throws(SensorFault) -> SensorAnswer {
    var asked = asked
    asked.deadlineInSeconds = max(0.001, end - Uptime.seconds())
    let known = namespace
    let transfer = AnswerTransfer(
      client, request, asked, address: address.text, limits: limits, data: data, namespace: known)
    var response = try await transfer.run()
    if let known, known != response.namespace {
      response.oddities.append("the service uses another namespace than before")
    }
    // A raw download has no document.
    if request.operation != .rawDownload { learnt.withLock { $0 = response.namespace } }
    if let missing = response.missingPart(of: request.operation) {
      throw fault(.incomplete(missing: missing), .answered, request.operation)
    }
    return response
  }

  /// Returns the HTTP request.
  private func http(_ request: SensorRequest, until end: Double) async throws(SensorFault) -> HTTPRequest {
    let path = try path(request)
    if request.operation == .stream {
      throw fault(.unaskable(reason: "streams are read by the preview"), .notSent, .stream)
    }
    var http = HTTPRequest(address.appending(path))
    http.method = request.operation.method
    http.headers["Accept"] = "application/xml, text/xml;q=0.9, */*;q=0.1"
    if request.operation.method != "GET" {
      http.headers["Content-Type"] = "application/xml; charset=utf-8"
      // Not nil: hosts of Windows answer 411 to a request without a stated length.
      http.body = try await body(request, until: end)
    }
    http.limitInBytes = limits.answerInBytes(withData: request.operation.bringsData)
    http.stallInSeconds = request.operation.isOfSensor ? nil : limits.stallInSeconds
    http.isRepeatable = false
    http.isSentOnce = !request.operation.isRepeatable
    return http
  }

  private func body(_ request: SensorRequest, until end: Double) async throws(SensorFault) -> [UInt8] {
    guard request.operation == .setConfiguration else { return [] }
    guard let configuration = request.configuration else {
      throw fault(.unaskable(reason: "it needs a configuration"), .notSent, .setConfiguration)
    }
    if namespace == nil {
      // A configuration in another namespace is answered with success, and nothing of it is applied.
      do {
        _ = try await ask(SensorRequest(.getServiceInfo, deadlineInSeconds: max(0.001, end - Uptime.seconds())))
      } catch {
        if namespace == nil { throw fault(error.kind, .notSent, .setConfiguration) }
      }
    }
    do {
      return try ConfigurationWriter.document(configuration, namespace ?? .bioserv)
    } catch {
      throw fault(.unaskable(reason: error.message), .notSent, .setConfiguration)
    }
  }

  private func path(_ request: SensorRequest) throws(SensorFault) -> String {
    do {
      return try request.path()
    } catch {
      throw fault(.unaskable(reason: error.message), .notSent, request.operation)
    }
  }

  private func fault(
    _ kind: SensorFault.Kind, _ reach: SensorFault.Reach, _ operation: SensorOperation
  ) -> SensorFault {
    SensorFault(kind, reach, operation, address: address.text)
  }
}

extension SensorFault {
  /// True if the same request may be repeated at once, as its response was lost in transit or postponed by HTTP.
  fileprivate var isWorthRepeating: Bool {
    guard operation.isRepeatable else { return false }
    return switch kind {
    case .cut: true
    case .status(let status): [429, 502, 503, 504].contains(status) || operation.isPreparation && status >= 500
    // A capture for a waiting person should not fail because of one unreadable response.
    case .notAService, .malformed, .unreachable: operation.isPreparation
    case .offline, .forbidden, .notTrusted, .otherKey, .timedOut, .tooSlow, .redirected, .tooLarge, .otherNamespace,
      .refused, .incomplete, .brokenData, .notKept, .cancelled, .unaskable, .failed:
      false
    }
  }
}

// MARK: - Previews

extension SensorConnection {
  /// Follows a live preview until it ends, or the task is canceled.
  ///
  /// - Parameters:
  ///   - resource: The service's description of the stream.
  ///   - session: The session that holds the lock, which streams of some services need in their address.
  ///   - onFrame: Receives the newest picture, on the network thread: it must be quick and never wait.
  /// - Returns: The number of received pictures; 0 if a service shows them only to the holder of the lock.
  @discardableResult
  func preview(
    _ resource: WireResource, session: SensorUUID?, onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    guard let target = HTTPAddress.resolved(resource.uri, against: address.text + "/") else {
      throw fault(.unaskable(reason: "its address is not an http address"), .notSent, .stream)
    }
    if !isAllowed { throw fault(.forbidden, .notSent, .stream) }
    // Otherwise a service could make this machine send requests to other hosts on its behalf.
    guard HTTPAddress.host(of: target) == address.host, target.lowercased().hasPrefix("https:") || !address.isSecure
    else { throw fault(.redirected(target: HTTPAddress.hostAndPort(of: target)), .notSent, .stream) }
    // A last segment `uuid` is a placeholder for the session.
    guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")),
      target[target.utf8.index(after: slash)...].lowercased() == "uuid"
    else { return try await follow(target, onFrame) }
    guard let session else {
      throw fault(.unaskable(reason: "it needs the session that holds the lock"), .notSent, .stream)
    }
    return try await follow(target[...slash] + session.text, onFrame)
  }

  /// Follows the stream that a request names.
  @discardableResult
  func stream(
    _ request: SensorRequest, onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    if !isAllowed { throw fault(.forbidden, .notSent, .stream) }
    return try await follow(address.appending(try path(request)), onFrame)
  }

  private func follow(
    _ target: String, _ onFrame: @escaping @Sendable (PreviewFrame) -> Void
  ) async throws(SensorFault) -> Int {
    let limit = limits.frameInBytes
    let reader = Mutex(PreviewReader(boundary: nil, limitInBytes: limit))
    /// The bytes received since the last picture.
    let idle = Mutex(0)
    do {
      var request = HTTPRequest(target, headers: ["Accept": "multipart/x-mixed-replace, */*;q=0.1"])
      request.limitInBytes = .max
      request.deadlineInSeconds = nil
      request.stallInSeconds = limits.stallInSeconds
      request.decodesContent = false
      request.isRepeatable = false
      let head = try await client.stream(
        request,
        onHead: { head in
          // A stream that shows nothing is empty and has no type.
          guard head.status == 200, head.statedLength != 0 else { return .enough }
          guard let kind = PreviewReader.kind(contentType: head.headers["Content-Type"] ?? "") else {
            throw SensorFault.Kind.notAService(found: "something that is not a stream of pictures")
          }
          reader.withLock { $0 = PreviewReader(boundary: kind.boundary, limitInBytes: limit) }
          return .more
        },
        receive: { bytes in
          if let frame = reader.withLock({ $0.push(bytes) }) {
            idle.withLock { $0 = 0 }
            onFrame(frame)
            return .more
          }
          let passed = idle.withLock { idle in
            idle += bytes.count
            return idle
          }
          if passed > 4 * limit { throw SensorFault.Kind.malformed(reason: "no picture in \(passed) bytes") }
          return .more
        })
      if head.status != 200 { throw SensorFault.Kind.status(head.status) }
    } catch {
      var fault = SensorFault(error, .stream, address: address.text)
      if Task.isCancelled { fault.kind = .cancelled }
      throw fault
    }
    if let frame = reader.withLock({ $0.finish() }) { onFrame(frame) }
    return reader.withLock { $0.pictures }
  }
}

/// The work that this process does for a service that it serves itself.
struct ServiceUpkeep: Sendable {
  /// Serves the service if it is not served yet; returns the reason it cannot be, nil if it is served or another
  /// process may serve it.
  var prepare: @Sendable () -> SensorFault.Kind?
  /// Returns a more specific fault than the network reports.
  var explain: @Sendable (SensorFault.Kind) -> SensorFault.Kind = { $0 }
}

/// Limits on the responses of a service, which may be broken or hostile.
struct SensorLimits: Sendable, Hashable {
  /// The largest document without sensor data, in bytes.
  var documentInBytes = 4 << 20
  /// The largest decoded data of one capture, in bytes; set by 'largest-capture'.
  var dataInBytes = 512 << 20
  /// The maximum nesting depth of elements.
  var depth = 32
  /// The largest number of elements in a document.
  var elements = 100_000
  /// The longest key, name or type, in bytes.
  var nameInBytes = 4096
  /// The largest number of ids per capture; the rest are left out, which the response reports.
  var captureIDs = 10_000
  /// The longest time to connect to a sensor.
  var connectDeadlineInSeconds = 15.0
  /// The number of times an idempotent request is repeated after a lost response.
  var repeatLimit = 3
  /// The wait before the first retry; it doubles with each further one.
  var firstDelayInSeconds = 0.25
  /// The number of seconds without a byte after which a transfer ends; the sensor's own operations only have their
  /// deadline.
  var stallInSeconds = 30
  /// Ends a transfer that is slower than this once it began.
  var minimumRateInBytesPerSecond = 1024
  /// The length of the window over which the rate is measured.
  var rateWindowInSeconds = 10.0
  /// The largest frame of a live preview, in bytes.
  var frameInBytes = 16 << 20

  init() {}
}
