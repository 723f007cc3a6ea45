import PluginAPI

@testable import WSABI
@testable import WSABISimulator

/// One operation of a client over a simulated sensor with a fault, and the conditions that must hold in every case.
struct OperationFaultRun: Sendable {
  let kind: SimulatorFault
  let operation: SensorOperation
  /// True if the fault occurs once; otherwise it occurs each time.
  let isOnce: Bool

  /// The end of the run.
  enum End: String, CaseIterable, Sendable {
    case answered, refused, failed
    /// It is unknown whether it was carried out.
    case unknown
    case endless
  }

  struct Outcome: Sendable {
    var end: End
    /// Violated expectations; empty if there are none.
    var faults: [String]
  }

  /// The time after which a run counts as endless, in seconds; all its waits together take a few.
  private static let limitInSeconds = 60
  private static let configuration = WireDictionary([.init("submodality", .string("LeftThumbFlat"))])

  var name: String { "\(kind.rawValue)@\(operation.rawValue)\(isOnce ? "+1" : "")" }

  private static var simulator: SensorSimulator {
    get throws {
      var configuration = SensorSimulator.Configuration()
      configuration.timeoutInMilliseconds = 400
      configuration.modalities = [.finger]
      configuration.captureSizeInBytes = 5000
      configuration.stealPreventionInMilliseconds = 0
      configuration.framesPerSecond = 100
      return try SensorSimulator(configuration)
    }
  }

  private static func connection(_ address: SensorAddress) -> SensorConnection {
    var limits = SensorLimits()
    limits.firstDelayInSeconds = 0.02
    limits.documentInBytes = 1 << 20
    limits.dataInBytes = 8 << 20
    return SensorAccess(isOffline: false, limits: limits).connection(address)
  }

  /// Runs it.
  func run() async throws -> Outcome {
    let simulator = try Self.simulator
    let journal = MemoryJournal()
    let address = try SensorAddress(parsing: simulator.addresses[0])
    let links = LinkManager(
      { Self.connection($0) }, journal, FaultRun.clock, FaultRun.times, onNote: { _ in })
    guard let known = await Self.captured(links, address) else {
      await simulator.stop()
      return Outcome(end: .failed, faults: ["\(name): the sensor does not capture without a fault"])
    }
    let asking = Asking(operation: operation, links: links, address: address, known: known)
    try await asking.prepare()
    let before = simulator.ledger
    try simulator.script(name)
    let result = await within(Self.limitInSeconds) { await asking.ask() }
    guard let result else {
      // Tasks that wait for their turn at the sensor would wait forever too.
      await simulator.stop()
      return Outcome(end: .endless, faults: ["\(name): it has no end"])
    }
    // Late effects count too.
    await links.link(address).leave()
    let ledger = simulator.ledger
    simulator.heal()
    await links.close()
    var faults = judge(result, before, ledger)
    if !Self.forgetting.contains(kind), await !Self.isThere(known, address) {
      faults.append("what was captured before is lost")
    }
    await simulator.stop()
    return Outcome(end: Self.end(result), faults: faults.map { "\(name): \($0)" })
  }

  /// Captures without a fault; on a busy machine a response may take longer than the wait here.
  private static func captured(_ links: LinkManager, _ address: SensorAddress) async -> SensorUUID? {
    for _ in 0..<10 {
      let report = await links.capture(CaptureOrder(item: 1, address: address, configuration: configuration))
      if let record = report.records.first { return record.captureID }
    }
    return nil
  }

  private static func end(_ result: Result<SensorAnswer, SensorFault>) -> End {
    switch result {
    case .success(let answer): answer.status == .success ? .answered : .refused
    case .failure(let fault): fault.mayHaveHappened ? .unknown : .failed
    }
  }

  /// Faults by which a service forgets its state, or disappears.
  private static let forgetting: Set<SimulatorFault> = [.restart, .restartAfter, .die, .forget]
  /// Faults by which a service names data that it did not capture.
  private static let lying: Set<SimulatorFault> = [
    .noCaptures, .emptyCaptures, .doubleCaptures, .manyCaptures, .foreignCapture,
  ]

