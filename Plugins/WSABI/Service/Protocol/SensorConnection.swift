import PluginNet
import Synchronization

/// A client of one WS-BD service; any number of requests at once, each over its own connection.
final class SensorConnection: Sendable {
  let address: SensorAddress
  let limits: SensorLimits
  let client: HTTPClient
  /// True if the deployer allows requests to this host.
  let isAllowed: Bool
  /// The upkeep before each request; nil for services of others.
  let upkeep: ServiceUpkeep?
  private let learnt = Mutex<ProtocolNamespace?>(nil)

  /// Creates a connection; no request is sent yet.
  ///
  /// - Parameters:
  ///   - address: Where the service is.
  ///   - client: Sends the requests, with the pins of the sensor's host if there are any. Redirects never leave the
  ///     host, and only idempotent requests are repeated.
  ///   - isAllowed: True if requests are allowed; otherwise every request fails before it is sent.
  ///   - upkeep: The upkeep before each request.
  init(
    _ address: SensorAddress, _ client: HTTPClient, limits: SensorLimits = SensorLimits(), isAllowed: Bool = true,
    upkeep: ServiceUpkeep? = nil
  ) {
    self.isAllowed = isAllowed
    self.upkeep = upkeep
    self.address = address
    self.limits = limits
    var configuration = client.configuration
    configuration.staysOnHost = true
    // Repetition of requests is decided here.
    configuration.repeatLimit = 0
    self.client = HTTPClient(configuration)
  }

  /// The namespace the service uses; nil before its first response.
  var namespace: ProtocolNamespace? { learnt.withLock { $0 } }

  /// Returns the information that the service publishes about itself.
  ///
  /// - Parameter deadlineInSeconds: The time limit for all attempts.
  /// - Throws: ``SensorFault``, also if the service responds with a status other than success, as the response is then
  ///   of no use.
  func serviceInformation(deadlineInSeconds: Double = 30) async throws(SensorFault) -> ServiceInformation {
    let answer = try await ask(SensorRequest(.getServiceInfo, deadlineInSeconds: deadlineInSeconds))
    guard answer.status == .success, let parameters = answer.metadata else {
      throw SensorFault(.refused(answer.status), .answered, .getServiceInfo, address: address.text)
    }
    return ServiceInformation(parameters, namespace: answer.namespace)
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
    if !isAllowed { throw fault(.forbidden, .notSent, request) }
    if let obstacle = upkeep?.prepare() { throw fault(obstacle, .notSent, request) }
    if request.operation.bringsData, sink == nil {
      throw fault(.unaskable(reason: "it needs a place for its data"), .notSent, request)
    }
    let place = request.operation.bringsData ? sink : nil
    let data = place.map { DataReceiver($0, limitInBytes: limits.dataInBytes) }
    let asked = try await http(request, until: end)
    var delay = limits.firstDelayInSeconds
    var wasSent = false
    for attempt in 0... {
      do {
        return try await once(request, asked, data, until: end)
      } catch {
        let isLast = attempt >= limits.repeatLimit || Uptime.seconds() + delay >= end
        if isLast || !error.isWorthRepeating || data?.hasBegun == true {
          var fault = error
          // An attempt before may have been carried out.
          if wasSent, fault.reach == .notSent { fault.reach = .unknown }
          // Sessions and captures keep the kind, which determines whether anything happened.
          if let upkeep, request.operation == .getServiceInfo { fault.kind = upkeep.explain(fault.kind) }
          throw fault
        }
        wasSent = wasSent || error.reach != .notSent
      }
      try? await Task.sleep(for: .milliseconds(Int64(delay * 1000)))
      delay *= 2
    }
    throw fault(.timedOut(seconds: request.deadlineInSeconds), .unknown, request)
  }

  private func once(
    _ request: SensorRequest, _ asked: HTTPRequest, _ data: DataReceiver?, until end: Double
  ) async throws(SensorFault) -> SensorAnswer {
    var asked = asked
    asked.deadlineInSeconds = max(0.001, end - Uptime.seconds())
    let known = namespace
    let transfer = AnswerTransfer(
      client, request, asked, address: address.text, limits: limits, data: data, namespace: known)
    var answer = try await transfer.run()
    if let known, known != answer.namespace {
      answer.oddities.append("the service writes another namespace than before")
    }
    // A raw download has no document.
    if request.operation != .rawDownload { learnt.withLock { $0 = answer.namespace } }
    if let missing = answer.missingPart(of: request.operation) {
      throw fault(.incomplete(missing: missing), .answered, request)
    }
    return answer
  }

  /// Returns the HTTP request.
  private func http(_ request: SensorRequest, until end: Double) async throws(SensorFault) -> HTTPRequest {
    let path: String
    do {
      path = try request.path()
    } catch {
      throw fault(.unaskable(reason: error.words), .notSent, request)
    }
    if request.operation == .stream {
      throw fault(.unaskable(reason: "streams are followed by a preview"), .notSent, request)
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
      throw fault(.unaskable(reason: "it needs a configuration"), .notSent, request)
    }
    if namespace == nil {
      // A configuration in another namespace is answered with success, and nothing of it is applied.
      do {
        _ = try await ask(SensorRequest(.getServiceInfo, deadlineInSeconds: max(0.001, end - Uptime.seconds())))
      } catch {
        if namespace == nil { throw fault(error.kind, .notSent, request) }
      }
    }
    do {
      return try ConfigurationWriter.document(configuration, namespace ?? .bioserv)
    } catch {
      throw fault(.unaskable(reason: error.words), .notSent, request)
    }
  }

  private func fault(_ kind: SensorFault.Kind, _ reach: SensorFault.Reach, _ request: SensorRequest) -> SensorFault {
    SensorFault(kind, reach, request.operation, address: address.text)
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
    default: false
    }
  }
}