  /// Compares the result with the sensor's real captures.
  private func judge(
    _ result: Result<SensorAnswer, SensorFault>, _ before: [CaptureLedger.Entry], _ after: [CaptureLedger.Entry]
  ) -> [String] {
    var faults: [String] = []
    let new = after.dropFirst(before.count).map { $0.id.lowercased() }
    if new.count > 1 { faults.append("the sensor captured \(new.count) times") }
    if !operation.captures, !new.isEmpty { faults.append("the sensor captured, and was not asked to") }
    switch result {
    case .success(let answer):
      if answer.status == .success, operation.namesCaptures, !Self.lying.contains(kind) {
        if answer.captureIDs.isEmpty { faults.append("it is said to be captured, under no id") }
        let all = after.map { $0.id.lowercased() }
        if !answer.captureIDs.allSatisfy({ all.contains($0.key) }) {
          faults.append("an id is given for what was never captured")
        }
      }
    case .failure(let fault):
      let report = fault.report
      let isListed = SensorFault.errorCodes.contains { $0.code == report.code }
      if !isListed, fault.kind != .cancelled {
        faults.append("it ends with the code '\(report.code)', which is not listed")
      }
      if report.message.isEmpty || report.message.utf8.count > 1000 {
        faults.append("its message is \(report.message)")
      }
      // Only an unknown outcome may leave a capture unnamed.
      if fault.reach == .notSent, !new.isEmpty { faults.append("it is said not to be asked, and was captured") }
    }
    return faults
  }

  /// Returns true if captured data is still available.
  private static func isThere(_ id: SensorUUID, _ address: SensorAddress) async -> Bool {
    let request = SensorRequest(.download, capture: id)
    let sink = MemoryJournal.Sink()
    let answer = try? await connection(address).ask(request, into: sink)
    return answer?.status == .success && !sink.bytes.isEmpty
  }

  /// The way of a client to an operation.
  private struct Asking: Sendable {
    let operation: SensorOperation
    let links: LinkManager
    let address: SensorAddress
    let known: SensorUUID

    /// Makes the situation in which it makes sense, without a fault.
    func prepare() async throws {
      let link = links.link(address)
      switch operation {
      case .stealLock:
        let other = SensorProbe(address.text)
        _ = await other.ask("POST", "/lock/\(await other.register())")
      case .endCapture:
        _ = try await link.ask(.tryLock)
        _ = try await link.ask(.beginCapture)
      case _ where operation.needsLock || operation == .unlock: _ = try await link.ask(.tryLock)
      default: break
      }
    }

    func ask() async -> Result<SensorAnswer, SensorFault> {
      do throws(SensorFault) { return .success(try await answer()) } catch { return .failure(error) }
    }

    private func answer() async throws(SensorFault) -> SensorAnswer {
      switch operation {
      case .getServiceInfo:
        _ = try await OperationFaultRun.connection(address).serviceInformation(deadlineInSeconds: 2)
        return SensorAnswer(status: .success, namespace: .bioserv)
      case .stealLock: return try await links.steal(address, cancels: false)
      case .setConfiguration:
        return try await links.link(address).ask(operation, configuration: OperationFaultRun.configuration)
      case .download, .rawDownload, .thriftyDownload, .getDownloadInfo, .getSensorStatus:
        var request = SensorRequest(operation, deadlineInSeconds: 2)
        request.capture = operation == .getSensorStatus ? nil : known
        request.maxSize = operation == .thriftyDownload ? 100 : nil
        let sink = operation.bringsData ? MemoryJournal.Sink() : nil
        return try await OperationFaultRun.connection(address).ask(request, into: sink)
      case .stream: return try await shown()
      default: return try await links.link(address).ask(operation)
      }
    }

    /// Follows the live preview to its second picture, or for the time of an operation.
    private func shown() async throws(SensorFault) -> SensorAnswer {
      let preview = LivePreview(link: links.link(address), connection: OperationFaultRun.connection(address))
      let (frames, feed) = AsyncStream.makeStream(of: Int.self)
      let following = Task {
        defer { feed.finish() }
        do throws(SensorFault) {
          return Result<LivePreview.Ending, SensorFault>.success(
            try await preview.follow { feed.yield($0.bytes.count) })
        } catch {
          return .failure(error)
        }
      }
      // A faulty sensor may send no picture at all: only the clock ends that preview, as a user does.
      let limit = Task {
        if (try? await Task.sleep(for: .seconds(2))) != nil { following.cancel() }
      }
      defer { limit.cancel() }
      var pictures = 0
      for await _ in frames {
        pictures += 1
        if pictures == 2 { following.cancel() }
      }
      let ending = await following.value
      if pictures > 0 { return SensorAnswer(status: .success, namespace: .bioserv) }
      guard case .refused(let status) = try ending.get() else {
        return SensorAnswer(status: .failure, namespace: .bioserv)
      }
      return SensorAnswer(status: status, namespace: .bioserv)
    }
  }
}

extension SensorOperation {
  /// True if the sensor may capture during the operation.
  fileprivate var captures: Bool { [.capture, .beginCapture, .endCapture].contains(self) }
  /// True if a successful response names the captured data.
  fileprivate var namesCaptures: Bool { [.capture, .endCapture].contains(self) }
  /// True if the response carries data.
  fileprivate var bringsData: Bool { [.download, .rawDownload, .thriftyDownload].contains(self) }
}
